#!/usr/bin/env bash
# The GitHub action and the templates against the schemas of their makers, and the action's own steps run as
# shell: a gate that passes or fails, its outputs, the page, the artifacts' paths and the comment.
# Covers: action.yml ci/templates
. "$(dirname "$0")/lib.sh"
python=python3
python3 -c 'import yaml, jsonschema' 2>/dev/null || python=/usr/bin/python3

# steps FILE INPUT=VALUE...: writes step-N.sh for each step with `run`, with its variables, and `paths`, what the
# upload takes; expressions are those that the action uses.
cat >steps.py <<'END'
import json, re, shlex, sys, yaml

source, *given = sys.argv[1:]
action = yaml.safe_load(open(source + "/action.yml"))
inputs = {name: value.get("default", "") for name, value in action["inputs"].items()}
for word in given:
    name, value = word.split("=", 1)
    if name not in inputs:
        sys.exit("FAIL: the action has no input " + name)
    inputs[name] = value
known = {"github.action_path": source, "github.token": "token", "github.event.pull_request.number": "7",
         "github.server_url": "https://github.test", "github.repository": "me/kernels", "github.run_id": "11"}

def evaluate(text):
    def one(match):
        name = match.group(1)
        return inputs[name[7:]] if name.startswith("inputs.") else known[name]
    return re.sub(r"\$\{\{\s*([a-z_.-]+)\s*\}\}", one, str(text))

inputs["token"] = evaluate(inputs["token"])
for number, step in enumerate(action["runs"]["steps"]):
    if "upload-artifact" in step.get("uses", ""):
        open("paths", "w").write(evaluate(step["with"]["path"]))
    if "run" not in step:
        continue
    if "${{" in step["run"]:
        sys.exit("FAIL: a step has an expression in its script, by which an input could be run")
    name = step["name"].split()[0].lower()
    with open(f"step-{name}.sh", "w") as out:
        for key, value in step["env"].items():
            print(f"export {key}={shlex.quote(evaluate(value))}", file=out)
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
check("github-workflows.json", documents("ci/templates/github-shards.yml")[0], "github-shards.yml")
check("gitlab-ci.json", documents("ci/templates/gitlab-shards.yml")[0], "gitlab-shards.yml")
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

# A gh that keeps the comments in a folder.
mkdir -p tools comments kernels/old kernels/new
cat >tools/gh <<'END'
#!/bin/bash
words=$*
echo "$words" >>"$COMMENTS/calls"
[ "$GH_TOKEN" = token ] || exit 1
case $words in
*--paginate*) find "$COMMENTS" -name 5 -printf '%f\n' ;;
*'-X PATCH'*issues/comments/5*) cp "${words##*body=@}" "$COMMENTS/5" ;;
*issues/7/comments*) cp "${words##*body=@}" "$COMMENTS/5" ;;
*) exit 1 ;;
esac
END
chmod +x tools/gh
cp "$SOURCE"/candidates/examples/host/{simd.c,half.h} kernels/old
cp kernels/old/* kernels/new
printf 'm,n,k\n32,32,32\n' >shapes.csv
printf '[gate]\nmargin = 50 %%\nalpha = 0.05\nscreening_rounds = 2\nconfirm_rounds = 5\n' >policy.ini

steps() { # STATUS|any RUN NEW: all steps, as GitHub runs them
    local want=$1 got=0 step
    rm -f step-*
    "$python" steps.py "$SOURCE" candidates="$3" against=kernels/old suite=shapes.csv policy=policy.ini device=host \
        "options=--warmup 0.02 --duration 0.1" run="$2" program="$GEMMGATE" comment=true || fail 'the action cannot be read'
    : >output
    : >summary
    for step in gate make write; do
        local status=0
        env HOME="$scratch" COMMENTS="$scratch/comments" PATH="$scratch/tools:$PATH" GITHUB_ACTIONS=true \
            GITHUB_REPOSITORY=me/kernels GITHUB_OUTPUT="$scratch/output" GITHUB_STEP_SUMMARY="$scratch/summary" \
            bash -eo pipefail "step-$step.sh" >"said-$step" 2>&1 || status=$?
        [ $step = gate ] && got=$status
        [ $step = gate ] || [ $status = 0 ] || { cat "said-$step" >&2; fail "the step $step ended with $status"; }
    done
    [ "$want" = any ] || [ "$got" = "$want" ] || { cat said-gate >&2; fail "the gate ended with $got, not $want"; }
    grep -qx "exit-status=$got" output || { cat output >&2; fail 'the status is no output'; }
}

steps any first kernels/new
word=$(sed -n 's/^verdict=//p' output)
grep -q "\"verdict\": \"$word\"" first/gate/gate.json || fail "the verdict is told as '$word'"
cmp -s summary first/gate/summary.md || fail 'the summary is not shown'
[ -d .cache/gemmgate-action ] || fail 'compiled kernels are not where the cache is'
while read -r path; do
    [ -e "$path" ] || fail "$path is to be uploaded, and not there"
done <paths
grep -q '^<!-- gemmgate -->$' comments/5 && grep -qF 'https://github.test/me/kernels/actions/runs/11' comments/5 ||
    fail 'there is no comment'

# A wrong kernel fails the step, and the comment is updated.
sed "s|\"slow.h\"|\"$SOURCE/tests/adversarial/host/slow.h\"|" "$SOURCE/tests/adversarial/host/wrong-element.c" >kernels/new/simd.c
steps 6 second kernels/new
grep -qx 'verdict=wrong' output || fail 'the verdict is not told'
grep -q '^## gemmgate: wrong$' comments/5 && [ ! -e comments/6 ] || fail 'the comment is not updated'
grep -q 'PATCH' comments/calls || fail 'there are two comments'

# Nothing to judge: told as such; and an input is never run.
steps 2 third 'nowhere; touch planted $(touch planted)'
grep -qx 'verdict=' output || fail 'a verdict without a gate'
grep -q 'nothing was judged' comments/5 || fail 'the comment keeps an earlier verdict'
[ ! -e planted ] || fail 'an input was run'
echo ok
