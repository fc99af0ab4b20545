CARGO ?= cargo
# Where cargo builds.
TARGET = $(or $(CARGO_TARGET_DIR),target)

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## Build cuff and show it on a demo project
	$(CARGO) build --locked --bin cuff
	@demo/run $(TARGET)/debug/cuff

# End-to-end tests that take seconds and touch every face: for each edit. `make test` runs all of them.
FAST = cli::error_messages:: cli::why_and_status:: house:: mcp::long_calls:: plugins::contracts:: policy::abuse::oversized_calls:: \
	policy::attacks:: policy::client_consent:: policy::content_binding:: policy::environment:: runs::failure_reports::

# The core builds without the second half.
CORE_CHECK = $(CARGO) clippy --locked --package cuff --no-default-features --lib --bins -- -D warnings

check: ## Format, lints, unit tests and a fast part of the end-to-end tests, for every edit
ifndef CUFF_TEST_OFFLINE
	tests/tools/install
endif
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	$(CORE_CHECK)
	$(CARGO) test --locked --lib
	$(CARGO) test --locked --test it -- $(FAST)

test: ## Install what the tests need, then check and test everything
ifndef CUFF_TEST_OFFLINE
	tests/tools/install
	tests/registry/fetch
	tests/projects/fetch makefiles
	tests/macos/check
endif
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	$(CORE_CHECK)
	$(FUZZ_CHECK)
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps --document-private-items
	RUST_TEST_THREADS=$(TEST_THREADS) $(CARGO) test --locked
	$(CARGO) test --locked --package cuff --no-default-features --lib cli::serve

# Many tests wait for processes and for time: one more at once than there are processors.
TEST_THREADS = $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )))

check-macos: ## Compile cuff for macOS, which `make test` does too
	tests/macos/check

# The C library in the binary: no loader has to find, map and relocate libraries at each start, which is a quarter of `cuff list`.
# Relative relocations packed: they take a twentieth of the room. This machine's linker and C library must know both, so a small
# program is tried. Packages (packaging/build) are built in the same way.
PACKED = -Wl,-z,pack-relative-relocs
STATIC = -static-pie
try = $(shell trial=$$(mktemp) && echo 'int main(void) { return 0; }' | cc -x c - $(1) -o $$trial 2>/dev/null && $$trial \
	&& echo yes; rm -f $$trial)
LINKING = $(if $(call try,$(STATIC) $(PACKED)),-- -C link-arg=$(PACKED) -C target-feature=+crt-static,$\
	$(if $(call try,$(PACKED)),-- -C link-arg=$(PACKED)))

bench: ## Measure a release build: its budgets beside other programs, which it installs into benches/peers, then each part of cuff
	$(CARGO) rustc --locked --release --bin cuff $(LINKING)
	$(CARGO) rustc --locked --release --no-default-features --bin cuff --target-dir $(TARGET)/core $(LINKING)
	@-benches/peers/install
	@# As installed: a file that the linker wrote in small pieces is read from memory in small pieces, too.
	@install -d $(TARGET)/bench && install -m 755 $(TARGET)/release/cuff $(TARGET)/bench/cuff
	@benches/budgets $(TARGET)/bench/cuff $(TARGET)/core/release/cuff
	@benches/startup $(TARGET)/bench/cuff
	@benches/discovery $(TARGET)/bench/cuff
	@benches/listing $(TARGET)/bench/cuff
	@benches/workspace $(TARGET)/bench/cuff
	@benches/fanout $(TARGET)/bench/cuff
	@benches/records $(TARGET)/bench/cuff
	@benches/dialects $(TARGET)/bench/cuff
	@benches/calls $(TARGET)/bench/cuff
	@benches/serve $(TARGET)/bench/cuff
	@benches/answers $(TARGET)/bench/cuff
	@benches/containment $(TARGET)/bench/cuff
	@benches/upstreams $(TARGET)/bench/cuff
	@benches/gateway $(TARGET)/bench/cuff
	@benches/toolscript $(TARGET)/bench/cuff

