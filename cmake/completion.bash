# Completes gemmgate's command lines in bash, by what the program says of its commands and options. For zsh:
#     autoload -U bashcompinit && bashcompinit && . THIS_FILE
_gemmgate() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local commands command=${COMP_WORDS[1]} at=1 options type value words=
    commands=$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z0-9-]*\( [a-z][a-z0-9-]*\)\{0,1\}\)  .*/\1/p')
    if grep -q "^$command " <<<"$commands"; then
        command+=" ${COMP_WORDS[2]}" at=2
    fi
    if [ "$COMP_CWORD" = 1 ]; then
        words="$(cut -d' ' -f1 <<<"$commands") --help --version"
    elif [ "$COMP_CWORD" = "$at" ]; then
        words=$(sed -n "s/^${COMP_WORDS[1]} //p" <<<"$commands")
    else
        # shellcheck disable=SC2086 # a command may be two words
        options=$("$program" $command --options 2>/dev/null)
        IFS=$'\t' read -r type value < <(awk -F'\t' -v name="${before#--}" -v letter="${before#-}" \
            '$1 == name || ($2 && $2 == letter) { print $3 "\t" $4 }' <<<"$options") || type=
        case $before/$type in
        -*/word | -*/words) words=${value//[|,]/ } ;;
        -*/real | -*/whole | -*/natural) ;;
        *) [[ $word != -* || $type = text ]] || words="--help $(sed 's/\t.*//; s/^/--/' <<<"$options")" ;;
        esac
    fi
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}
complete -F _gemmgate gemmgate
