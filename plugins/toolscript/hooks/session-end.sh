#!/bin/sh
# Ends the gateway of a session that ends. Standard input is the session as JSON. Without the program there is no gateway.
root=${CLAUDE_PLUGIN_ROOT:-$(dirname "$0")/..}
for program in "$root/bin/toolscript" "$(command -v toolscript)"; do
    if [ -x "$program" ]; then
        "$program" hook session-end
        exit 0
    fi
done
exit 0
