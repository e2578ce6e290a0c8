# Completion of lmclint for fish.

function __lmclint_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    for line in ($program __complete $words "=$current" 2>/dev/null)
        switch $line
            case ':files'
                set -l path (string replace -r '^.*[=:]' '' -- $current)
                set -l head (string sub -l (math (string length -- "$current") - (string length -- "$path")) -- $current)
                for found in (__fish_complete_path "$path")
                    echo $head$found
                end
            case ':words'
            case '*'
                echo $line
        end
    end
end

complete -c lmclint -f -a '(__lmclint_complete)'
