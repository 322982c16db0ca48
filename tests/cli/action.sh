#!/usr/bin/env bash
# The GitHub action and the templates against the schemas of their makers, and the action's own steps run as
# shell: a gate that passes or fails, its outputs, the page and the artifacts' paths. Whatever a pull request
# commits, these are of a run that the step has made, and it ends with 0 only where there is a verdict.
# Covers: action.yml ci/templates
. "$(dirname "$0")/lib.sh"
python=python3
python3 -c 'import yaml, jsonschema' 2>/dev/null || python=/usr/bin/python3

# steps FILE INPUT=VALUE...: writes step-N.sh for each step with `run`, with its variables, and `paths`, what the
# upload takes; expressions are those that the action uses.
cat >steps.py <<'END'
import os, re, shlex, sys, yaml

source, *given = sys.argv[1:]
action = yaml.safe_load(open(source + "/action.yml"))
inputs = {name: value.get("default", "") for name, value in action["inputs"].items()}
for word in given:
    name, value = word.split("=", 1)
    if name not in inputs:
        sys.exit("FAIL: the action has no input " + name)
    inputs[name] = value
job = os.environ.get("JOB")
known = {action["inputs"]["artifact"]["default"][4:-3]: f"gemmgate-verdict-{job}" if job else "gemmgate-verdict",
         "github.action_path": source, "steps.gate.outputs.run": "@RUN@"}

def evaluate(text):
    def one(match):
        name = match.group(1)
        return inputs[name[7:]] if name.startswith("inputs.") else known[name]
    return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", one, str(text))

inputs["artifact"] = evaluate(inputs["artifact"])
for number, step in enumerate(action["runs"]["steps"]):
    if "upload-artifact" in step.get("uses", ""):
        open("paths", "w").write(evaluate(step["with"]["path"]))
        open("name", "w").write(evaluate(step["with"]["name"]))
    if "run" not in step:
        continue
    if "${{" in step["run"]:
        sys.exit("FAIL: a step has an expression in its script, by which an input could be run")
    name = step["name"].split()[0].lower()
    with open(f"step-{name}.sh", "w") as out:
        for key, value in step["env"].items():
            word = shlex.quote(evaluate(value))
            told = """"$(sed -n 's/^run=//p' "$GITHUB_OUTPUT")\""""
            print(f"export {key}={told if word == '@RUN@' else word}", file=out)
        print(step["run"], file=out)
END

"$python" - "$SOURCE" <<'END'
import json, sys, yaml, jsonschema

source = sys.argv[1]

class Loader(yaml.SafeLoader):
    pass
