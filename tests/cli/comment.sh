#!/usr/bin/env bash
# The comment on a pull request, which ci/comment makes of an artifact that anyone may have written: it is written on the
# pull request that GitHub names, says whose run speaks, and nothing of an artifact is obeyed, unpacked or believed.
# GitHub is a stand-in.
. "$(dirname "$0")/lib.sh"

# A gh that answers from the folder github: pulls.json, artifacts.json, ID.zip, and the comments of the pull request 7 in
# N, with N.author who wrote it. A token's comments are its own; the token `reader` may only read.
mkdir -p tools github
cat >tools/gh <<'EOF'
#!/bin/bash
words=$*
echo "$words" >>"$GITHUB/calls"
fail() { echo "gh: $*" >&2 && exit 1; }
[ "$1" = api ] || fail "$1?"
filter=${words##*--jq }
write() { # FILE
    [ "$GH_TOKEN" != reader ] || fail 'Resource not accessible by integration (HTTP 403)'
    cp "${words##*body=@}" "$1" && echo "$GH_TOKEN" >"$1.author"
}
comments() { find "$GITHUB" -name '[0-9]' | sort; }
case "$words" in
'api graphql '*'owner=me '*'name=kernels '*'number=7 '*viewerDidAuthor*)
    for file in $(comments); do
        jq -n --rawfile body "$file" --arg id "${file##*/}" --argjson mine "$([ "$(cat "$file.author")" = "$GH_TOKEN" ] && echo true || echo false)" \
            '{data: {repository: {pullRequest: {comments: {nodes: [{databaseId: $id, viewerDidAuthor: $mine, body: $body}]}}}}}' | jq -r "$filter" || exit 1
    done
    ;;
*' repos/me/kernels/pulls?state=open&per_page=100 '*) jq -r "$filter" "$GITHUB/pulls.json" ;;
*' repos/me/kernels/actions/runs/11/artifacts?per_page=100 '*) jq -r "$filter" "$GITHUB/artifacts.json" ;;
*' repos/me/kernels/actions/artifacts/'*/zip) cat "$GITHUB/$(basename "${words%/zip}").zip" ;;
*'-X PATCH repos/me/kernels/issues/comments/'*) id=${words##*comments/} && write "$GITHUB/${id%% *}" ;;
*' repos/me/kernels/issues/7/comments '*) write "$GITHUB/$(comments | wc -l)" ;;
*) fail "unknown: $words" ;;
esac
EOF
chmod +x tools/gh
sha=0123456789012345678901234567890123456789
# Two repositories have this commit, and mallory's pull request is the older one.
pull() { echo "{\"number\": $1, \"head\": {\"sha\": \"$2\", \"repo\": $3}}"; }
echo "[$(pull 6 $sha '{"id": 66}'), $(pull 7 $sha '{"id": 77}'), $(pull 8 ${sha/0/f} '{"id": 77}'), $(pull 9 $sha null)]" >github/pulls.json

# archive ID NAME=TEXT...: an artifact. @FILE in the place of the text takes that; ->PATH makes a symbolic link.
archive() {
    python3 - "$@" <<'EOF'
import sys, zipfile
with zipfile.ZipFile(f"github/{sys.argv[1]}.zip", "w", zipfile.ZIP_DEFLATED) as out:
    for word in sys.argv[2:]:
        name, text = word.split("=", 1)
        entry = zipfile.ZipInfo(name)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o120777 if text.startswith("->") else 0o100644) << 16
        out.writestr(entry, open(text[1:], "rb").read() if text.startswith("@") else text.removeprefix("->"))
EOF
}
json() { printf '{\n "format": 7,\n "verdict": "%s",\n "exit_status": 0\n}\n' "$1"; }

