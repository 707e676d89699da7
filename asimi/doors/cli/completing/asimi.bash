# Makes bash (4.4 or newer) complete the words of asimi; `asimi completion bash` wrote it. No word is evaluated, and
# asimi is started only for the ids of jobs and questions and the names of hosts, which are plain words.

_asimi_table='@TABLE@'

# Sets `what` to what the table says of a word of a command; fails where it says nothing.
_asimi_what() {
    local at word
    while IFS='|' read -r at word what; do
        [[ $word == "$2" && ($at == "$1" || $at == -) ]] && return
    done <<<"$_asimi_table"
    what=
    return 1
}

# Offers what a value may be: its kinds, what there is of it, and what has to stand before it.
_asimi_offer() {
    local kinds kind word
    IFS=' ' read -ra kinds <<<"$1"
    for kind in "${kinds[@]}"; do
        case $kind in
            -) ;;
            @files) compopt -o default ;;
            @directories) compopt -o dirnames ;;
            @commands) while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -c -- "$2") ;;
            @*)
                while IFS= read -r word; do
                    [[ $word == "$2"* ]] && COMPREPLY+=("$3$word")
                done < <(command asimi completion "${kind#@}" 2>/dev/null </dev/null)
                ;;
            *) [[ $kind == "$2"* ]] && COMPREPLY+=("$3$kind") ;;
        esac
    done
    return 0 # under `set -e` anything else would end the shell
}

_asimi() {
    local words=() word current command='' wants='' ended='' place=1 glued='' at what before
    COMPREPLY=()
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do # bash takes --option=value apart
        if [[ ${#words[@]} -gt 0 && ($word == [=:]* || $glued) ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        [[ $word == [=:]* ]] && glued=1 || glued=
    done
    current=${words[-1]}
    unset 'words[-1]'
    for word in "${words[@]}"; do
        if [[ $wants ]]; then
            wants=
        elif [[ ! $ended && $word == -- ]]; then
            ended=1
        elif [[ ! $ended && $word == -* ]]; then
            [[ $word == *=* ]] || { _asimi_what "$command" "$word" && wants=$what; }
        elif [[ ! $ended && $place == 1 && $word == [a-z]* ]] && _asimi_what "$command" "$word"; then
            command+=${command:+ }$word
        else
            ((place += 1))
            _asimi_what "$command" -- && ended=1
        fi
    done
    if [[ $wants ]]; then
        _asimi_offer "$wants" "$current" ''
    elif [[ ! $ended && $current == --*=* ]]; then
        before=${current%%=*}= # which is no part of the word that bash replaces, unless told otherwise
        _asimi_what "$command" "${current%%=*}" || return 0
        [[ $COMP_WORDBREAKS == *=* ]] && before=
        _asimi_offer "$what" "${current#*=}" "$before"
    else
        while IFS='|' read -r at word what; do
            [[ $at == "$command" || $at == - ]] || continue
            case $word in
                --) ;;
                -*) [[ ! $ended && $current == -* && $word == "$current"* ]] && COMPREPLY+=("$word") ;;
                [a-z]*) [[ ! $ended && $place == 1 && $word == "$current"* ]] && COMPREPLY+=("$word") ;;
                "$place") [[ ! $ended && $current == -* ]] || _asimi_offer "$what" "$current" '' ;;
                *+) [[ ($ended || $current != -*) && $place -ge ${word%+} ]] && _asimi_offer "$what" "$current" '' ;;
            esac
        done <<<"$_asimi_table"
    fi
    return 0
}

complete -F _asimi asimi
