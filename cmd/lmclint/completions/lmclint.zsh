#compdef lmclint
# Completion of lmclint for zsh.

_lmclint() {
    local line kind
    local -a found

    for line in "${(@f)$("${~words[1]}" __complete "${(@Q)words[2,CURRENT-1]}" "=${(Q)PREFIX}" 2>/dev/null)}"; do
        case $line in
            (:files|:words) kind=$line ;;
            (*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        esac
    done
    if (( $#found )); then
        _describe -t words lmclint found
    fi
    if [[ $kind == :files ]]; then
        compset -P '*[=:]'
        _files
    fi
}

# Completed itself when it is loaded from $fpath, defined when it is sourced.
if [[ $funcstack[1] == _lmclint ]]; then
    _lmclint "$@"
else
    compdef _lmclint lmclint
fi