FUZZ_SECONDS ?= 600
FUZZ = RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run --sanitizer none
FUZZ_OPTIONS = -max_total_time=$(FUZZ_SECONDS) -timeout=5 -max_len=32768 -print_final_stats=1
DIALECTS ?= all $(shell grep -rhoE 'id: "[a-z_]+"' crates/findings/src/dialect | cut -d '"' -f 2 | sort)

# Nothing is linked, so that no C++ compiler is needed: any file may stand for libFuzzer.
FUZZ_CHECK = CUSTOM_LIBFUZZER_PATH="$(CURDIR)/fuzz/Cargo.toml" \
	$(CARGO) check --locked --manifest-path fuzz/Cargo.toml --target-dir $(TARGET)

fuzz: ## Look for inputs that break readers of Makefiles and of tools' output, the run store, the ledger, the redactor, code mode; FUZZ_SECONDS each
	for target in makefile database store_reader store_index ledger redact schemas conversation programs; do \
		$(FUZZ) $$target fuzz/corpus/$$target fuzz/seeds/$$target -- $(FUZZ_OPTIONS) || exit; \
	done
	fuzz/samples fuzz/corpus/samples
	for dialect in $(DIALECTS); do \
		mkdir -p fuzz/corpus/dialects/$$dialect; \
		CUFF_DIALECT=$$dialect $(FUZZ) dialects fuzz/corpus/dialects/$$dialect fuzz/corpus/samples -- $(FUZZ_OPTIONS) || exit; \
	done

record: ## Record anew what real tools print, or ONLY=TOOL of them
	@fixtures/dialects/record $(ONLY)

PREFIX ?= $(HOME)/.local
BINARY ?= $(TARGET)/release/cuff
TO = $(DESTDIR)$(PREFIX)
# How `cuff --version --verbose` says that it was installed.
INSTALLED_BY ?= make

install: $(BINARY) ## Install cuff, completions and man pages for this user, or below PREFIX (and DESTDIR)
	install -d "$(TO)/bin" "$(TO)/lib/cuff" "$(TO)/share/man/man1" "$(TO)/share/bash-completion/completions" \
		"$(TO)/share/zsh/site-functions" "$(TO)/share/fish/vendor_completions.d" "$(TO)/share/elvish/lib"
	install -m 755 "$(BINARY)" "$(TO)/bin/cuff"
	ln -sfn cuff "$(TO)/bin/toolscript"
	install -m 644 packaging/installed/$(INSTALLED_BY).json "$(TO)/lib/cuff/installed.json"
	install -m 644 man/*.1 "$(TO)/share/man/man1"
	install -m 644 completions/cuff.bash "$(TO)/share/bash-completion/completions/cuff"
	install -m 644 completions/toolscript.bash "$(TO)/share/bash-completion/completions/toolscript"
	install -m 644 completions/_cuff completions/_toolscript "$(TO)/share/zsh/site-functions"
	install -m 644 completions/*.fish "$(TO)/share/fish/vendor_completions.d"
	install -m 644 completions/*.elv "$(TO)/share/elvish/lib"

$(TARGET)/release/cuff: FORCE
	$(CARGO) rustc --locked --release --bin cuff $(LINKING)

DIST = $(abspath $(TARGET))/dist
DIST_TARGETS ?= x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu aarch64-apple-darwin x86_64-apple-darwin

dist: ## Make all packages of cuff in target/dist, or those of DIST_TARGETS
	packaging/build $(DIST_TARGETS)
	packaging/pack $(DIST) .cache/packaging/bin/nfpm

dist-test: ## Install the packages on clean systems, use them and remove them; as root, after `make dist`
	packaging/test $(DIST)

FORCE:

.PHONY: help demo check check-macos test bench fuzz record install dist dist-test FORCE