# GitHub takes `on` for a word.
Loader.yaml_implicit_resolvers = {key: [(tag, pattern) for tag, pattern in list if tag != "tag:yaml.org,2002:bool"]
                                  for key, list in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", __import__("re").compile("^(?:true|false)$"), list("tf"))

def documents(path):
    return list(yaml.load_all(open(source + "/" + path), Loader))

def check(schema, document, path):
    schema = json.load(open(source + "/tests/schemas/" + schema))
    checker = jsonschema.validators.validator_for(schema)(schema)
    for wrong in checker.iter_errors(document):
        sys.exit(f"FAIL: {path}: {wrong.message} at {list(wrong.absolute_path)}")
    # It can refuse.
    if checker.is_valid({**document, "planted": 1, "runs": 1, "jobs": 1, "nightly": 1}):
        sys.exit(f"FAIL: {path}: anything is taken")

check("github-actions.json", documents("action.yml")[0], "action.yml")
workflow = documents("ci/templates/github-gate.yml")[0]
check("github-workflows.json", workflow, "github-gate.yml")
comment = documents("ci/templates/github-comment.yml")[0]
check("github-workflows.json", comment, "github-comment.yml")
if comment["on"]["workflow_run"]["workflows"] != [workflow["name"]]:
    sys.exit("FAIL: github-comment.yml waits for another workflow than github-gate.yml")
# It checks out gemmgate alone, and no word of an event is run.
for step in comment["jobs"]["comment"]["steps"]:
    if step.get("with", {}).get("repository", "OWNER/gemmgate") != "OWNER/gemmgate" or "${{" in str(step.get("with")) + str(step.get("run")):
        sys.exit("FAIL: github-comment.yml takes something of a pull request")
# The other one, whose file a pull request can change, may write in the nights alone.
for name, job in workflow["jobs"].items():
    if "write" in job["permissions"].values() and name != "nightly":
        sys.exit(f"FAIL: github-gate.yml: the job {name} may write")
header, jobs = documents("ci/templates/gitlab-gate.yml")
check("gitlab-ci.json", jobs, "gitlab-gate.yml")
# Inputs that are used are declared, and the other way round.
text = open(source + "/ci/templates/gitlab-gate.yml").read()
used = set(__import__("re").findall(r"\$\[\[ inputs\.([a-z]+) \]\]", text))
if used != set(header["spec"]["inputs"]):
    sys.exit(f"FAIL: gitlab-gate.yml: inputs {used ^ set(header['spec']['inputs'])}")
# What the workflow hands to the action is what the action takes.
action = documents("action.yml")[0]
given = next(step["with"] for step in workflow["jobs"]["gate"]["steps"] if step.get("uses", "").startswith("OWNER/gemmgate@"))
if not set(given) <= set(action["inputs"]):
    sys.exit(f"FAIL: github-gate.yml: the action has no {set(given) - set(action['inputs'])}")
if any(value.get("required") and name not in given for name, value in action["inputs"].items()):
    sys.exit("FAIL: github-gate.yml lacks an input")
END

mkdir -p kernels/old kernels/new
cp "$SOURCE"/candidates/examples/host/{blocked.c,half.h} kernels/old
cp kernels/old/* kernels/new
printf 'm,n,k\n32,32,32\n' >shapes.csv
printf '[gate]\nmargin = 50 %%\nalpha = 0.05\nscreening_visits = 2\nconfirm_visits = 5\n' >policy.ini

options='--warmup 0.02
--duration 0.1
'
steps() { # STATUS|any NEW: all steps, as GitHub runs them; leaves ./run
    local want=$1 got=0 step
    rm -rf step-* run temp
    mkdir temp
    "$python" steps.py "$SOURCE" candidates="$2" against="${against-kernels/old}" suite=shapes.csv policy=policy.ini device=host \
        "options=$options" program="$GEMMGATE" || fail 'the action cannot be read'
    : >output
    : >summary
    for step in gate make; do
        local status=0
        env HOME="$scratch" RUNNER_TEMP="$scratch/temp" GITHUB_ACTIONS=true GITHUB_OUTPUT="$scratch/output" GITHUB_STEP_SUMMARY="$scratch/summary" \
            bash -eo pipefail "step-$step.sh" >"said-$step" 2>&1 || status=$?
        [ $step = gate ] && got=$status
        [ $step = gate ] || [ $status = 0 ] || { cat "said-$step" >&2; fail "the step $step ended with $status"; }
    done
    [ "$want" = any ] || [ "$got" = "$want" ] || { cat said-gate >&2; fail "the gate ended with $got, not $want"; }
    ln -sfn "$(sed -n 's/^run=//p' output)" run
    [ "$(sed -n 's/^exit-status=//p' output | tail -n 1)" = "$got" ] || { cat output >&2; fail 'the status is no output'; }
}

steps any kernels/new
word=$(sed -n 's/^verdict=//p' output)
grep -q "\"verdict\": \"$word\"" run/gate/gate.json || fail "the verdict is told as '$word'"
cmp -s summary run/gate/summary.md || fail 'the summary is not shown'
[ -d .cache/gemmgate-action ] || fail 'compiled kernels are not where the cache is'
while read -r path; do
    [ -e "$path" ] || fail "$path is to be uploaded, and not there"
done < <(sed "s|@RUN@|$scratch/run|" paths)
[[ $(realpath run) = $scratch/temp/* ]] || fail 'the run is not outside of the checkout'
[ "$(cat name)" = gemmgate-verdict ] || fail "the artifact is called $(cat name)"
# All lines of the options count.
grep -q '"duration_seconds": 0.1' run/plan.json && grep -q '"warmup_seconds": 0.02' run/plan.json ||
    fail 'not all lines of the options were taken'

# A wrong kernel fails the step.
printf '#include "%s"\n' "$SOURCE/tests/adversarial/both/wrong-element.c" >kernels/new/blocked.c
steps 6 kernels/new
grep -qx 'verdict=wrong' output || fail 'the verdict is not told'
# Several GPUs of a matrix have an artifact each.
JOB=1 steps 6 kernels/new
[ "$(cat name)" = gemmgate-verdict-1 ] || fail 'the jobs of a matrix overwrite what the others wrote'

# The first kernels of a project, by the documented option.
against=nowhere steps 2 kernels/old
says_gate() { grep -qF -- "$1" said-gate || { cat said-gate >&2; fail "the log lacks: $1"; }; }
says_gate 'where there is no earlier kernel yet, --absolute lets the checks alone decide'
against=nowhere options="$options --absolute" steps any kernels/old
says_gate 'the checks alone decide (--absolute)'
grep -qx 'exit-status=[05]' output || { cat said-gate >&2; fail 'the first pull request cannot pass'; }

# Nothing to judge, where a pull request has committed a run that passed, by a name that it had before or as a link:
# it is told as such. An input is never run.
against=kernels/old options="$options --absolute" steps any kernels/old
cp -rL run run-gate
mkdir -p run-gate/gate run-gate/report
printf '{\n "verdict": "pass",\n "exit_status": 0\n}\n' >run-gate/gate/gate.json
printf '## gemmgate: pass\n' | tee run-gate/gate/summary.md >run-gate/summary.md
steps 2 'nowhere; touch planted $(touch planted)'
unjudged() {
    grep -qx 'verdict=' output && ! grep '^verdict=[a-z]' output || { cat output >&2; fail 'a verdict without a gate'; }
    [ ! -e run/report ] && [ ! -e run/gate ] || fail 'there is a page or a verdict of what was not judged'
    grep -q 'judged nothing' summary || { cat summary >&2; fail 'the summary has a verdict'; }
}
unjudged
[ ! -e planted ] || fail 'an input was run'
# Options that ask for something else than a gate do not pass.
for words in -h --version; do
    options=$words steps 2 kernels/old
    unjudged
done
options="$options --shard 1/2 --seed 3" steps 2 kernels/old
says_gate 'nothing was judged'
grep -qx 'verdict=' output || fail 'a part has a verdict'
echo ok
