# The formula for a tap. Homebrew's own repository builds from source; this one takes the binaries of a release.
class Cuff < Formula
  desc "Offers the commands of a repository to people and coding agents, under rules"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@REPOSITORY@/releases/download/v@VERSION@/cuff-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@aarch64-apple-darwin@"
    end
    on_intel do
      url "@REPOSITORY@/releases/download/v@VERSION@/cuff-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@REPOSITORY@/releases/download/v@VERSION@/cuff-@VERSION@-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@aarch64-unknown-linux-gnu@"
    end
    on_intel do
      url "@REPOSITORY@/releases/download/v@VERSION@/cuff-@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@x86_64-unknown-linux-gnu@"
    end
  end

  def install
    bin.install "bin/cuff", "bin/toolscript"
    man1.install Dir["share/man/man1/*.1"]
    bash_completion.install Dir["share/bash-completion/completions/*"]
    zsh_completion.install Dir["share/zsh/site-functions/*"]
    fish_completion.install Dir["share/fish/vendor_completions.d/*"]
    (lib/"cuff/installed.json").write <<~JSON
      [{"by": "Homebrew", "upgrade": "brew upgrade cuff"}]
    JSON
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/cuff --version")
  end
end
