#!/usr/bin/env bash
# Every command that gemmgate prints, as advice or as an example, is carried out on the host device.
. "$(dirname "$0")/lib.sh"

mkdir bin
ln -s "$GEMMGATE" bin/gemmgate
export PATH=$PWD/bin:$PATH
host=(--device host --warmup 0.01 --duration 0.04)
few=(--sample 2 --seed 3)

# What the examples and the advice speak of.
mkdir -p kernels runs
cp "$SOURCE"/candidates/examples/host/{blocked.c,half.h} kernels
for folder in new old OLD-SET NEW-SET SET; do cp -r kernels "$folder"; done
{ few_visits && printf 'margin = 50 %%\nundecided = 100 %%\nalpha = 0.1\n'; } >merge.ini
printf 'mnk,torch.matmul,cuBLAS-tn,cuBLAS-nn,cuBLAS-max,cuBLASLt-heuristic-tn,cuBLASLt-heuristic-nn,cuBLASLt-heuristic-max,cuBLASLt-auto-tuning-tn,cuBLASLt-auto-tuning-nn,cuBLASLt-auto-tuning-max\n64_64_64,1.5,1.1,1.2,1.05,1.1,1.2,1.05,1.1,1.2,1.05\n' >speedups.csv

# try STATUSES COMMAND: as printed.
try() {
    local got=0
    eval "$2" >out 2>err </dev/null || got=$?
    [[ ",$1," = *",$got,"* ]] || { cat out err >&2; fail "status $got, not $1: $2"; }
    echo "$2" >>tried
}
verdict=0,1,3,5

# The examples of --help, in the order in which --help lists the commands. Where one measures, it is made short.
examples() { # COMMAND...
    gemmgate "$@" --help | sed -n '/^[Ee]xample/,$p' | sed -n 's/^ *\(gemmgate .*\)/\1/p'
}
[ -n "$(examples run)" ] || { gemmgate run --help >&2; fail 'no examples are found'; }
# A store refuses a run whose controls a busy machine has disturbed.
for _ in 1 2 3 4 5; do
    rm -rf runs/release
    gemmgate run "${host[@]}" --duration 0.3 --visits 4 --shapes 64x64x64,4096x16x64 --candidates kernels -o runs/release >out 2>err
    grep -q 'controls failed' err || break
done
for run in monday tuesday; do gemmgate run "${host[@]}" --visits 2 --shapes 64x64x64 --seed 3 --candidates kernels -o runs/$run >out 2>err; done
printf '[defaults]\nmode = offline\nlens = call\nlibrary = openblas-max\nmean = paper\nrefused = omit\n
[one]\nsays = a day\nrun = runs/monday\n[two]\nsays = another\nrun = runs/tuesday\n' >steps.ini
cp -r runs/monday runs/mine
cp -r runs/tuesday runs/theirs
mkdir store
try 0 'gemmgate baseline promote runs/release --store kept --name v1 --force "an example"'
rm -rf store && cp -r kept store
printf 'm,n,k,provider,ms\n64,64,64,mine,0.01\n64,64,64,torch,0.02\n' >times.csv
for part in 1 2; do gemmgate run "${host[@]}" --shapes 64x64x64,32x32x32 --seed 5 --shard $part/2 --candidates kernels -o runs/part$part >out 2>err; done
while read -r command; do
    # shellcheck disable=SC2086
    while read -r example; do
        case $example in
        'gemmgate run '* | 'gemmgate check '*) try 0 "$example ${host[*]} ${few[*]} --visits 2" ;;
        'gemmgate gate --candidates '*) try $verdict "$example ${host[*]} ${few[*]} --policy merge.ini" ;;
        'gemmgate gate '*) try $verdict "$example" ;;
        'gemmgate compare old/ '*) try 0 "$example ${host[*]} ${few[*]} --visits 2" ;;
        'gemmgate baseline promote '*) try 0 "$example --force 'the run of v1'" ;;
        'gemmgate compare '*) try 0 "${example/cublas/openblas}" ;; # the library of this device
        'gemmgate agree '* | 'gemmgate build '* | 'gemmgate report '* | 'gemmgate verify '* | 'gemmgate merge '* | \
            'gemmgate import '* | 'gemmgate baseline '* | 'gemmgate history '* | 'gemmgate devices'* | 'gemmgate list '* | 'gemmgate version'* | \
            'gemmgate winners '* | 'gemmgate --'*) try 0 "$example" ;;
        *) fail "no way to carry out is known here of: $example" ;;
        esac
    done < <(examples $command)
done < <(gemmgate --help | sed -n 's/^  \([a-z][a-z0-9-]*\( [a-z][a-z0-9-]*\)\?\)  .*/\1/p')
for word in run check build gate compare agree report verify merge import 'baseline promote' history devices 'list candidates'; do
    grep -q "^gemmgate $word" tried || { cat tried >&2; fail "gemmgate $word has no example that was carried out"; }
done

# What is said elsewhere, taken from the sources: of a command no way to carry out which is known, this test fails.
cp -r runs/release RUN
mkdir store2
for part in 1 2; do
    gemmgate gate "${host[@]}" --shapes 64x64x64,32x32x32 --seed 5 --policy merge.ini --shard $part/2 --candidates new --against old -o S$part >out 2>err
