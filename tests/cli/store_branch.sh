#!/usr/bin/env bash
# ci/store against a bare git repository: a new branch, several pushers at once, runs that
# are there already, and what is refused. The stores are made by hand: what is in a run does not matter here.
# Covers: ci/store
. "$(dirname "$0")/lib.sh"
export GIT_CONFIG_GLOBAL=/dev/null HOME=$scratch
git init -q --bare bare.git

put() { # STORE NAME TEXT: a run in a store
    mkdir -p "$1/$2"
    echo "$3" >"$1/$2/plan.json"
}
pull() { # STATUS STORE OPTION...
    local want=$1
    shift
    expect "$want" "$SOURCE/ci/store" pull bare.git "$@"
}
push() {
    local want=$1
    shift
    expect "$want" "$SOURCE/ci/store" push "$1" bare.git "${@:2}"
}
on_branch() { # PATH: its text on the branch
    git -C bare.git show "gemmgate-store:$1"
}

# Before anything is pushed there is no branch, and no store.
pull 0 none
says 'there is no branch gemmgate-store yet'
[ ! -e none ] || fail 'a store was made of nothing'

# Ten pushers at once, the first two of a branch that is not there yet.
for i in 0 1 2 3 4 5 6 7 8 9; do
    put "store$i" "run$i" "text of $i"
done
pids=()
for i in 0 1 2 3 4 5 6 7 8 9; do
    "$SOURCE/ci/store" push "store$i" bare.git >"said$i" 2>&1 &
    pids+=($!)
done
for i in 0 1 2 3 4 5 6 7 8 9; do
    wait "${pids[$i]}" || { cat "said$i" >&2; fail "pusher $i failed"; }
    grep -qx "pushed to gemmgate-store: run$i" "said$i" || { cat "said$i" >&2; fail "pusher $i does not say what it pushed"; }
done
for i in 0 1 2 3 4 5 6 7 8 9; do
    [ "$(on_branch "run$i/plan.json")" = "text of $i" ] || fail "run $i is lost"
done
[ "$(git -C bare.git rev-list --count gemmgate-store)" = 10 ] || fail 'not a commit each'

# What is there already is no commit; what others have pushed stays.
push 0 store3
grep -qx 'gemmgate-store has all runs of store3' out || fail 'it is not told that all is there'
pull 0 all
[ "$(find all -name plan.json | wc -l)" = 10 ] && [ ! -e all/.git ] || fail 'what is pulled is not what was pushed'
put all new 'of a night'
push 0 all
[ "$(git -C bare.git rev-list --count gemmgate-store)" = 11 ] && [ "$(on_branch new/plan.json)" = 'of a night' ] ||
    fail 'the new run is not there'

# Another run of a name is refused, and changes nothing.
put other run0 'another text'
push 2 other
says 'gemmgate-store has another run0: promote the run by another --name'
[ "$(on_branch run0/plan.json)" = 'text of 0' ] || fail 'a run was written over'

# Another branch; a repository that is none; one that takes nothing; a folder that is no store.
push 0 store1 --branch mine
[ "$(git -C bare.git rev-list --count mine)" = 1 ] || fail 'the other branch has not the one run'
expect 2 "$SOURCE/ci/store" push store1 nowhere.git
says 'cannot be read'
expect 2 "$SOURCE/ci/store" pull nowhere.git x
says 'cannot be read'
expect 2 "$SOURCE/ci/store" push store1 https://me:secret@localhost:1/x.git
! grep -q secret err || fail 'a password is told'
printf '#!/bin/sh\necho >>"%s/tried"\necho "this branch is protected" >&2\nexit 1\n' "$scratch" >bare.git/hooks/pre-receive
chmod +x bare.git/hooks/pre-receive
put late late text
push 2 late
says 'this branch is protected'
[ "$(wc -l <tried)" = 1 ] || fail 'what is refused for good is tried again'
push 2 set
says 'set is no store'
pull 2 all
says 'all is there already'
expect 0 "$SOURCE/ci/store" --help
for words in '' pull 'push a' 'pull a b --fast' 'push a b --branch' 'keep a b'; do
    # shellcheck disable=SC2086 # words
    expect 2 "$SOURCE/ci/store" $words
    says 'see --help'
done
echo ok
