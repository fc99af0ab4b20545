#!/bin/sh
# Serves the project's tools: with the cuff in the plugin's own folder `bin`, else with the one on the search path.
root=${CLAUDE_PLUGIN_ROOT:-$(dirname "$0")}
for program in "$root/bin/cuff" "$(command -v cuff)"; do
    if [ -x "$program" ]; then
        exec "$program" serve --tool-names portable
    fi
done
echo "cuff is not installed: run \`make install\` in a clone of cuff, then start a new session." >&2
exit 127
