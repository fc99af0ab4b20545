//! The heading above the tools of one source, in lists for people.

/// The words by which people know a source of tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heading {
    /// The file, folder or program: `package.json`, `scripts/`. Empty: the name of the instance says it.
    pub source: String,
    /// Further words behind it, such as the runner: `npm`.
    pub details: Vec<String>,
    /// The names of the workspace package that the source belongs to, the shortest first: `core`, `@shop/core`,
    /// `packages/core`. Empty for a source of the root.
    pub package: Vec<String>,
}

impl Heading {
    /// The heading of a source that is a file or a folder.
    pub fn of(source: impl Into<String>) -> Self {
        Self { source: source.into(), ..Self::default() }
    }

    /// The same heading, with a further word behind it.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.details.push(detail.into());
        self
    }

    /// The same heading, for the source of a workspace package with this name and this folder from the root. The root
    /// itself is no package, nor is a folder outside of it.
    #[must_use]
    pub fn of_package(mut self, name: Option<&str>, folder: &str) -> Self {
        if folder.is_empty() || folder == "." || folder.starts_with(['/', '.']) {
            return self;
        }
        let last = |text: &str| text.rsplit('/').next().unwrap_or(text).to_owned();
        let named = name.into_iter().flat_map(|name| [last(name), name.to_owned()]);
        for name in named.chain([last(folder), folder.to_owned()]) {
            if !name.is_empty() && !self.package.contains(&name) {
                self.package.push(name);
            }
        }
        self
    }

    /// The words of the heading, the most important first. `instance` stands in for a source without words.
    pub fn words(&self, instance: &str) -> Vec<String> {
        let source = if self.source.is_empty() { instance.to_owned() } else { self.source.clone() };
        let package = self.package.first().cloned();
        let words = package.into_iter().chain([source]).chain(self.details.iter().cloned());
        words.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_stands_before_its_file_and_the_root_has_none() {
        let root = Heading::of("package.json").detail("npm").of_package(Some("shop"), "");
        assert_eq!(root.words("packagejson"), ["package.json", "npm"]);
        let core = Heading::of("packages/core").detail("npm");
        let core = core.of_package(Some("@shop/core"), "packages/core");
        assert_eq!(core.package, ["core", "@shop/core", "packages/core"]);
        assert_eq!(core.words("core"), ["core", "packages/core", "npm"]);
        assert_eq!(Heading::default().of_package(None, "packages/ui").package, ["ui", "packages/ui"]);
        assert_eq!(Heading::default().words("tracker"), ["tracker"]);
    }
}
