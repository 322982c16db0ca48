#!/usr/bin/env bash
# The wheel of BUILD: what pip reads of it is right, and its programs start with the libraries that it brings.
#     tests/wheel.sh BUILD
set -euo pipefail
build=$1
fail() {
    echo "FAIL: $*" >&2
    exit 1
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
(cd "$build" && cpack -G External -B "$scratch/packages" >"$scratch/log" 2>&1) || { cat "$scratch/log" >&2; fail 'there is no wheel'; }
cd "$scratch"
wheel=$(basename packages/*.whl)
[[ $wheel =~ ^(gemmgate-[0-9.]+\+(cpu|cu[0-9]+))-py3-none-manylinux_2_([0-9]+)_$(uname -m)\.whl$ ]] || fail "it is called $wheel"
name=${BASH_REMATCH[1]} glibc=${BASH_REMATCH[3]}

# As pip does.
unzip -q "packages/$wheel"
python3 - "$name.dist-info/RECORD" <<'END_PYTHON'
import base64, csv, hashlib, pathlib, sys
record = list(csv.reader(open(sys.argv[1])))
there = {str(path) for path in pathlib.Path(".").rglob("*") if path.is_file() and path.parts[0].startswith("gemmgate-")}
if {path for path, _, _ in record} != there:
    sys.exit(f"FAIL: RECORD has other files: {there ^ {row[0] for row in record}}")
for path, digest, size in record:
    content = pathlib.Path(path).read_bytes()
    told = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    if path != sys.argv[1] and (digest, int(size)) != (told, len(content)):
        sys.exit(f"FAIL: RECORD has another digest of {path}")
END_PYTHON
mv "$name.data/data" prefix
mv "$name.data/scripts" prefix/bin
program=$scratch/prefix/bin/gemmgate own=$scratch/prefix/libexec/gemmgate

# Each library is the wheel's, but for those that a bare system or CUDA has, and has its licence. None asks for a newer glibc.
ldd "$program" "$own/gemmgate-runner" >needed
for library in csv inih jansson seccomp sqlite3 xxhash; do
    grep -E "^.lib$library\.so" needed | grep -vF "=> $own/" |
        grep -vF "=> $scratch/prefix/bin/../libexec/gemmgate/" >&2 && fail "lib$library is not the wheel's"
    [ -n "$(find "$own" -name "lib$library.so.*")" ] && [ -n "$(find "$name.dist-info/licenses" -name "lib$library*" -size +0)" ] ||
        fail "lib$library or its licence is missing"
done
for file in "$program" "$own"/*; do
    for version in $(objdump -T "$file" | grep -oE 'GLIBC_2\.[0-9]+' | sed 's/.*\.//' | sort -nu); do
        [ "$version" -le "$glibc" ] || fail "$file needs glibc 2.$version"
    done
done
"$program" --version >out || fail 'it does not start'
"$program" list candidates prefix/share/gemmgate/candidates/examples/host >out || fail 'it finds no examples'
grep -q '^blocked ' out || { cat out >&2; fail 'it does not list the example'; }
"$program" devices >out || fail 'its runner does not start'
grep -q '^host ' out || { cat out >&2; fail 'it does not list the host'; }
[ -x prefix/share/gemmgate/ci/demo ] || fail 'the demonstration is no program'

# Without CUDA's libraries, which a wheel does not bring.
cat >"$own/gemmgate-runner" <<'RUNNER'
#!/bin/sh
echo 'gemmgate-runner: error while loading shared libraries: libcublas.so.13: cannot open shared object file' >&2
exit 127
RUNNER
! "$program" devices >out 2>err || fail 'it needs no runner'
grep -qF 'put the folders that have them in LD_LIBRARY_PATH (pip'"'s nvidia-cublas and nvidia-cuda-runtime, for CUDA 12 with -cu12 behind the names, put them below site-packages/nvidia)" err || { cat err >&2; fail 'the message has no remedy'; }
echo ok
