#!/usr/bin/env bash
# What a gate writes against its schemas, which must also refuse documents with a planted fault.
#     tests/gate_outputs.sh json|junit PROGRAM SOURCE    PROGRAM is test_gate_output
# Ends with 77 where the validator is missing: python3-jsonschema, or xmllint of libxml2-utils.
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

# valid FILE...: each is.
case $kind in
json)
    python3 -c 'import jsonschema' 2>/dev/null || exit 77
    name=gate.json
    valid() {
        python3 - "$source/ci/gate.schema.json" "$@" 2>err <<'END'
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
    checker(schema).validate(read(path))
END
    }
    ;;
junit)
    command -v xmllint >/dev/null || exit 77
    name=junit.xml
    valid() {
        xmllint --noout --schema "$source/tests/junit.xsd" "$@" 2>err
    }
    ;;
esac

cd "$scratch"
"$program" "$scratch" >/dev/null
valid ./*/gate/$name || { cat err >&2; fail "a $name is not valid"; }

# refused SED: an edit of the regression's file, which must have changed it.
refused() {
    sed -E "$1" regression/gate/$name >edited
    ! cmp -s regression/gate/$name edited || fail "nothing was planted by $1"
    ! valid edited || fail "$1 is taken"
}

if [ "$kind" = json ]; then
    refused 's/"ratio": 0\.9.*,/"ratio": NaN,/'
    refused 's/"ratio": 0\.9.*,/"ratio": "0.9",/'
    refused 's/"status": "slower"/"status": "slow"/'
    refused 's/"exit_status": 1/"exit_status": 0/'
    refused 's/"verdict": "regression"/"verdict": "red"/'
    refused 's/"coverage":.*//'
    refused 's/"suspects": 3/"suspects": -3/'
    refused 's/"suspects": 3,/& "more": 1,/'
    refused 's/"lens": "device",/& "more": 1,/'
    refused 's/"shape": "64x64x128"/"shape": "64x64"/'
    refused 's/"p": 0.00025/"p": 25/'
    refused 's/"added": 1/"added": 1, "lost": 1/'
else
    refused 's/<failure /<failed /; s/failure>/failed>/'
    refused 's/ tests="9"/ tests="nine"/'
    refused 's/ errors="1"//'
    refused 's/ classname="[^"]*"//'
    refused 's/ time="[0-9.]*" skipped/ time="1e-05" skipped/'
    refused 's/<system-out>/<skipped>/'
    refused 's/is 5/is \x01/'
    refused 's/is 5/is < 5/'
fi
echo ok