done
(cd "$SOURCE" && grep -rlF 'gemmgate ' bench reports candidates timing correctness baselines --include='*.c') | while read -r file; do
    [[ $file = */command_table.c || $file = */option_help.c ]] ||
        sed -zE 's/"[ \t]*\n[ \t]*"//g' "$SOURCE/$file" | grep -oE '"([^"\\]|\\.)*"' |
        grep -oE '(^"|`|[( :])gemmgate (%s|[a-z][a-z-]*)( [^`)"]*)?[`)"]' | sed -E 's/^[^g]*//; s/[`)"]$//' || true
done | sort -u >said
[ "$(wc -l <said)" -gt 8 ] || { cat said >&2; fail 'no commands are found in the sources'; }
while read -r line; do
    case $line in
    'gemmgate %s --help') for command in run gate 'baseline list'; do try 0 "gemmgate $command --help"; done ;;
    'gemmgate list baselines' | 'gemmgate list suites' | 'gemmgate devices') try 0 "$line" ;;
    'gemmgate gate --resume -o RUN')
        try 0 'gemmgate merge S1 S2 -o GATE'
        try $verdict 'gemmgate gate --resume -o GATE'
        ;;
    'gemmgate gate RUN --against STORE') try $verdict 'gemmgate gate runs/release --against store' ;;
    'gemmgate merge SHARD... -o RUN') try 0 'gemmgate merge runs/part1 runs/part2 -o MERGED' ;;
    'gemmgate run ... --resume -o %s')
        try 3 'gemmgate merge runs/part1 -o HALF'
        try 0 "gemmgate run ${host[*]} --shapes 64x64x64,32x32x32 --seed 5 --candidates kernels --resume -o HALF"
        ;;
    'gemmgate run --resume -o FOLDER/1-SET' | 'gemmgate run --resume -o %s') try 0 'gemmgate run --resume -o RUN' ;;
    'gemmgate build --jobs 1 --candidates SET' | 'gemmgate build --candidates SET --arch 90a') try 0 "$line" ;;
    'gemmgate list candidates FOLDER') try 0 'gemmgate list candidates SET' ;;
    'gemmgate baseline list --store %s') try 0 'gemmgate baseline list --store store' ;;
    'gemmgate baseline promote RUN --store %s') try 0,2 "gemmgate baseline promote RUN --store fresh --force test" ;;
    'gemmgate compare OLD-SET NEW-SET --suite NAME -o RUN') try 0 "gemmgate compare OLD-SET NEW-SET --suite smoke -o COMPARED ${host[*]} ${few[*]} --visits 2" ;;
    'gemmgate report' | 'gemmgate report RUN') try 0 'gemmgate report RUN' ;;
    'gemmgate verify RUN') try 0 "$line" ;;
    'gemmgate verify %s') try 0 'gemmgate verify RUN' ;;
    'gemmgate report RUN --published %s')
        printf 'm,n,k,provider,ms\n64,64,64,triton,0.02\n' >theirs.csv
        try 0 'gemmgate import triton theirs.csv -o THEIRS'
        try 0,2 'gemmgate report RUN --published THEIRS' # the host has no lens that these tools time by
        ;;
    'gemmgate report RUN --again RUN2')
        cp -r RUN RUN2
        sed -i '/"cpu"/,/"model"/s/"model": "[^"]*"/"model": "another"/' RUN2/manifest.json
        awk -F, -v OFS=, 'NR == 2 { $11 *= 1.01 } 1' RUN/ratios.csv >RUN2/ratios.csv # no copy
        try 0 "$line"
        ;;
    # Titles of what is printed.
    'gemmgate check' | 'gemmgate verify' | 'gemmgate winners') ;;
    # Texts that other words follow: their whole is carried out below.
    'gemmgate gate' | 'gemmgate import' | 'gemmgate %s' | 'gemmgate report%s%s') ;;
    # Sentences about the program.
    'gemmgate that '* | 'gemmgate reads '* | 'gemmgate uses '* | 'gemmgate measures '* | 'gemmgate is '* | 'gemmgate have '* | 'gemmgate was '* | 'gemmgate itself'* | \
        'gemmgate and '* | 'gemmgate runs '* | 'gemmgate whole'*) ;;
    *) fail "no way to carry out is known here of what the sources say: $line" ;;
    esac
done <said

# The line that makes a report again, whole, and the line that judges a gate again.
for run in RUN runs/published; do
    gemmgate report $run >out 2>err
    line=$(tr '\n' '\1' <$run/report/report.html | grep -oaE '<pre><code>gemmgate [^<]*' | sed -n 1p |
        sed -E 's/^<pre><code>//; s/\x1+$//; s/\x1/ \&\& /g; s/&amp;/\&/g')
    [[ $line = *'-o RUN && gemmgate report RUN'* ]] || fail "the report of $run says: $line"
    mkdir -p "again-${run//\//-}"
    (cd "again-${run//\//-}" && ln -s ../kernels ../speedups.csv . && try 0 "$line") || fail "of $run"
done
got=0
gemmgate gate GATE --policy merge.ini >out 2>err || got=$?
try $got "$(sed -n 's/.*To judge them again: `\(gemmgate .*\)`\.$/\1/p' GATE/gate/summary.md)"
# A gate that could not write its files says it, too.
rm -rf GATE/gate && mkdir -p GATE/gate/gate.csv/taken
try 2 'gemmgate gate GATE --policy merge.ini'
line=$(sed -n 's/.*judge again what is measured: \(gemmgate .*\)/\1/p' err)
[ -n "$line" ] || { cat err >&2; fail 'a gate that could not write its files does not say how to judge it again'; }
rm -r GATE/gate
try $got "$line"
echo ok
