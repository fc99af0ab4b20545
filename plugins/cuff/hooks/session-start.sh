#!/bin/sh
# Says to the model that cuff is missing, where it is. With cuff nothing is said.
root=${CLAUDE_PLUGIN_ROOT:-$(dirname "$0")/..}
if [ -x "$root/bin/cuff" ] || [ -x "$(command -v cuff)" ]; then
    exit 0
fi
echo "cuff is not installed, so this project's tools are missing: the user can run \`make install\` in a clone of cuff, and start a new session."
exit 0
