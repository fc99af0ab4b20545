CARGO ?= cargo

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## Build cuff and show it on a demo project
	$(CARGO) build --locked --bin cuff
	@demo/run target/debug/cuff

test: ## Install what the tests need, then check and test everything
ifndef CUFF_TEST_OFFLINE
	tests/tools/install
	tests/registry/fetch
	tests/makefiles/fetch
endif
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps --document-private-items
	$(CARGO) test --locked

bench: ## Measure start-up, discovery, recording and serving of a release build
	$(CARGO) build --locked --release --bin cuff
	@benches/discovery target/release/cuff
	@benches/records target/release/cuff
	@benches/serve target/release/cuff

FUZZ_SECONDS ?= 600

fuzz: ## Look for inputs that break Makefiles' readers, the run store, the ledger, the redactor; FUZZ_SECONDS each
	for target in makefile database store_reader store_index ledger redact; do \
		RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run --sanitizer none $$target fuzz/corpus/$$target fuzz/seeds/$$target -- \
			-max_total_time=$(FUZZ_SECONDS) -timeout=5 -max_len=32768 -print_final_stats=1 || exit; \
	done

record: ## Record anew what real tools print, or ONLY=TOOL of them
	@fixtures/dialects/record $(ONLY)

install: ## Install cuff for this user
	$(CARGO) install --locked --path .

.PHONY: help demo test bench fuzz record install
