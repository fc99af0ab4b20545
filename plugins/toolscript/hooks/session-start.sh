#!/bin/sh
# Starts the gateway of a session that begins. Standard input is the session as JSON; the one line that this may print is
# for the model. A session never fails here.
root=${CLAUDE_PLUGIN_ROOT:-$(dirname "$0")/..}
for program in "$root/bin/toolscript" "$(command -v toolscript)"; do
    if [ -x "$program" ]; then
        "$program" hook session-start
        exit 0
    fi
done
echo "toolscript is not installed, so its skill has no commands: the user can run \`make install\` in a clone of cuff, and start a new session."
exit 0
