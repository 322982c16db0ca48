#!/usr/bin/env bash
# The GitHub action and the templates against the schemas of their makers, and the action's own steps run as
# shell: a gate that passes or fails, its outputs, the page, the artifacts' paths and the comment. Whatever a pull
# request commits, these are of a run that the step has made, and it ends with 0 only where there is a verdict.
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
         "github.action_path": source, "github.token": "token", "github.event.pull_request.number": "7",
         "github.server_url": "https://github.test", "github.repository": "me/kernels", "github.run_id": "11",
         "steps.gate.outputs.run": "@RUN@"}

def evaluate(text):
    def one(match):
        name = match.group(1)
        return inputs[name[7:]] if name.startswith("inputs.") else known[name]
    return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", one, str(text))

for name in "token", "artifact":
    inputs[name] = evaluate(inputs[name])
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

# A gh that keeps the comments of the pull request 7 in a folder: N has the body, N.author who wrote it. A token's
# comments are its own; the token of a fork may only read.
mkdir -p tools comments kernels/old kernels/new
cat >tools/gh <<'END'
#!/bin/bash
words=$*
echo "$words" >>"$COMMENTS/calls"
fail() { echo "gh: $*" >&2 && exit 1; }
[ -n "$GH_TOKEN" ] || fail 'To use GitHub CLI in a GitHub Actions workflow, set the GH_TOKEN environment variable.'
[ "$1" = api ] || fail "$1?"
case $words in
*body=@*) body=$(cat "${words##*body=@}") ;;
esac
write() { # FILE
    [ "$GH_TOKEN" != fork ] || fail 'Resource not accessible by integration (HTTP 403)'
    echo "$body" >"$1" && echo "$GH_TOKEN" >"$1.author"
}
case "$2 $words" in
'graphql '*'owner=me '*'name=kernels '*'number=7 '*viewerDidAuthor*)
    filter=${words##*--jq }
    for file in $(find "$COMMENTS" -name '[0-9]' | sort); do
        jq -n --rawfile body "$file" --arg id "${file##*/}" --argjson mine "$([ "$(cat "$file.author")" = "$GH_TOKEN" ] && echo true || echo false)" \
            '{data: {repository: {pullRequest: {comments: {nodes: [{databaseId: $id, viewerDidAuthor: $mine, body: $body}]}}}}}' | jq -r "$filter" || exit 1
    done
    ;;
*'-X PATCH repos/me/kernels/issues/comments/'*)
    id=${words##*comments/} && id=${id%% *}
    [ -e "$COMMENTS/$id" ] || fail 'Not Found (HTTP 404)'
    write "$COMMENTS/$id"
    ;;
*' repos/me/kernels/issues/7/comments '*) write "$COMMENTS/$(find "$COMMENTS" -name '[0-9]' | wc -l)" ;;
*) fail "unknown: $words" ;;
esac
END
chmod +x tools/gh
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
        "options=$options" program="$GEMMGATE" comment=true token="${token-bot}" || fail 'the action cannot be read'
    : >output
    : >summary
    for step in gate make write; do
        local status=0
        env HOME="$scratch" COMMENTS="$scratch/comments" RUNNER_TEMP="$scratch/temp" PATH="$scratch/tools:$PATH" GITHUB_ACTIONS=true \
            GITHUB_REPOSITORY=me/kernels GITHUB_OUTPUT="$scratch/output" GITHUB_STEP_SUMMARY="$scratch/summary" \
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
comments() { find comments -name '[0-9]' | wc -l; }
grep -q '^<!-- gemmgate gemmgate-verdict -->$' comments/0 && grep -qF 'https://github.test/me/kernels/actions/runs/11' comments/0 ||
    fail 'there is no comment'
[ "$(cat name)" = gemmgate-verdict ] || fail "the artifact is called $(cat name)"
# All lines of the options count.
grep -q '"duration_seconds": 0.1' run/plan.json && grep -q '"warmup_seconds": 0.02' run/plan.json ||
    fail 'not all lines of the options were taken'

# A wrong kernel fails the step, and the comment is updated: that of this token, not one that others have made like it.
mv comments/0 comments/1
mv comments/0.author comments/1.author
echo '<!-- gemmgate gemmgate-verdict -->' >comments/0
echo somebody >comments/0.author
printf '#include "%s"\n' "$SOURCE/tests/adversarial/both/wrong-element.c" >kernels/new/blocked.c
steps 6 kernels/new
grep -qx 'verdict=wrong' output || fail 'the verdict is not told'
grep -q '^## gemmgate: wrong$' comments/1 && [ "$(comments)" = 2 ] || fail 'the comment is not updated'
grep -q 'PATCH' comments/calls || fail 'there are two comments'
# Another token has a comment of its own, and then updates that.
token=app steps 6 kernels/new
token=app steps 6 kernels/new
[ "$(comments)" = 3 ] && [ "$(cat comments/2.author)" = app ] || { ls comments >&2; fail 'another token writes another comment each time'; }
# Several GPUs of a matrix have a comment and an artifact each.
JOB=1 steps 6 kernels/new
[ "$(cat name)" = gemmgate-verdict-1 ] && [ "$(comments)" = 4 ] && grep -q '^<!-- gemmgate gemmgate-verdict-1 -->$' comments/3 ||
    { ls comments >&2; fail 'the jobs of a matrix overwrite what the others wrote'; }

# A pull request of a fork has a token that may only read: the gate's status stands.
token=fork steps 6 kernels/new
grep -q '^::warning title=gemmgate::The comment could not be written' said-write && grep -q 'HTTP 403' said-write ||
    { cat said-write >&2; fail 'a comment that cannot be written is not told'; }
[ "$(comments)" = 4 ] || fail 'the fork has written a comment'

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
    grep -q 'nothing was judged' comments/1 || { cat comments/1 >&2; fail 'the comment keeps a verdict that is not of this step'; }
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
