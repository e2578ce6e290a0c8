# Completion of lmclint for bash, version 3.2 or later.

_lmclint() {
    local typed=${COMP_LINE:0:COMP_POINT} kind word current head
    local words=()

    # bash itself would cut the words at = and : as well.
    read -ra words <<<"$typed"
    case $typed in
        *[[:space:]]) words[${#words[@]}]= ;;
    esac
    current=${words[${#words[@]}-1]}
    unset "words[${#words[@]}-1]"

    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        case $word in
            :files | :words) kind=$word ;;
            *) COMPREPLY[${#COMPREPLY[@]}]=$word ;;
        esac
    done < <("${words[0]/#\~/$HOME}" __complete "${words[@]:1}" "=$current" 2>/dev/null)

    # What stands before the last of these is left as it is.
    head=
    [[ $COMP_WORDBREAKS == *=* && $current == *=* ]] && head=${current%"${current##*=}"}
    [[ $COMP_WORDBREAKS == *:* && $current == *:* ]] && head=${current%"${current##*:}"}
    if [[ -n $head ]]; then
        COMPREPLY=("${COMPREPLY[@]#"$head"}")
    fi
    if [[ $kind == :files ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do
            COMPREPLY[${#COMPREPLY[@]}]=$word
        done < <(compgen -f -- "${current##*[=:]}")
    fi
}

complete -F _lmclint lmclint
