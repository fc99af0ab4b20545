//! The parts of the shell around a tool that unpack a copy of the project's files, and give back those that the tool changed.

use crate::sys::{GONE, LIST, UNNAMEABLE};

/// Unpacks the archive into a folder that has an earlier copy. Before that, it removes the files of the earlier copy that are not in
/// this one, and what stands in the way: a file or a link in the place of a folder, and a folder in the place of a file.
const UNPACK_INTO_KEPT: &str = r#"{
  cat >"$group.in" && (
  export LC_ALL=C
  [ ! -f "$list" ] || mv "$list" "$list.old"
  tar -xof "$group.in" "$list" || exit
  if [ -f "$list.old" ]; then
    sort "$list.old" "$list" "$list" | uniq -u | while IFS= read -r name; do rm -f -- "./$name" 2>/dev/null; done
  fi
  sed -n 's|/[^/]*$||p' "$list" | sort -u | while IFS= read -r name; do
    while :; do
      if [ -L "./$name" ] || { [ -e "./$name" ] && [ ! -d "./$name" ]; }; then rm -f -- "./$name"; fi
      case $name in */*) name=${name%/*} ;; *) break ;; esac
    done
  done
  while IFS= read -r name; do
    if [ -d "./$name" ] && [ ! -L "./$name" ]; then rm -rf -- "./$name"; fi
  done <"$list"
  tar -xof "$group.in") && rm -f "$group.in"
}"#;

/// The shell's lines before and behind the tool. They need `tar`, `find`, `sort`, `uniq` and `comm` there.
pub(super) struct CopyScript {
    pub(super) receive: String,
    pub(super) give_back: String,
}

impl CopyScript {
    /// The lines of a copy in this folder, which is removed at the end unless it is kept. New files come back by these patterns.
    /// `None`: a word of it has a zero byte.
    ///
    /// The archive comes on standard input. In a kept folder the files of the copy before it that are no longer in this one are
    /// removed. Other users of the runner can read neither. The archive that goes back follows a mark on standard output.
    pub(super) fn of(folder: &str, is_kept: bool, results: &[String]) -> Option<Self> {
        let folder = shlex::try_quote(folder).ok()?;
        let fails = r#"{ rm -rf "$group" "$group".*; exit 125; }"#;
        let unpack = if is_kept { UNPACK_INTO_KEPT } else { "tar -xof -" };
        let receive = format!(
            r#"copy={folder}
: >"$group.begun" && (umask 077; mkdir -p -- "$copy") && cd -- "$copy" || {fails}
list={LIST}
{unpack} || {fails}
exec </dev/null
"#
        );
        let mut matching = String::new();
        for (at, pattern) in results.iter().enumerate() {
            let pattern = shlex::try_quote(pattern).ok()?;
            matching.extend([if at == 0 { "" } else { " -o " }, "-path ./", &pattern]);
        }
        let matching = if matching.is_empty() {
            String::new()
        } else {
            format!(
                "  find . -type f -newer \"$group.begun\" ! -path \"$odd\" ! -name '{LIST}*' \\( {matching} \\)\n"
            )
        };
        let removal = if is_kept { "rm -f" } else { "cd /; rm -rf" };
        let give_back = format!(
            r#"cd -- "$copy" && (
export LC_ALL=C
umask 077
odd='*[\\
]*'
find . -type f -newer "$group.begun" ! -path "$odd" | sort >"$group.new"
find . -type f -newer "$group.begun" -path "$odd" >{UNNAMEABLE}
sed 's|^|./|' {LIST} | sort >"$group.sent"
while IFS= read -r name; do [ -e "$name" ] || [ -L "$name" ] || printf '%s\n' "$name"; done <{LIST} >{GONE}
{{ comm -12 "$group.new" "$group.sent"
{matching}  echo ./{GONE}
  echo ./{UNNAMEABLE}; }} | sort -u >"$group.list"
tar -cf "$group.tar" -T "$group.list"
[ -s "$group.tar" ] && printf '\036cuff %s results %s\n' "$id" $(($(wc -c <"$group.tar"))) && cat "$group.tar"
)
{removal} "$group".*
"#
        );
        Some(Self { receive, give_back })
    }
}
