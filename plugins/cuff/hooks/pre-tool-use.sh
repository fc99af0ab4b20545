#!/bin/sh
# Says which tool runs what a shell is asked to run. Standard input is the call as JSON. Without cuff nothing is said.
root=${CLAUDE_PLUGIN_ROOT:-$(dirname "$0")/..}
for program in "$root/bin/cuff" "$(command -v cuff)"; do
    if [ -x "$program" ]; then
        "$program" hook pre-tool-use
        exit 0
    fi
done
exit 0
