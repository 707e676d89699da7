# Makes fish complete the words of asimi; `asimi completion fish` wrote it. No word is evaluated, and asimi is started
# only for the ids of jobs and questions and the names of hosts, which are plain words.

set -g __asimi_table (string split \n -- '@TABLE@')

# The rows of the table for a command, and those for every command.
function __asimi_rows
    string match -- "$argv[1]|*" $__asimi_table
    string match -- '-|*' $__asimi_table
end

# Prints what the table says of a word of a command; fails where it says nothing.
function __asimi_what
    for row in (__asimi_rows $argv[1])
        set -l fields (string split -m 3 '|' -- $row)
        if contains -- "$fields[2]" $argv[2]
            printf '%s\n' $fields[3]
            return 0
        end
    end
    return 1
end

# Prints what a value may be: its kinds, what there is of it, and what has to stand before it.
function __asimi_offer
    for kind in (string split -n ' ' -- $argv[1])
        switch $kind
            case -
            case @files
                printf '%s\n' $argv[3](__fish_complete_path $argv[2])
            case @directories
                printf '%s\n' $argv[3](__fish_complete_directories $argv[2] '')
            case @commands
                # Of anything else, `complete -C` would run the substitutions.
                string match -qr '^[A-Za-z0-9._+/-]*$' -- $argv[2]; and complete -C "$argv[2]"
            case '@*'
                printf '%s\n' $argv[3](command asimi completion (string sub -s 2 -- $kind) 2>/dev/null </dev/null)
            case '*'
                printf '%s\n' $argv[3]$kind
        end
    end
end

function __asimi_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l command ''
    set -l wants ''
    set -l ended 0
    set -l place 1
    for word in $words[2..-1]
        if set -q wants[1]; and string length -q -- $wants
            set wants ''
            continue
        end
        if contains -- $ended 0
            switch $word
                case --
                    set ended 1
                    continue
                case '-*=*'
                    continue
                case '-*'
                    set wants (__asimi_what "$command" $word)
                    continue
                case '*'
                    if contains -- $place 1; and string match -qr '^[a-z]' -- $word
                        and __asimi_what "$command" $word >/dev/null
                        set command (string trim -- "$command $word")
                        continue
                    end
            end
        end
        set place (math $place + 1)
        __asimi_what "$command" -- >/dev/null; and set ended 1
    end
    if set -q wants[1]; and string length -q -- $wants
        __asimi_offer $wants "$current" ''
        return
    end
    set -l option (string match -r -- '^(--[^=]*)=(.*)$' "$current")
    if contains -- $ended 0; and set -q option[2]
        set -l what (__asimi_what "$command" $option[2]); and __asimi_offer "$what" "$option[3]" "$option[2]="
        return
    end
    for row in (__asimi_rows "$command")
        set -l fields (string split -m 3 '|' -- $row)
        switch $fields[2]
            case --
            case '-*'
                if contains -- $ended 0; and string match -q -- '-*' "$current"
                    printf '%s\t%s\n' $fields[2] $fields[4]
                end
            case '*'
                if string match -qr '^[a-z]' -- $fields[2]
                    contains -- $place$ended 10; and printf '%s\t%s\n' $fields[2] $fields[4]
                else if contains -- $ended 1; or not string match -q -- '-*' "$current"
                    set -l first (string trim -c + -- $fields[2])
                    if contains -- $fields[2] $place; or string match -q '*+' -- $fields[2]; and test $place -ge $first
                        __asimi_offer $fields[3] "$current" ''
                    end
                end
        end
    end
end

complete -c asimi -f -a '(__asimi_complete)'
