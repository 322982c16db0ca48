#!/usr/bin/env bash
# An installed gemmgate works when source and build folders are gone: installs BUILD, hides both folders, and runs
# the demonstration, a gate by the installed script, and builds against the header.
#     tests/install.sh SOURCE BUILD
# Folders are hidden in a mount namespace of their own. Where that is not allowed (a container without it), what
# hides them is that no path of theirs may be read off the installed files: that is looked at in any case.
# Covers: cmake ci/install ci/gate-merge ci/demo CMakeLists.txt
set -euo pipefail
unset CDPATH # with it, cd may go elsewhere and print where
source=$1 build=$2
fail() {
    echo "FAIL: $*" >&2
    exit 1
}
if [ "${3-}" != hidden ]; then
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    # Into a prefix, and then elsewhere: nothing may be tied to the prefix either.
    DESTDIR=$scratch/staged cmake --install "$build" --prefix /opt/gemmgate-of-a-test >"$scratch/log" || { cat "$scratch/log"; exit 1; }
    mv "$scratch/staged/opt/gemmgate-of-a-test" "$scratch/moved"
    cp "$0" "$scratch/test"
    for folder in "$source" "$build" /opt/gemmgate-of-a-test; do
        ! grep -rlF "$folder" "$scratch/moved" --include='*' | grep -vF README >&2 || fail "these name $folder"
    done
    cd "$scratch"
    # The test itself lies in the source, so the copy goes on.
    status=0
    unshare -rm true 2>/dev/null || status=77
    if [ $status = 0 ]; then
        unshare -rm bash "$scratch/test" "$source" "$build" hidden "$scratch" || exit 1
    else
        bash "$scratch/test" "$source" "$build" hidden "$scratch" open
    fi
    exit 0
fi

scratch=$4
cd "$scratch"
if [ "${5-}" != open ]; then
    for folder in "$build" "$source"; do # the build folder may lie in the source
        mount -t tmpfs none "$folder"
    done
    [ ! -e "$source/candidates" ] && [ ! -e "$build/bench" ] || fail 'the folders are still there'
fi
unset GEMMGATE
export GEMMGATE_CACHE=$scratch/cache
bin=$scratch/moved/bin data=$scratch/moved/share/gemmgate

"$bin/gemmgate" --version >version
grep -q '^gemmgate [0-9]' version && grep -qE '^commit ([0-9a-f]{7}|unknown: )' version ||
    { cat version >&2; fail 'the version lacks a line'; }
"$bin/gemmgate" devices | grep '^host ' >/dev/null || fail 'it does not list the host'
# By a link, as in /usr/local/bin.
ln -s "$bin/gemmgate" linked
./linked list baselines | grep openblas-nn >/dev/null || fail 'by a link it finds no runner'

# The demonstration, and what it ends with.
"$data/ci/demo" --help | grep 'ci/demo \[-o RUN\]' >/dev/null || fail '--help does not help'
"$data/ci/demo" -o demo >out 2>err || { cat out err >&2; fail 'the demonstration failed'; }
grep -q '^What was found: [a-z0-9-]* has [0-9.]* times the speed of openblas-max by call.* interval over visits of [0-9.]* to [0-9.]*\.$' out &&
    grep -qxF "The page:       file://$scratch/demo/report/report.html" out && grep -q '^What next: ' out ||
    { cat out err >&2; fail 'the demonstration does not end as it should'; }
[ -s demo/report/report.html ] || fail 'there is no page'

# A gate by the installed script and policy.
mkdir set
cp "$data"/candidates/examples/host/{blocked.c,half.h} set
status=0
"$data/ci/gate-merge" --against set --candidates set -o gate --device host --shapes 32x32x32 --warmup 0.02 --duration 0.1 \
    >out 2>err || status=$?
[[ $status = [0135] ]] && [ -s gate/gate/gate.json ] || { cat out err >&2; fail "the gate ended with $status"; }

# Kernels are built against the header, by pkg-config and by CMake.
printf '#include <gemmgate.h>\nint abi = GEMMGATE_ABI;\n' >user.c
flags=$(PKG_CONFIG_PATH=$scratch/moved/share/pkgconfig pkg-config --cflags gemmgate)
# shellcheck disable=SC2086 # words
cc -c $flags user.c || fail "pkg-config's flags do not find the header: $flags"
mkdir user
cat >user/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(gemmgate 0.1 REQUIRED)
add_library(user SHARED ../user.c)
target_link_libraries(user PRIVATE gemmgate::header)
END
cmake -G Ninja -S user -B user/build -DCMAKE_PREFIX_PATH="$scratch/moved" >log && cmake --build user/build >>log ||
    { cat log >&2; fail 'CMake does not find the header'; }

# A part that is missing is named.
rm -r "$data/candidates"
status=0
"$bin/gemmgate" build --candidates set >out 2>err || status=$?
[ $status = 2 ] && grep -q 'share/gemmgate/candidates/gemmgate.h; install gemmgate whole' err || { cat err >&2; fail "status $status"; }
rm "$scratch/moved/libexec/gemmgate/gemmgate-runner"
"$bin/gemmgate" devices >out 2>err && fail 'it works without its runner'
grep -q 'gemmgate-runner' err || { cat err >&2; fail 'the runner is not named'; }
echo ok
