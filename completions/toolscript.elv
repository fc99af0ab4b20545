# elvish completion for toolscript: `eval (toolscript completions elvish | slurp)` in rc.elv.

use str

set edit:completion:arg-completer[toolscript] = {|@words|
    # The toolscript of the PATH, whatever was typed: completing must not run a program of the folder.
    var lines = [(try { e:toolscript __complete elvish $@words 2>/dev/null | from-lines } catch { nop })]
    if (> (count $lines) 0) {
        if (or (eq $lines[0] files) (eq $lines[0] folders)) {
            edit:complete-filename $words[-1]
        }
        each {|line|
            var value about = (str:split &max=2 "\t" $line)
            if (eq $about '') {
                put $value
            } else {
                edit:complex-candidate $value &display=$value' ('$about')'
            }
        } $lines[1..]
    }
}
