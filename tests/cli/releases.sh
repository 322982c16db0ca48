#!/usr/bin/env bash
# The releases of the example kernel, which README's gate takes: each is a kernel, and the gate refuses the wrong one.
. "$(dirname "$0")/lib.sh"
releases=$SOURCE/candidates/examples/gate/host
for release in old equal slower; do
    expect 0 "$GEMMGATE" check --device host --shapes 33x65x129 --candidates "$releases/$release" -o "$release"
done
slow=(--device host --shapes 33x65x129 --warmup 0.01 --duration 0.05)
expect 6 "$GEMMGATE" gate "${slow[@]}" --candidates "$releases/wrong" --against "$releases/old" -o WRONG
grep -q '"verdict": "wrong"' WRONG/gate/gate.json || { cat WRONG/gate/gate.json >&2; fail 'the wrong release is not called so'; }
# What README says can be pasted: each command is taken from there, and begins as it should.
sed -n '/^releases=/,/^```/p; /^build\/bench\/gemmgate compare/p' "$SOURCE/README.md" | grep -v '^```' >pasted
[ "$(grep -c '^build/bench/gemmgate \(gate\|compare\) ' pasted)" = 2 ] || { cat pasted >&2; fail 'README has other commands'; }
for device in cuda host; do
    for release in old equal slower wrong; do
        [ -n "$(ls "$SOURCE/candidates/examples/gate/$device/$release")" ] || fail "there is no $release of $device"
    done
done
sed -i "s|^releases=.*|releases=$SOURCE/candidates/examples/gate/host|; s|^shapes=.*|shapes=16x16x16|; s|^build/bench/gemmgate |$GEMMGATE |
    s|--candidates \$releases/slower|--candidates \$releases/wrong|; s|\$releases/slower|\$releases/equal|
    /^\//s|\$| --device host --warmup 0.01 --duration 0.05 --visits 2|" pasted
mkdir runs
got=0
bash -e <(grep -v ' compare ' pasted) >out 2>err || got=$?
[ $got = 6 ] || { cat out err >&2; fail "README's gate ends with $got"; }
expect 0 bash -e <(grep -v ' gate ' pasted)
[ -e runs/compared/compare/compare.html ] && [ -e runs/gate/gate/gate.html ] || fail 'the pages are not where README says'
echo ok
