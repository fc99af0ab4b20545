# elvish completion for cuff: `eval (cuff completions elvish | slurp)` in rc.elv.

use str

set edit:completion:arg-completer[cuff] = {|@words|
    # The cuff of the PATH, whatever was typed: completing must not run a program of the folder.
    var lines = [(try { e:cuff __complete elvish $@words 2>/dev/null | from-lines } catch { nop })]
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
