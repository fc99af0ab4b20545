# PowerShell completion for toolscript: `toolscript completions powershell | Out-String | Invoke-Expression` in $PROFILE.

Register-ArgumentCompleter -Native -CommandName toolscript -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text })
    # The toolscript of the PATH, whatever was typed: completing must not run a program of the folder.
    $toolscript = @(Get-Command -CommandType Application -Name toolscript -ErrorAction SilentlyContinue)
    if ($toolscript.Count -eq 0) { return }
    # Older PowerShells drop an empty word, so the last one begins with `=`.
    $lines = @(& $toolscript[0].Source __complete powershell @words "=$wordToComplete" 2>$null)
    $lines | Select-Object -Skip 1 | ForEach-Object {
        $value, $about = $_ -split "`t", 2
        if (-not $about) { $about = $value }
        $text = $value
        if ($value -notmatch '^[\w./:=+%-]+$') { $text = "'" + $value.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $about)
    }
}