# comments STATUS END ARTIFACT...: calls ci/comment after a run that ended so. ARTIFACT is NAME:ID[:BYTES[:MADE]].
comments() {
    local want=$1 end=$2 word list='' name id bytes made
    shift 2
    for word; do
        IFS=: read -r name id bytes made <<<"$word"
        list+="${list:+,}{\"name\": \"$name\", \"id\": $id, \"size_in_bytes\": ${bytes:-1000}, \"created_at\": \"2026-11-27T${made:-12}:00:00Z\"}"
    done
    echo "{\"artifacts\": [$list]}" >github/artifacts.json
    echo "{\"workflow_run\": {\"id\": 11, \"head_sha\": \"$sha\", \"head_repository\": ${repository-{\"id\": 77\}}, \"pull_requests\": [],
        \"run_started_at\": \"2026-11-27T11:00:00Z\", \"conclusion\": \"$end\", \"html_url\": \"https://github.test/me/kernels/actions/runs/11\"}}" >event.json
    rm -f github/calls
    expect "$want" env PATH="$scratch/tools:$PATH" GITHUB="$scratch/github" GITHUB_REPOSITORY=me/kernels GITHUB_EVENT_PATH="$scratch/event.json" \
        GH_TOKEN="${token-bot}" "$SOURCE/ci/comment"
}
anew() { rm -f github/[0-9] github/[0-9].author; }
written() { [ "$(find github -name '[0-9]' | wc -l)" = "$1" ] || { ls github >&2; fail "not $1 comments"; }; }
body=github/0
has() { grep -qxF -- "$1" $body || { cat $body >&2; fail "the comment lacks: $1"; }; }
lacks() { ! grep -F -- "$1" $body >&2 || fail "the comment has: $1"; }
# Every line of the comment that has the word is code, behind a line that is blank or code.
is_code() {
    awk -v word="$1" 'index($0, word) { seen = 1; if (!/^    / || (before != "" && before !~ /^    /)) wrong = 1 }
        { before = $0 } END { exit wrong || !seen }' $body || { cat $body >&2; fail "$1 is no code, or not there"; }
}

# What a gate writes.
archive 1 "gate/gate.json=$(json pass)" 'gate/summary.md=<!-- gemmgate -->
## gemmgate: pass

**pass** (exit status 0): 1 same of 1 row, 3 µs

<details><summary>Statistics' report/report.html=page
comments 0 success gemmgate-verdict:1
written 1
[ "$(sed -n 1p $body)" = '<!-- gemmgate -->' ] || fail 'the comment will not be found again'
has '## gemmgate: the gate of 0123456789'
has '[The run](https://github.test/me/kernels/actions/runs/11) ended with `success`. It was made by the workflow file of this pull request, which its author may have changed. Believe it only if the pull request changes nothing under `.github/`, and nothing else that the workflow runs.'
has '### `gemmgate-verdict`: it says `pass`'
has '    **pass** (exit status 0): 1 same of 1 row, 3 us'
lacks details

# It is updated: that of this token, not one that others have made like it.
mv github/0 github/1 && mv github/0.author github/1.author
echo '<!-- gemmgate -->' >github/0
echo somebody >github/0.author
archive 1 "gate.json=$(json wrong)" 'summary.md=## gemmgate: wrong'
comments 0 failure gemmgate-verdict:1
body=github/1
written 2
has '### `gemmgate-verdict`: it says `wrong`'
lacks 'The run ended otherwise'
token=app comments 0 failure gemmgate-verdict:1
written 3
token=reader comments 1 failure gemmgate-verdict:1
says 'HTTP 403'
written 3

# A text that calls people, closes issues, makes markup and looks like a comment of ours.
anew
body=github/0
printf '%s\n' '```' '~~~' 'planted @me/team, closes #1, fixes me/kernels#2' '</code></pre></details>' 'planted <img src="https://planted">' '- planted' '' \
    '### `gemmgate-verdict`: it says `pass`, planted' $'\rplanted after a return' $'\tplanted after a tab' $'planted \xe2\x80\xaetext that is turned, and \xff\x1b[2J' '[planted]: /url' \
    'planted `````` `' >hostile
