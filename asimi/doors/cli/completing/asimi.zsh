#compdef asimi
# Makes zsh complete the words of asimi; `asimi completion zsh` wrote it. No word is evaluated, and asimi is started only
# for the ids of jobs and questions and the names of hosts, which are plain words.

typeset -g _asimi_table='@TABLE@'

# Sets `what` to what the table says of a word of a command; fails where it says nothing.
_asimi_what() {
    local row
    for row in ${(f)_asimi_table}; do
        if [[ $row == "$1|$2|"* || $row == "-|$2|"* ]]; then
            what=${${row#*\|*\|}%%\|*}
            return 0
        fi
    done
    what=
    return 1
}

# Offers what a value may be, by its kinds.
_asimi_offer() {
    local kind
    local -a found
    for kind in ${(s: :)1}; do
        case $kind in
            (-) ;;
            (@files) _files ;;
            (@directories) _files -/ ;;
            (@commands) _command_names -e ;;
            (@*) found+=(${(f)"$(command asimi completion ${kind#@} 2>/dev/null </dev/null)"}) ;;
            (*) found+=($kind) ;;
        esac
    done
    compadd -a found
}

_asimi() {
    local word row at what help command='' wants='' ended='' current=$words[CURRENT]
    local -i place=1
    local -a named switches values # `commands` and `options` are zsh's own
    for word in "${(@Q)words[2,CURRENT-1]}"; do
        if [[ -n $wants ]]; then
            wants=
        elif [[ -z $ended && $word == -- ]]; then
            ended=1
        elif [[ -z $ended && $word == -* ]]; then
            [[ $word == *=* ]] || { _asimi_what "$command" "$word" && wants=$what }
        elif [[ -z $ended && $place -eq 1 && $word == [a-z]* ]] && _asimi_what "$command" "$word"; then
            command+=${command:+ }$word
        else
            place+=1
            _asimi_what "$command" -- && ended=1
        fi
    done
    if [[ -n $wants ]]; then
        _asimi_offer "$wants"
        return
    elif [[ -z $ended && $current == --*=* ]]; then
        _asimi_what "$command" "${current%%=*}" || return
        compset -P '*='
        _asimi_offer "$what"
        return
    fi
    for row in ${(f)_asimi_table}; do
        [[ $row == ("$command"|-)\|* ]] || continue
        word=${${row#*\|}%%\|*} what=${${row#*\|*\|}%%\|*} help=${row#*\|*\|*\|}
        case $word in
            (--) ;;
            (-*) switches+=("$word:$help") ;;
            ([a-z]*) named+=("$word:$help") ;;
            (*) [[ $word == $place || ($word == *+ && $place -ge ${word%+}) ]] && values+=("$what") ;;
        esac
    done
    if [[ -z $ended && $current == -* ]]; then
        _describe -o option switches
        return
    fi
    [[ -z $ended && $place -eq 1 ]] && (($#named)) && _describe command named
    for what in $values; do
        _asimi_offer "$what"
    done
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _asimi "$@"
else
    compdef _asimi asimi
fi
