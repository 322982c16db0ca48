#!/usr/bin/env bash
# What a gate writes against its schemas, which must also refuse documents with a planted fault.
#     tests/gate_outputs.sh json|junit PROGRAM SOURCE    PROGRAM is test_gate_output
# It needs python3-jsonschema, or xmllint of libxml2-utils: ci/install --tests.
set -euo pipefail
kind=$1
program=$2
source=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# valid FILE...: prints those that are.
case $kind in
json)
    python=python3
    python3 -c 'import jsonschema' 2>/dev/null || python=/usr/bin/python3
    name=gate.json
    valid() {
        "$python" - "$source/ci/gate.schema.json" "$@" 2>err <<'END'
import json, sys, jsonschema

def refuse(word):
    raise ValueError(word + " is not JSON")

def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_constant=refuse)

schema = read(sys.argv[1])
checker = jsonschema.validators.validator_for(schema)
checker.check_schema(schema)
for path in sys.argv[2:]:
    try:
        checker(schema).validate(read(path))
        print(path)
    except (ValueError, jsonschema.ValidationError) as wrong:
        print(path, wrong, file=sys.stderr)
END
    }
    ;;
junit)
    name=junit.xml
    valid() {
        xmllint --noout --schema "$source/tests/junit.xsd" "$@" 2>err || true
        sed -n 's/ validates$//p' err
    }
    ;;
esac

cd "$scratch"
"$program" "$scratch" >/dev/null
files=(./*/gate/"$name")
[ "$(valid "${files[@]}")" = "$(printf '%s\n' "${files[@]}")" ] || { cat err >&2; fail "a $name is not valid"; }

# plant SED: an edit of the regression's file, which must change it.
planted=()
plant() {
    sed -E "$1" regression/gate/$name >"edited${#planted[@]}"
    ! cmp -s regression/gate/$name "edited${#planted[@]}" || fail "nothing was planted by $1"
    planted+=("$1")
}

if [ "$kind" = json ]; then
    plant 's/"ratio": 0\.9.*,/"ratio": NaN,/'
    plant 's/"ratio": 0\.9.*,/"ratio": "0.9",/'
    plant 's/"status": "slower"/"status": "slow"/'
    plant 's/"exit_status": 1/"exit_status": 0/'
    plant 's/"verdict": "regression"/"verdict": "red"/'
    plant 's/"coverage":.*//'
    plant 's/"suspects": 3/"suspects": -3/'
    plant 's/"suspects": 3,/& "more": 1,/'
    plant 's/"lens": "device",/& "more": 1,/'
    plant 's/"m": 64,/"m": "64",/'
    plant 's/"p": 0.00025/"p": 25/'
    plant 's/"added": 1/"added": 1, "lost": 1/'
else
    plant 's/<failure /<failed /; s/failure>/failed>/'
    plant 's/ tests="14"/ tests="many"/'
    plant 's/ errors="[0-9]*"//'
    plant 's/ classname="[^"]*"//'
    plant 's/ time="[0-9.]*" skipped/ time="1e-05" skipped/'
    plant 's/<system-out>/<skipped>/'
    plant 's/is 5/is \x01/'
    plant 's/is 5/is < 5/'
fi
for taken in $(valid edited*); do
    fail "${planted[${taken#edited}]} is taken"
done
grep -q edited0 err || fail "nothing was looked at"
echo ok
