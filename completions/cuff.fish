# fish completion for cuff: put it into ~/.config/fish/completions, or `cuff completions fish | source`.

function __cuff_complete
    set -l typed (commandline -ct)
    # The cuff of the PATH, whatever was typed: completing must not run a program of the folder.
    set -l lines (command cuff __complete fish (commandline -opc) "$typed" 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path "$typed"
        case folders
            __fish_complete_directories "$typed"
    end
    if set -q lines[2]
        printf '%s\n' $lines[2..-1]
    end
end

complete -c cuff -f -k -a '(__cuff_complete)'
