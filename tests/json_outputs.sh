#!/usr/bin/env bash
# What commands print with --json against ci/output.schema.json, which must also refuse what is edited.
#     tests/json_outputs.sh PROGRAM SOURCE MADE_RUN
# It needs python3-jsonschema: ci/install --tests.
set -euo pipefail
program=$1 source=$2 made_run=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export GEMMGATE_CACHE=$scratch/cache OPENBLAS_NUM_THREADS=1
fail() {
    echo "FAIL: $*" >&2
    exit 1
}

fast=(--device host --warmup 0.02 --duration 0.2)
mkdir old new
cp "$source"/candidates/examples/host/{blocked.c,half.h} old
cp old/* new
echo 'no C' >new/48x48x48.c # which is refused
printf '[gate]\nmargin = 50 %%\nalpha = 0.05\nscreening_visits = 2\nconfirm_visits = 5\n' >policy.ini
for run in 1 2; do
    "$program" run "${fast[@]}" --shapes 32x32x32,48x48x48 --candidates new --against old --seed 1 -o RUN$run >log 2>&1 ||
        { cat log >&2; fail 'nothing was measured'; }
    # What a busy machine measures may have controls that failed, and a store takes no such run.
    "$made_run" MADE$run $run 4 &&
        "$program" baseline promote MADE$run --store STORE --name run$run --force test >log 2>&1 || { cat log >&2; fail 'nothing was promoted'; }
done
rm new/48x48x48.c

mkdir json
# prints NAME[.MORE] WORD...: what the command prints goes to json/NAME; it ends with 0, or a gate with a verdict.
prints() {
    local name=$1 status=0
    shift
    "$program" "$@" --json >"json/$name" 2>err || status=$?
    [ $status = 0 ] || { [[ $name = gate* ]] && [[ $status = [135] ]]; } || { cat err >&2; fail "$* ended with $status"; }
}
prints devices devices
prints list-baselines list baselines
prints list-suites list suites
prints list-candidates list candidates old
mkdir -p release/kernels/b200_F32F16F16F32
echo 'void cuda_l2_b200_fp32(int a) {}' >release/kernels/b200_F32F16F16F32/64_64_64.cu
prints list-candidates.release list candidates cuda-l2:release
prints list-columns list columns
prints check check --device host --shapes 32x32x32 --candidates new -o CHECK
prints compare compare RUN1
prints compare.two compare RUN1 RUN2
prints agree agree RUN1 RUN2
prints verify verify RUN1
prints baseline-list baseline list --store STORE
prints history history --store STORE
prints gate gate "${fast[@]}" --shapes 32x32x32 --candidates new --against old --policy policy.ini -o GATE
cmp -s json/gate GATE/gate/gate.json || fail 'gate prints something else than gate.json'
prints gate.unchanged gate "${fast[@]}" --shapes 32x32x32 --candidates new --changed old --policy policy.ini -o NONE

# Every option --json is of a command that was called.
for command in devices 'list baselines' 'list suites' 'list candidates' 'list columns' check compare agree verify 'baseline list' \
    history gate run report build merge; do
    # shellcheck disable=SC2086 # words
    if "$program" $command --help | grep -- '^  --json' >/dev/null; then
        [ -e "json/${command/ /-}" ] || fail "the JSON of $command is not looked at"
    fi
done

python=python3
python3 -c 'import jsonschema' 2>/dev/null || python=/usr/bin/python3
"$python" - "$source/ci" json <<'END'
import copy, json, os, sys, jsonschema

def refuse(word):
    raise ValueError(word + " is not JSON")

def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_constant=refuse)

schemas, folder = sys.argv[1:]
output, gate = read(schemas + "/output.schema.json"), read(schemas + "/gate.schema.json")
jsonschema.Draft202012Validator.check_schema(output)

def checker(name):
    schema = gate if name == "gate" else {"$ref": "#/$defs/" + name, "$defs": output["$defs"]}
    beside = jsonschema.RefResolver("file:///output.schema.json", schema, {"file:///gate.schema.json": gate})
    return jsonschema.Draft202012Validator(schema, resolver=beside)

def arrays(value):
    """All arrays of objects."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from arrays(part)

seen = set()
for file in sorted(os.listdir(folder)):
    name = file.split(".")[0]
    seen.add(name)
    document, check = read(os.path.join(folder, file)), checker(name)
    for wrong in check.iter_errors(document):
        sys.exit(f"FAIL: {file}: {wrong.message} at {list(wrong.absolute_path)}")
    # A row that lacks a member, has another, or one of another kind is refused.
    for index, rows in enumerate(arrays(document)):
        for member in rows[0]:
            for plant in (lambda row: row.pop(member), lambda row: row.update({member: [1]}),
                          lambda row: row.update({"planted": 1})):
                edited = copy.deepcopy(document)
                plant(list(arrays(edited))[index][0])
                if check.is_valid(edited):
                    sys.exit(f"FAIL: {file}: {member} of a row was edited, and is taken")
shared = {"count", "text", "text_or_null", "number_or_null", "positive_or_null", "page", "row"}
unseen = set(output["$defs"]) - seen - shared
if unseen:
    sys.exit(f"FAIL: nothing is printed for {unseen}")
END
echo ok
