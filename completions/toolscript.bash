# bash completion for toolscript: put it where bash-completion looks for it, or `source <(toolscript completions bash)`.

_toolscript() {
    local words=() line=${COMP_LINE:0:COMP_POINT} index part rest
    # bash takes words apart at `:` and `=`; what no blank keeps apart is one word.
    for ((index = 0; index <= COMP_CWORD; index++)); do
        rest=${line#"${line%%[![:blank:]]*}"}
        part=${COMP_WORDS[index]}
        ((index == COMP_CWORD)) && part=$rest
        if ((index == 0)) || [[ $rest != "$line" ]]; then
            words+=("$part")
        else
            words[${#words[@]} - 1]+=$part
        fi
        line=${rest#"$part"}
    done

    # What bash will not replace: all up to the last place where it took the word apart.
    local typed=${words[${#words[@]} - 1]} breaks=${COMP_WORDBREAKS//[^:=]/} kept=
    [[ -n $breaks ]] && kept=${typed%"${typed##*[$breaks]}"}

    local also= value about
    COMPREPLY=()
    # The toolscript of the PATH, whatever was typed: completing must not run a program of the folder.
    while IFS=$'\t' read -r value about; do
        if [[ -z $also ]]; then
            also=$value
        elif [[ $typed == [\"\']* ]]; then
            COMPREPLY+=("$value")
        else
            printf -v value %q "${value#"$kept"}"
            COMPREPLY+=("$value")
        fi
    done < <(command toolscript __complete bash "${words[@]}" 2>/dev/null)

    case $also in
        files) compopt -o default 2>/dev/null ;;
        folders) compopt -o dirnames 2>/dev/null ;;
    esac
    return 0
}

complete -F _toolscript toolscript
