#include "bench/command/options/option_help.h"

#include <string.h>

#include "bench/base/error.h"
#include "bench/command/options/command_table.h"
#include "bench/command/options/option_table.h"

static bool is_first(int id) {
    const size_t length = strcspn(command_table[id].name, " ");
    for (int i = 0; i < id; i++)
        if (strcspn(command_table[i].name, " ") == length &&
            strncmp(command_table[i].name, command_table[id].name, length) == 0)
            return false;
    return true;
}

/* First words that several commands share, with `between` between them. */
static void put_families(FILE *out, const char *between) {
    bool any = false;
    for (int id = 0; id < COMMAND_COUNT; id++) {
        const char *name = command_table[id].name;
        if (!strchr(name, ' ') || !is_first(id))
            continue;
        fprintf(out, "%s%.*s", any ? between : "", (int)strcspn(name, " "), name);
        any = true;
    }
}

/* What can follow the command's words: its second words, or the first words of all (NULL). */
static void put_nexts(FILE *out, const char *family) {
    bool any = false;
    for (int id = 0; id < COMMAND_COUNT; id++) {
        const char *name = command_table[id].name, *second = strchr(name, ' ');
        const size_t length = strcspn(name, " ");
        if (family ? !second || strlen(family) != length || strncmp(family, name, length) != 0
                   : !is_first(id))
            continue;
        fprintf(out, "%s%.*s", any ? " " : "", family ? 64 : (int)length,
                family ? second + 1 : name);
        any = true;
    }
}

static bool is_file(const struct option_row *row) {
    return row->type == OPTION_TEXT && strcmp(row->name, "shapes") != 0 &&
           strcmp(row->name, "shape") != 0;
}

/* 'run --mode' | 'check --mode', or with -o. */
static void put_patterns(FILE *out, const struct option_row *row) {
    bool any = false;
    for (int id = 0; id < COMMAND_COUNT; id++) {
        if (!option_is_of(row, (enum command_id)id))
            continue;
        fprintf(out, "%s'%s --%s'", any ? " | " : "", command_table[id].name, row->name);
        if (row->letter)
            fprintf(out, " | '%s -%c'", command_table[id].name, row->letter);
        any = true;
    }
}

static void put_bash_values(FILE *out) {
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        if (row->type == OPTION_FLAG)
            continue;
        fputs("    ", out);
        put_patterns(out, row);
        fputs(") ", out);
        if (row->word_count) {
            fputs("words='", out);
            for (int word = 0; word < row->word_count; word++)
                fprintf(out, "%s%s", word ? " " : "", row->words[word]);
            fputs("' ;;\n", out);
        } else {
            fputs(is_file(row) ? "files=yes ;;\n" : "words='' ;;\n", out);
        }
    }
}

static void put_bash_options(FILE *out) {
    for (int id = 0; id < COMMAND_COUNT; id++) {
        fprintf(out, "        '%s') words='--help", command_table[id].name);
        for (size_t i = 0; i < option_count; i++)
            if (option_is_of(&option_table[i], (enum command_id)id))
                fprintf(out, " --%s", option_table[i].name);
        fputs("' ;;\n", out);
    }
}

static void put_bash(FILE *out) {
    fputs("# Completes gemmgate's command lines in bash. Made by `gemmgate --completion bash`.\n"
          "_gemmgate() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local command=${COMP_WORDS[1]} at=1 files='' words=''\n"
          "    case $command in\n    ",
          out);
    put_families(out, " | ");
    fputs(") [ \"$COMP_CWORD\" = 1 ] || { command+=\" ${COMP_WORDS[2]}\" at=2; } ;;\n    esac\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n        words='",
          out);
    put_nexts(out, NULL);
    fputs(" --help --version'\n    elif [ \"$COMP_CWORD\" = \"$at\" ]; then\n"
          "        case ${COMP_WORDS[1]} in\n",
          out);
    for (int id = 0; id < COMMAND_COUNT; id++) {
        const char *name = command_table[id].name;
        char family[32];
        if (!strchr(name, ' ') || !is_first(id))
            continue;
        snprintf(family, sizeof family, "%.*s", (int)strcspn(name, " "), name);
        fprintf(out, "        %s) words='", family);
        put_nexts(out, family);
        fputs("' ;;\n", out);
    }
    fputs("        esac\n    else\n    case \"$command $before\" in\n", out);
    put_bash_values(out);
    fputs("    *) case $word in\n    -*) case $command in\n", out);
    put_bash_options(out);
    fputs("        esac ;;\n    *) files=yes ;;\n    esac ;;\n    esac\n    fi\n"
          "    if [ -n \"$files\" ]; then\n"
          "        compopt -o filenames\n"
          "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n    else\n"
          "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n    fi\n}\n"
          "complete -F _gemmgate gemmgate\n",
          out);
}