archive 1 "gate/gate.json=$(json 'pass", "planted')" gate/summary.md=@hostile
comments 0 success gemmgate-verdict:1
is_code planted
is_code '```'
has '### `gemmgate-verdict`: it has no verdict'
! LC_ALL=C grep -P '[^ -~]' $body | cat -v >&2 || fail 'the comment has more than ASCII'
grep -q 'planted ???text' $body || fail 'a character that turns a text is left'

# A number of its own, another's pull request, verdicts that contradict the run or each other.
archive 1 "gate/gate.json=$(json pass)" gate/summary.md=planted NR=6 number=6
comments 0 failure gemmgate-verdict:1
! grep -E '/6/|=6 ' github/calls >&2 || fail 'the artifact chose the pull request'
has 'The run ended otherwise, with `failure`. Read its log.'
archive 1 "gate/gate.json=$(json regression)"
comments 0 success gemmgate-verdict:1
has 'The run ended otherwise, with `success`. Read its log.'
has 'It has no summary.'
archive 1 "gate/gate.json=$(json pass)" "gate.json=$(json wrong)"
comments 0 success gemmgate-verdict:1
has '### `gemmgate-verdict`: it has no verdict'
written 1

# Links and names that lead elsewhere: nothing is unpacked.
echo 'the secret of the machine' >secret
archive 1 "gate/summary.md=->$scratch/secret" "../escaped=planted" "$scratch/escaped=planted" "gate/gate.json=->$scratch/secret"
comments 0 failure gemmgate-verdict:1
lacks 'the secret'
has '### `gemmgate-verdict`: it has no verdict'
[ -z "$(find . "$scratch/.." -maxdepth 1 -name escaped)" ] || fail 'an entry was unpacked'

# Too large, as an archive or once it is unpacked; no archive.
comments 0 failure "gemmgate-verdict:1:$((65 << 20))"
has '### `gemmgate-verdict`: not read'
has 'It has more than 64 MiB.'
! grep '/zip' github/calls >&2 || fail 'it is fetched all the same'
{ head -c 100M /dev/zero | tr '\0' '\n' && json pass; } >large
archive 1 gate/summary.md=@large gate/gate.json=@large
rm large
comments 0 failure gemmgate-verdict:{1,1,1,1,1,1,1,1,1}
has '### `gemmgate-verdict`: it has no verdict'
has 'The rest is cut.'
has 'Verdicts beyond the first 8 are not shown.'
[ "$(stat -c %s $body)" -lt 65536 ] || fail 'GitHub refuses a comment of this length'
echo 'no archive' >github/1.zip
comments 0 failure gemmgate-verdict:1
has 'It has no summary.'

# Only artifacts of the gate, and of this attempt of the run; each GPU's.
archive 1 "gate/gate.json=$(json pass)" gate/summary.md=one
archive 2 "gate/gate.json=$(json inconclusive)" gate/summary.md=two
comments 0 failure other:1 'gemmgate-verdict-`planted`:1' gemmgate-verdict-0:1::10 gemmgate-verdict-2:2
has '### `gemmgate-verdict-2`: it says `inconclusive`'
is_code two
lacks one
lacks planted
# Where a gate was skipped, or judged nothing, the comment of an earlier commit does not stay.
comments 0 success
has '### Nothing was judged'
anew
comments 0 success
written 0
comments 0 failure
has '### Nothing was judged'

# No pull request, or more than one.
anew
repository='{"id": 78}' comments 0 success gemmgate-verdict:1
told "No open pull request ends with $sha: there is nothing to comment on"
repository=null comments 0 success gemmgate-verdict:1
told 'there is nothing to comment on'
echo "[$(pull 7 $sha '{"id": 77}'), $(pull 8 $sha '{"id": 77}')]" >github/pulls.json
comments 0 success gemmgate-verdict:1
told "::warning title=gemmgate::Pull requests 7, 8 end with $sha: nobody knows whose gate this was"
written 0
echo ok
