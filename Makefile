# The commands for developers of Stunt Double. `make help` lists them.

SHELL := /bin/sh
BUILD := .build
BIN := $(BUILD)/bin/stuntdouble
PORT ?= 8080
# The name of the container image.
IMAGE ?= stuntdouble
FUZZ_SECONDS ?= 60
SOAK_SECONDS ?= 600
# For a busy machine; 50 on an idle one.
LONGEST_WAIT_MS ?= 250
BUDGET_CASES ?= 100000
BUDGET_SEED ?= 1
LLHTTP_CASES ?= 12000
# The newest WireMock standalone jar beside the checkout, for the comparison in `make bench`.
STUNTDOUBLE_ORACLE ?= $(lastword $(sort $(wildcard ../shared/oracle/*.jar)))
export STUNTDOUBLE_ORACLE

UNAME := $(shell uname -s)
SWIFT_SOURCES := $(wildcard Sources Tests Tools Package.swift Benchmarks Examples)
# The Swift kit runs inside its users' tests and may use full Foundation; everything else is linked into the daemon.
DAEMON_TARGETS := $(filter-out Sources/Kit/%,$(wildcard Sources/*/*/))

RELEASE := -c release --product stuntdouble
# Generic code of one target is specialized for the types of another: the index for stubs, matching for requests.
RELEASE += -Xswiftc -cross-module-optimization
# Neither Swift's regular expressions nor its concurrency: see .ci/linked.
RELEASE += $(foreach part,string-processing concurrency,-Xswiftc -Xfrontend -Xswiftc -disable-implicit-$(part)-module-import)
ifeq ($(UNAME),Linux)
# The Swift runtime goes into the binary: it starts in half the time and runs where no toolchain is installed.
RELEASE += --static-swift-stdlib --disable-local-rpath
# Nothing looks up a symbol by name; the export table would take 800 KB.
RELEASE += -Xlinker --no-export-dynamic
# Lets the linker drop unused functions: 1.6 MB.
RELEASE += -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections
ifeq ($(shell printf '%s\n' 'glibc 2.36' "$$(getconf GNU_LIBC_VERSION 2>/dev/null)" | sort -V | head -n 1),glibc 2.36)
# Packed relocations: 9 KB in place of 1 MB for 40,000 addresses, a tenth of the start-up time. The loader of glibc 2.36
# reads them, and lld writes them.
RELEASE += -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs
# Folds functions with identical code, mostly specializations of generic code: 1.1 MB.
RELEASE += -Xlinker --icf=all
endif
# C libraries that are installed as archives are linked statically, too. Evaluated when the build begins, after `ready` has
# installed them.
ARCHIVES = $(shell .ci/archives $(BUILD)/archives)
STRIP := strip
# gold, the toolchain's default linker, cannot export the sanitizers' symbols and prints 200 messages about it.
SANITIZE := -Xswiftc -use-ld=lld
else
STRIP := strip -x
SANITIZE :=
endif

# libFuzzer is in Linux's Swift toolchains, in Homebrew's llvm and in swift.org's toolchain, but not in Apple's.
ifeq ($(UNAME),Darwin)
FUZZ_CC ?= $(shell brew --prefix llvm 2>/dev/null)/bin/clang
else
FUZZ_CC ?= clang
FUZZ_LINK := -fuse-ld=lld
FUZZ_SWIFT_LINK := -use-ld=lld
endif
FUZZ_SWIFTC ?= swiftc
# The targets of the server in C.
REACTOR := $(addprefix Sources/Wire/,CHTTPText CLoop CTLS CReactor CWebSocket)
LOADING := Sources/Base/CLoading
# The targets to run, such as FUZZ="json xml"; all of them by default.
FUZZ ?= $(sort $(basename $(notdir $(wildcard Tools/fuzz/*.c Tools/fuzz/*.swift))))
FUZZERS := $(addprefix $(BUILD)/fuzz/,$(FUZZ))
# The modules that the Swift targets link, built separately with libFuzzer's and AddressSanitizer's instrumentation.
FUZZ_MODULES := $(BUILD)/fuzz/swift
FUZZ_BUILD := swift build -c release --scratch-path $(FUZZ_MODULES) -Xswiftc -sanitize=fuzzer,address \
    -Xswiftc -enable-testing -Xcc -fsanitize=fuzzer-no-link,address
FUZZ_IMPORT := -I $(FUZZ_MODULES)/release/Modules \
    -I Sources/Dialect/CLibYAML -I Sources/Matching/CPCRE2 -I Sources/Base/CZlib \
    -Xcc -fmodule-map-file=$(FUZZ_MODULES)/release/SDCPlatform.build/module.modulemap \
    -Xcc -fmodule-map-file=$(FUZZ_MODULES)/release/SDCJSONTape.build/module.modulemap \
    -Xcc -fmodule-map-file=$(FUZZ_MODULES)/release/SDCLibXML2.build/module.modulemap

.DEFAULT_GOAL := help
.PHONY: help deps bench-deps build image verify-image run check test dialect lint format bench fuzz sanitize asan asan-transport tsan race race-tsan attack soak budgets mutants nightly oracle llhttp schemathesis docs docs-site verify-site verify-start fault-table client-table exchanges torture comparisons clean ready

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

deps: ## install the C libraries and tools that are missing (apt or brew)
	@.ci/deps

bench-deps: ## install these, and wrk and nginx for `make bench`
	@.ci/deps bench

# Makes only a few calls of pkg-config if nothing is missing.
ready:
	@command -v swift >/dev/null 2>&1 || { echo "Swift 6.2 or newer is needed: https://swift.org/install" >&2; exit 1; }
	@.ci/deps

build: ready ## build the release binary, stripped, in .build/bin/stuntdouble
	swift build $(RELEASE) $(ARCHIVES)
	@mkdir -p $(dir $(BIN))
	@bin="$$(swift build $(RELEASE) --show-bin-path)/stuntdouble"; \
	if [ ! -e $(BIN) ] || [ "$$bin" -nt $(BIN) ]; then \
	    .ci/linked "$$bin" && \
	    $(STRIP) -o $(BIN).new "$$bin" && mv -f $(BIN).new $(BIN); \
	fi
	@ls -l $(BIN) | awk '{ printf "%s: %.1f MiB\n", "$(BIN)", $$5 / 1048576 }'

# The release artifacts: the same objects, linked to start with the C library of Debian 11 (packaging/glibc/stubs.py).
DIST := dist
DIST_BINARY := $(BUILD)/dist/stuntdouble
ifeq ($(UNAME),Linux)
DIST_RELEASE = $(subst -Xlinker -z -Xlinker pack-relative-relocs,,$(RELEASE))
DIST_RELEASE += $(if $(findstring -use-ld=lld,$(RELEASE)),,-Xswiftc -use-ld=lld) $(shell packaging/glibc/stubs.py $(BUILD)/dist/glibc)
else
DIST_RELEASE = $(RELEASE)
endif

.PHONY: dist dist-files verify-dist
dist: ready ## build the release artifacts in dist/: tarball, .deb, Swift bundle, wheel, npm package, Helm chart, actions, package definitions, SBOM, checksums
	@mkdir -p $(dir $(DIST_BINARY))
	swift build $(DIST_RELEASE) $(ARCHIVES)
	@bin="$$(swift build $(DIST_RELEASE) --show-bin-path)/stuntdouble"; \
	    .ci/linked "$$bin" && .ci/dist-glibc "$$bin" && \
	    $(STRIP) -o $(DIST_BINARY).new "$$bin" && mv -f $(DIST_BINARY).new $(DIST_BINARY)
	@$(MAKE) --no-print-directory dist-files

verify-dist: ## verify what `make dist` made: checksums, install.sh in each shell, the actions for CI, bare Debians (root; ARGS=bookworm), a Swift package with the bundle
	cd $(DIST) && sha256sum --check --quiet SHA256SUMS
	packaging/verify-install.sh
	python3 -B packaging/github/verify.py --dist $(DIST)
	packaging/verify.sh --dist $(DIST) $(ARGS)
	packaging/swift.sh $(DIST)

# For any binary: make dist-files DIST_BINARY=/usr/bin/stuntdouble
dist-files:
	PYTHONPATH=packaging python3 -B -m dist --binary $(DIST_BINARY) --out $(DIST) $(DIST_ARGS)

run: build ## serve mocks/ on port 8080 (another: make run PORT=9090)
	exec $(BIN) mocks --port $(PORT)

image: ## build the container image (docker, podman or buildah), and request one stub from it (BINARY=FILE compiles nothing)
	BINARY=$(BINARY) .ci/image $(IMAGE)

verify-image: ## run the image in place of WireMock's, as users and Testcontainers do (buildah, root)
	@python3 packaging/image/dropin.py $(IMAGE)

check: ready ## build and run only the tests that import one target (ARGS=Matching)
	@[ -n "$(ARGS)" ] || { echo "which target? make check ARGS=Matching" >&2; exit 2; }
	STUNTDOUBLE_ONLY=$(ARGS) .ci/test

test: ready ## run all tests and those of Examples/, and list the skipped ones (ARGS='--filter Journal')
ifeq ($(strip $(ARGS)),)
	swift build --build-tests
	.ci/examples
	.ci/test --skip-build
else
	.ci/test $(ARGS)
endif

dialect: ## generate files from the dialect's table (Sources/Dialect/Table), and pack the files that are embedded in the binary
	@python3 Tools/dialect

lint: ## check formatting, that the daemon imports no full Foundation, and that `make dialect` has nothing to update
	swift format lint --strict --parallel -r $(SWIFT_SOURCES)
	@python3 Tools/dialect --check
	@find $(DAEMON_TARGETS) -name '*.swift' -exec awk -f .ci/foundation.awk {} +

format: ## reformat all Swift files in place
	swift format --in-place --parallel -r $(SWIFT_SOURCES)

# Without the daemon's options, as FoundationNetworking cannot be linked statically; in a separate folder, as a change of
# options rebuilds everything.
KIT_TIMING := swift build -c release --product SDKitTiming --scratch-path $(BUILD)/timing -Xswiftc -cross-module-optimization

bench: bench-deps build ## compare with nginx and WireMock (ARGS=--help)
	$(KIT_TIMING)
	python3 -m Benchmarks --daemon $(BIN) $(ARGS)

# The leak checker reports constants of these targets, because it does not see references behind the tag bits of an enum's
# payload.
FUZZ_IGNORE_LEAKS := template templaterequest

fuzz: ready $(FUZZERS) ## run the fuzz targets (FUZZ="json xml") for FUZZ_SECONDS=60 each under AddressSanitizer
	@[ -n "$(FUZZERS)" ] || { echo "no fuzz targets in Tools/fuzz" >&2; exit 1; }
	@for fuzzer in $(FUZZERS); do \
	    name=$$(basename $$fuzzer); found=$(BUILD)/fuzz/corpus/$$name; \
	    mkdir -p $$found; \
	    echo "fuzz: $$name for $(FUZZ_SECONDS) s"; \
	    seeds=""; [ ! -d Tools/fuzz/corpus/$$name ] || seeds=Tools/fuzz/corpus/$$name; \
	    dictionary=""; [ ! -e Tools/fuzz/$$name.dict ] || dictionary="-dict=Tools/fuzz/$$name.dict"; \
	    leaks=1; case " $(FUZZ_IGNORE_LEAKS) " in *" $$name "*) leaks=0;; esac; \
	    ASAN_OPTIONS=detect_leaks=$$leaks $$fuzzer -detect_leaks=$$leaks -max_total_time=$(FUZZ_SECONDS) -timeout=5 -rss_limit_mb=2048 -print_final_stats=1 \
	        $$dictionary -artifact_prefix=$(BUILD)/fuzz/$$name- $$found $$seeds || exit 1; \
	done

$(BUILD)/fuzz/%: Tools/fuzz/%.c $(wildcard $(foreach d,$(REACTOR),$(d)/*.c $(d)/*.h $(d)/include/*.h))
	@mkdir -p $(dir $@)
	$(FUZZ_CC) -g -O1 -D_GNU_SOURCE -fno-omit-frame-pointer -fsanitize=fuzzer,address,undefined \
	    -fno-sanitize-recover=undefined $(FUZZ_LINK) $(foreach d,$(REACTOR),-I$(d) -I$(d)/include) \
	    -I$(LOADING)/include $(addprefix -I,$(wildcard $(LOADING)/headers/*/)) \
	    $$(pkg-config --cflags libevent_core) $< $(wildcard $(addsuffix /*.c,$(REACTOR)) $(LOADING)/*.c) \
	    $$(pkg-config --libs libevent_core zlib) -o $@

# The linker takes only the modules that a target imports, directly or not, out of the archive.
$(BUILD)/fuzz/%: Tools/fuzz/%.swift $(wildcard Tools/fuzz/Support/*.swift) $(FUZZ_MODULES)/modules.a
	$(FUZZ_SWIFTC) -g -O -swift-version 6 -parse-as-library -module-name fuzz_$* -sanitize=fuzzer,address \
	    $(FUZZ_SWIFT_LINK) $(FUZZ_IMPORT) $< $(wildcard Tools/fuzz/Support/*.swift) \
	    $(FUZZ_MODULES)/modules.a $$(pkg-config --libs libpcre2-8 yaml-0.1 zlib) -o $@

$(FUZZ_MODULES)/modules.a: Package.swift $(wildcard Sources/*/*/*.swift Sources/*/*/*/*.swift $(addprefix Sources/,$(addsuffix /*.[ch],Base/CLoading Dialect/CJSONTape Matching/CLibXML2)))
	$(FUZZ_BUILD) --target SDStubFiles
	$(FUZZ_BUILD) --target SDMatching
	$(FUZZ_BUILD) --target SDTemplating
	@rm -f $@
	@find $(FUZZ_MODULES)/release/ -name '*.o' -exec ar cq $@ {} +

sanitize: asan tsan ## run the tests under AddressSanitizer, the transport's under ThreadSanitizer

asan: ready asan-transport
	STUNTDOUBLE_SANITIZED=1 ASAN_OPTIONS=detect_leaks=0 \
	    swift test --sanitize=address --scratch-path $(BUILD)/asan $(SANITIZE) $(ARGS)

# Code that runs on the event loops and frees memory by hand.
SANITIZED_TESTS := HTTPTransportTests UpstreamTests

# Leaks are checked only where memory is freed by hand: the leak checker does not see Swift's references behind the tag
# bits of an enum's payload.
asan-transport: ready ## run the transport's tests under AddressSanitizer, with leak detection
	for tests in $(SANITIZED_TESTS); do STUNTDOUBLE_SANITIZED=1 STUNTDOUBLE_ONLY=$$tests STUNTDOUBLE_STRESS_REQUESTS=30000 \
	    LSAN_OPTIONS=suppressions=$(CURDIR)/.ci/lsan.supp:print_suppressions=0 \
	    swift test --sanitize=address --scratch-path $(BUILD)/asan $(SANITIZE) --filter $$tests || exit 1; done

# Darwin's ThreadSanitizer knows the locks of the Swift standard library; elsewhere a preloaded library reports them.
TSAN_MUTEX := $(if $(filter Linux,$(UNAME)),$(BUILD)/tsan/mutex.so)

TSAN := TSAN_OPTIONS=suppressions=$(CURDIR)/.ci/tsan.supp

$(BUILD)/tsan/mutex.so: Tools/race/tsan_mutex.c
	@mkdir -p $(@D)
	clang -shared -fPIC -O1 -Wall -Wextra -Werror -o $@ $<

tsan: ready $(TSAN_MUTEX)
	for tests in $(SANITIZED_TESTS); do \
	    STUNTDOUBLE_ONLY=$$tests swift build --build-tests --sanitize=thread --scratch-path $(BUILD)/tsan $(SANITIZE) && \
	    $(TSAN) STUNTDOUBLE_SANITIZED=1 STUNTDOUBLE_ONLY=$$tests LD_PRELOAD=$(abspath $(TSAN_MUTEX)) swift test --skip-build \
	    --sanitize=thread --scratch-path $(BUILD)/tsan $(SANITIZE) --filter $$tests $(ARGS) || exit 1; done

attack: build ## send hostile requests to the release build: other clients wait at most LONGEST_WAIT_MS=250
	STUNTDOUBLE_BINARY=$(CURDIR)/$(BIN) STUNTDOUBLE_LONGEST_WAIT_MS=$(LONGEST_WAIT_MS) \
	    swift test --no-parallel --filter AttackTests $(ARGS)

soak: build ## SOAK_SECONDS=600 of mixed traffic and attacks: memory levels off, no descriptor leaks, every request is counted (Linux)
	python3 Tools/soak/soak.py --daemon $(BIN) --seconds $(SOAK_SECONDS) $(ARGS)

race: build ## 64 clients on one scenario, and on a stub with `times`: every share exact (ARGS=--help)
	python3 Tools/race/race.py --daemon $(BIN) $(ARGS)

race-tsan: ready $(TSAN_MUTEX) ## run one round of `make race` under ThreadSanitizer
	swift build --sanitize=thread --scratch-path $(BUILD)/tsan $(SANITIZE) --product stuntdouble
	$(TSAN) python3 Tools/race/race.py --daemon $(BUILD)/tsan/debug/stuntdouble --rounds 1 \
	    $(if $(TSAN_MUTEX),--preload $(TSAN_MUTEX)) $(ARGS)

budgets: ready ## BUDGET_CASES=100000 random requests: none takes more than twice its CPU budget
	swift build $(subst --product stuntdouble,--product SDBudgetSearch,$(RELEASE)) $(ARCHIVES)
	$$(swift build $(RELEASE) --show-bin-path)/SDBudgetSearch $(BUDGET_SEED) $(BUDGET_CASES)

mutants: ready ## insert small defects one at a time: the tests must notice each (ARGS=--help)
	python3 Tools/mutants/mutants.py $(ARGS)

nightly: ## run all checks that take hours, and list the failures: fuzzing, races, attacks, soak, sanitizers, mutants, generated calls, benchmarks
	@.ci/nightly

# The output of Tools/oracle/record_NAME.py is the recording Tests/Oracle/NAME.json. A recorder that prints nothing has written
# its file itself.
oracle: ## record all of WireMock's answers again (Java and STUNTDOUBLE_ORACLE=wiremock-standalone.jar)
	@mkdir -p $(BUILD)
	@for recorder in Tools/oracle/record_*.py Tools/oracle/admin/record.py; do \
	    name=$$(basename $$recorder .py); echo "oracle: $$name"; \
	    PYTHONDONTWRITEBYTECODE=1 python3 $$recorder > $(BUILD)/oracle.out || exit 1; \
	    case $$name in record_*) \
	        [ ! -s $(BUILD)/oracle.out ] || mv $(BUILD)/oracle.out Tests/Oracle/$${name#record_}.json ;; \
	    esac; \
	done

# The Python with the clients that `.ci/deps ci` installs, if it is there.
CLIENTS_PYTHON := $(firstword $(wildcard $(BUILD)/clients/bin/python3) python3)

exchanges: build ## send 10,000 generated exchanges through proxy stubs to a Python server, a second daemon, nginx and WireMock
	python3 Tools/proxy/exchanges.py --daemon $(BIN) --count $(or $(EXCHANGES),10000) $(ARGS)

torture: build ## record 5,000 generated exchanges with planted secrets, and replay them: same answers, no secrets (ARGS=--help)
	python3 Tools/recording/torture.py --daemon $(BIN) $(ARGS)

comparisons: build ## compare proxying, replays, clients and hostile servers with the expected results (ARGS=--help; build the tests first)
	python3 Tools/proxy/comparisons.py --daemon $(BIN) $(ARGS)

fault-table: build ## run every fault against the HTTP clients on this machine, and write what they report into docs/
	python3 -B Tests/Clients/faults/report.py --daemon $(BIN) --write docs/faults.md $(ARGS)
	python3 -B Tests/Clients/https/faults.py --daemon $(BIN) --python $(CLIENTS_PYTHON) --write docs/faults-https.md $(ARGS)

client-table: build ## request twenty stubs over TLS and HTTP/2 with the HTTP clients on this machine, open WebSockets, and write the tables into docs/
	python3 -B Tests/Clients/https/report.py --daemon $(BIN) --python $(CLIENTS_PYTHON) --write docs/clients.md $(ARGS)
	python3 -B Tests/Clients/websocket/report.py --daemon $(BIN) --python $(CLIENTS_PYTHON) --write docs/websocket.md $(ARGS)

llhttp: ## compare the HTTP parser with node's on LLHTTP_CASES=12000 generated requests
	python3 Tools/oracle/wire/compare.py --count $(LLHTTP_CASES)

.PHONY: schema
schema: build ## validate mocks, examples of the pages and WireMock's recordings by the schema of stub files (Python's jsonschema)
	python3 -m venv $(BUILD)/schema && $(BUILD)/schema/bin/pip install --quiet jsonschema pyyaml
	$(BUILD)/schema/bin/python Tools/schema.py $(BIN)

schemathesis: build ## compare the answers to generated admin calls with openapi.json (if schemathesis is installed)
	python3 Tools/schemathesis.py --daemon $(BIN) $(ARGS)

docs: build ## regenerate the pages made from the option table
	@mkdir -p docs
	$(BIN) generate-docs docs

docs-site: ## build the documentation site with search in .build/site; fails on a dead link (ARGS='--to FOLDER')
	@python3 packaging/site/build.py $(ARGS)

.PHONY: wheel npm verify-clients
DIST_OR_BUILD = $(firstword $(wildcard $(DIST_BINARY)) $(BIN))
PACKAGES := $(BUILD)/packages

wheel: ## build the PyPI package in .build/packages from the binary of `make dist` or else `make build` (BINARY=FILE: another)
	@python3 -B packaging/python/build.py --binary $(or $(BINARY),$(DIST_OR_BUILD)) --out $(PACKAGES) $(ARGS)

npm: ## build the npm packages from the same binary
	@python3 -B packaging/npm/build.py --binary $(or $(BINARY),$(DIST_OR_BUILD)) --out $(PACKAGES) $(ARGS)

verify-clients: ## install both packages into fresh folders, and run their tests, pytest with four workers, node:test, and pages in Chromium
	@python3 -B packaging/tests/verify.py --binary $(or $(BINARY),$(DIST_OR_BUILD)) $(ARGS)

verify-site: docs-site ## test the site's search in Chromium (PICTURES='--pictures FOLDER')
	@python3 packaging/site/verify.py $(PICTURES)

verify-start: ## run the commands of docs/start.md in a bare Debian, with the tarball of `make dist` (ARGS=--help)
	@python3 packaging/start.py $(ARGS)

clean: ## remove everything that was built
	rm -rf $(BUILD) Benchmarks/__pycache__
