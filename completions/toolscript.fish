# fish completion for toolscript: put it into ~/.config/fish/completions, or `toolscript completions fish | source`.

function __toolscript_complete
    set -l typed (commandline -ct)
    # The toolscript of the PATH, whatever was typed: completing must not run a program of the folder.
    set -l lines (command toolscript __complete fish (commandline -opc) "$typed" 2>/dev/null)
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

complete -c toolscript -f -k -a '(__toolscript_complete)'
