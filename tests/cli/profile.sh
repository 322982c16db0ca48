#!/usr/bin/env bash
# ci/profile: a check under a stand-in for Nsight Compute, whose table it prints.
. "$(dirname "$0")/lib.sh"

mkdir set fake
cp "$SOURCE"/candidates/examples/host/{blocked.c,half.h} set
# Runs its arguments, then says what ncu would, or with $FORBIDDEN that it may not count.
cat >fake/ncu <<'NCU'
#!/usr/bin/env bash
while [ "$1" != "${1#--}" ]; do
    case $1 in
    --log-file) log=$2 ;;
    --metrics) metrics=$2 ;;
    --csv) set -- x "$@" ;;
    esac
    shift 2
done
"$@" || exit
echo "==PROF== Connected to process 1 ($1)" >"$log"
[ -z "${FORBIDDEN-}" ] || { echo '==ERROR== ERR_NVGPUCTRPERM' >>"$log" && exit 1; }
[ -z "${NOTHING-}" ] || exit 0
printf '"ID","Kernel Name","%s"\n"","","nsecond"\n"0","gemm","12"\n' "${metrics%%,*}" >>"$log"
NCU
chmod +x fake/ncu
export PATH=$PWD/fake:$PATH
profile() {
    expect "$1" "$SOURCE/ci/profile" --device host --shapes 16x16x16 --candidates "$2" --baselines openblas-nn
}
profile 0 set
[ "$(cat out)" = '"ID","Kernel Name","gpu__time_duration.sum"
"","","nsecond"
"0","gemm","12"' ] || { cat out err >&2; fail 'the table is another'; }
says '==PROF== Connected'
mkdir wrong
echo 'no C' >wrong/wrong.c
profile 0 wrong # what is refused is counted all the same
FORBIDDEN=yes profile 1 set
says ERR_NVGPUCTRPERM
NOTHING=yes profile 2 set
says 'nothing was counted'
profile 2 nowhere
says nowhere
echo ok