/* Between single quotes, in a specification of _arguments or _describe. */
static void put_zsh_text(FILE *out, const char *text) {
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else if (strchr("[]:\\", *text))
            fprintf(out, "\\%c", *text);
        else
            putc(*text, out);
}

static void put_zsh_row(FILE *out, const struct option_row *row) {
    char value[OPTION_VALUE];
    fputs("        '", out);
    if (row->letter)
        fprintf(out, "(-%c --%s)'{-%c,--%s}'[", row->letter, row->name, row->letter, row->name);
    else
        fprintf(out, "--%s[", row->name);
    put_zsh_text(out, row->help);
    putc(']', out);
    if (row->type != OPTION_FLAG) {
        putc(':', out);
        put_zsh_text(out, option_value(row, value));
        putc(':', out);
        if (is_file(row))
            fputs("_files", out);
        for (int word = 0; word < row->word_count; word++)
            fprintf(out, "%s%s", word ? " " : "(", row->words[word]);
        fputs(row->word_count ? ")" : "", out);
    }
    fputs("' \\\n", out);
}

/* One of _describe's: 'word:summary'. */
static void put_zsh_word(FILE *out, const char *word, int length, const char *summary) {
    fprintf(out, " '%.*s:", length, word);
    put_zsh_text(out, summary);
    putc('\'', out);
}

static void put_zsh_families(FILE *out) {
    for (int first = 0; first < COMMAND_COUNT; first++) {
        const char *name = command_table[first].name;
        const size_t length = strcspn(name, " ");
        if (!name[length] || !is_first(first))
            continue;
        fprintf(out, "    %.*s) list=(", (int)length, name);
        for (int id = 0; id < COMMAND_COUNT; id++)
            if (strncmp(command_table[id].name, name, length + 1) == 0)
                put_zsh_word(out, command_table[id].name + length + 1, 64,
                             command_table[id].summary);
        fputs(") ;;\n", out);
    }
}

static void put_zsh(FILE *out) {
    fputs("#compdef gemmgate\n"
          "# Completes gemmgate's command lines in zsh. Made by `gemmgate --completion zsh`.\n"
          "_gemmgate() {\n    local command=$words[2]\n    local -a list\n"
          "    if (( CURRENT == 2 )); then\n        list=(",
          out);
    for (int id = 0; id < COMMAND_COUNT; id++) {
        const char *name = command_table[id].name;
        if (is_first(id))
            put_zsh_word(out, name, (int)strcspn(name, " "),
                         strchr(name, ' ') ? "several commands" : command_table[id].summary);
    }
    fputs(")\n        _describe command list\n        return\n    fi\n    case $command in\n", out);
    put_zsh_families(out);
    fputs("    esac\n    if (( $#list )); then\n"
          "        if (( CURRENT == 3 )); then\n            _describe command list\n"
          "            return\n        fi\n        command+=\" $words[3]\"\n        shift words\n"
          "        (( CURRENT-- ))\n    fi\n    shift words\n    (( CURRENT-- ))\n"
          "    case $command in\n",
          out);
    for (int id = 0; id < COMMAND_COUNT; id++) {
        fprintf(out, "    '%s') _arguments -s -S \\\n", command_table[id].name);
        for (size_t i = 0; i < option_count; i++)
            if (option_is_of(&option_table[i], (enum command_id)id))
                put_zsh_row(out, &option_table[i]);
        fputs("        '--help[say how it is used]' '*:argument:_files' ;;\n", out);
    }
    fputs("    esac\n}\n_gemmgate \"$@\"\n", out);
}

int option_completion(FILE *out, const char *shell) {
    if (strcmp(shell, "bash") == 0)
        return put_bash(out), 0;
    if (strcmp(shell, "zsh") == 0)
        return put_zsh(out), 0;
    return error("--completion %s: bash or zsh is wanted", shell);
}
