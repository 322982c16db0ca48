#!/usr/bin/env bash
# A pipe or a device in the place of a file that is read: each command says so and ends, where it could wait for ever or
# read without an end.
. "$(dirname "$0")/lib.sh"

mkdir set
cp "$SOURCE"/candidates/examples/host/{half.h,blocked.c} set
run=(run --device host --seed 1 --warmup 0.02 --duration 0.1 --visits 2 --lens call)
expect 0 "$GEMMGATE" "${run[@]}" --shapes 32x32x32 --candidates set -o RUN

# irregular FILE COMMAND...: FILE, which the command reads, is a pipe without a writer, and then a device without an end.
irregular() {
    local file=$1 kind
    shift
    for kind in fifo device; do
        rm -rf "$file" NONE
        if [ $kind = fifo ]; then mkfifo "$file"; else ln -s /dev/zero "$file"; fi
        expect 2 timeout 20 "$GEMMGATE" "$@"
        says "${file##*/}: " # which file
        says 'it is no regular file'
    done
    rm -f "$file"
}
irregular suite.csv run --suite suite.csv --device host --candidates set -o NONE
irregular policy.ini gate --candidates set --against set --shapes 32x32x32 --device host --policy policy.ini -o NONE
irregular speedups.csv import cuda-l2 --offline speedups.csv -o NONE
irregular claims.csv report RUN --claims claims.csv
cp -r set odd
irregular odd/gemmgate.ini run --shapes 32x32x32 --device host --candidates odd -o NONE
rm -r odd
for command in report verify agree winners merge baseline resume; do
    case $command in
    agree | winners) words=("$command" RUN ODD) ;;
    merge) words=(merge ODD -o NONE) ;;
    baseline) words=(baseline promote ODD --store STORE --name x) ;;
    resume) words=("${run[@]}" --shapes 32x32x32 --candidates set -o ODD --resume) ;;
    *) words=("$command" ODD) ;;
    esac
    [ $command != winners ] || words+=(--mode offline --lens call -o NONE)
    cp -r RUN ODD
    irregular ODD/plan.json "${words[@]}"
    rm -rf ODD NONE
done
cp -r RUN ODD
irregular ODD/manifest.json verify ODD
rm -r ODD && cp -r RUN ODD
irregular ODD/command.json run --resume -o ODD
rm -r ODD && cp -r RUN ODD
irregular ODD/units/32x32x32.blocked/offline.call.f32 verify ODD
rm -r ODD && cp -r RUN ODD
# A run whose digests cannot be read is one without them.
rm ODD/xxh128sums && mkfifo ODD/xxh128sums
for command in report verify; do
    expect 0 timeout 20 "$GEMMGATE" $command ODD
    told 'has no digests'
done
echo ok
