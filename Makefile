# The commands for developers of Stunt Double. `make help` lists them.

SHELL := /bin/sh
BUILD := .build
BIN := $(BUILD)/bin/stuntdouble
PORT ?= 8080
# The name of the container image.
IMAGE ?= stuntdouble
FUZZ_SECONDS ?= 60
SOAK_SECONDS ?= 600
# What a busy machine needs; 50 on one that has nothing else to do.
LONGEST_WAIT_MS ?= 250
BUDGET_CASES ?= 100000
BUDGET_SEED ?= 1
LLHTTP_CASES ?= 12000
# The newest WireMock standalone jar beside the checkout, for the comparison in `make bench`.
STUNTDOUBLE_ORACLE ?= $(lastword $(sort $(wildcard ../shared/oracle/*.jar)))
export STUNTDOUBLE_ORACLE

UNAME := $(shell uname -s)
SWIFT_SOURCES := $(wildcard Sources Tests Package.swift Benchmarks Examples)
# The Swift kit runs inside its users' tests and may use full Foundation; everything else is linked into the daemon.
DAEMON_TARGETS := $(filter-out Sources/Kit/%,$(wildcard Sources/*/*))

RELEASE := -c release --product stuntdouble
# Generic code of one target is specialized for the types of another: the index for stubs, matching for requests.
RELEASE += -Xswiftc -cross-module-optimization
# Neither Swift's regular expressions nor its concurrency: see .ci/linked.
RELEASE += $(foreach part,string-processing concurrency,-Xswiftc -Xfrontend -Xswiftc -disable-implicit-$(part)-module-import)
ifeq ($(UNAME),Linux)
# The Swift runtime goes into the binary: it starts in half the time and runs where no toolchain is installed.
RELEASE += --static-swift-stdlib --disable-local-rpath
# No one looks up the functions of the binary by name, and the table of exported ones takes 800 KB of it.
RELEASE += -Xlinker --no-export-dynamic
# Each function can be left out alone: 1.6 MB that nothing calls.
RELEASE += -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections
ifeq ($(shell printf '%s\n' 'glibc 2.36' "$$(getconf GNU_LIBC_VERSION 2>/dev/null)" | sort -V | head -n 1),glibc 2.36)
# The places of the 40,000 addresses that every start has to relocate are read from 9 KB instead of 1 MB: a tenth of the
# start. The system's loader must know the form, and the toolchain's default linker does not.
RELEASE += -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs
# Functions of the same code are one, mostly those of generic code for other types: 1.1 MB.
RELEASE += -Xlinker --icf=all
endif
# So do the C libraries that are installed as archives. Evaluated when the build begins, after `ready` has installed them.
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
REACTOR := $(addprefix Sources/Wire/,CHTTPText CLoop CTLS CReactor)
LOADING := Sources/Base/CLoading
# The targets to run, such as FUZZ="json xml"; all of them by default.
FUZZ ?= $(sort $(basename $(notdir $(wildcard Tests/Fuzz/*.c Tests/Fuzz/*.swift))))
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
.PHONY: help deps bench-deps build image prove-image run check test dialect lint format bench fuzz sanitize asan asan-transport tsan race race-tsan attack soak budgets mutants nightly oracle llhttp schemathesis docs docs-site prove-site prove-start fault-table client-table exchanges torture comparisons clean ready

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

build: ready ## release build, stripped, in .build/bin/stuntdouble
	swift build $(RELEASE) $(ARCHIVES)
	@mkdir -p $(dir $(BIN))
	@bin="$$(swift build $(RELEASE) --show-bin-path)/stuntdouble"; \
	if [ ! -e $(BIN) ] || [ "$$bin" -nt $(BIN) ]; then \
	    .ci/linked "$$bin" && \
	    $(STRIP) -o $(BIN).new "$$bin" && mv -f $(BIN).new $(BIN); \
	fi
	@ls -l $(BIN) | awk '{ printf "%s: %.1f MiB\n", "$(BIN)", $$5 / 1048576 }'

# What is handed out: the same objects, linked so that they start with the C library of Debian 11 (packaging/glibc/stubs.py).
DIST := dist
DIST_BINARY := $(BUILD)/dist/stuntdouble
ifeq ($(UNAME),Linux)
DIST_RELEASE = $(subst -Xlinker -z -Xlinker pack-relative-relocs,,$(RELEASE))
DIST_RELEASE += $(if $(findstring -use-ld=lld,$(RELEASE)),,-Xswiftc -use-ld=lld) $(shell packaging/glibc/stubs.py $(BUILD)/dist/glibc)
else
DIST_RELEASE = $(RELEASE)
endif

.PHONY: dist dist-files prove-dist
dist: ready ## what is handed out, in dist/: tarball, .deb, Swift bundle, wheel, npm package, Helm chart, actions, definitions of packages, bill of materials, sums of all
	@mkdir -p $(dir $(DIST_BINARY))
	swift build $(DIST_RELEASE) $(ARCHIVES)
	@bin="$$(swift build $(DIST_RELEASE) --show-bin-path)/stuntdouble"; \
	    .ci/linked "$$bin" && .ci/dist-glibc "$$bin" && \
	    $(STRIP) -o $(DIST_BINARY).new "$$bin" && mv -f $(DIST_BINARY).new $(DIST_BINARY)
	@$(MAKE) --no-print-directory dist-files

prove-dist: ## what `make dist` has made: its sums, install.sh in each shell, the actions for CI, bare Debians (root; ARGS=bookworm), a Swift package with its bundle
	cd $(DIST) && sha256sum --check --quiet SHA256SUMS
	packaging/prove-install.sh
	python3 -B packaging/github/prove.py --dist $(DIST)
	packaging/prove.sh --dist $(DIST) $(ARGS)
	packaging/swift.sh $(DIST)

# Of any binary: make dist-files DIST_BINARY=/usr/bin/stuntdouble
dist-files:
	PYTHONPATH=packaging python3 -B -m dist --binary $(DIST_BINARY) --out $(DIST) $(DIST_ARGS)

run: build ## serve mocks/ on port 8080 (another: make run PORT=9090)
	exec $(BIN) mocks --port $(PORT)

image: ## build the container image (docker, podman or buildah), and request one stub from it (BINARY=FILE compiles nothing)
	BINARY=$(BINARY) .ci/image $(IMAGE)

prove-image: ## have the image take the place of WireMock's, as users and Testcontainers run that (buildah, root)
	@python3 packaging/image/dropin.py $(IMAGE)

check: ready ## build and run the tests that import one target (ARGS=Matching), and nothing else
	@[ -n "$(ARGS)" ] || { echo "which target? make check ARGS=Matching" >&2; exit 2; }
	STUNTDOUBLE_ONLY=$(ARGS) .ci/test

test: ready ## the whole test suite and those of Examples/, with a list of skipped tests (ARGS='--filter Journal')
ifeq ($(strip $(ARGS)),)
	swift build --build-tests
	.ci/examples
	.ci/test --skip-build
else
	.ci/test $(ARGS)
endif

dialect: ## write what is made of the dialect's table (Sources/Dialect/Table), and pack the files that are part of the binary
	@python3 Tools/dialect

lint: ## formatting, no full Foundation in the daemon, files older than what `make dialect` makes them of, and defects of `make mutants` whose place is gone
	swift format lint --strict --parallel -r $(SWIFT_SOURCES)
	@python3 Tests/Mutants/mutants.py --check
	@python3 Tools/dialect --check
	@find $(DAEMON_TARGETS) -name '*.swift' -exec awk -f .ci/foundation.awk {} +

format: ## reformat all Swift files in place
	swift format --in-place --parallel -r $(SWIFT_SOURCES)

# Without the daemon's own options, as FoundationNetworking cannot be linked statically; and in a folder of its own, as
# other options build everything anew.
KIT_TIMING := swift build -c release --product SDKitTiming --scratch-path $(BUILD)/timing -Xswiftc -cross-module-optimization

bench: bench-deps build ## compare with nginx and WireMock (options: make bench ARGS=--help)
	$(KIT_TIMING)
	python3 -m Benchmarks --daemon $(BIN) $(ARGS)

# Targets for which the leak checker takes constants for leaks, because it does not see references behind the tag bits of an
# enum's payload.
FUZZ_IGNORE_LEAKS := template templaterequest

fuzz: ready $(FUZZERS) ## run the fuzz targets (FUZZ="json xml") for FUZZ_SECONDS=60 each under AddressSanitizer
	@[ -n "$(FUZZERS)" ] || { echo "no fuzz targets in Tests/Fuzz" >&2; exit 1; }
	@for fuzzer in $(FUZZERS); do \
	    name=$$(basename $$fuzzer); found=$(BUILD)/fuzz/corpus/$$name; \
	    mkdir -p $$found; \
	    echo "fuzz: $$name for $(FUZZ_SECONDS) s"; \
	    seeds=""; [ ! -d Tests/Fuzz/corpus/$$name ] || seeds=Tests/Fuzz/corpus/$$name; \
	    dictionary=""; [ ! -e Tests/Fuzz/$$name.dict ] || dictionary="-dict=Tests/Fuzz/$$name.dict"; \
	    leaks=1; case " $(FUZZ_IGNORE_LEAKS) " in *" $$name "*) leaks=0;; esac; \
	    ASAN_OPTIONS=detect_leaks=$$leaks $$fuzzer -detect_leaks=$$leaks -max_total_time=$(FUZZ_SECONDS) -timeout=5 -rss_limit_mb=2048 -print_final_stats=1 \
	        $$dictionary -artifact_prefix=$(BUILD)/fuzz/$$name- $$found $$seeds || exit 1; \
	done

$(BUILD)/fuzz/%: Tests/Fuzz/%.c $(wildcard $(foreach d,$(REACTOR),$(d)/*.c $(d)/*.h $(d)/include/*.h))
	@mkdir -p $(dir $@)
	$(FUZZ_CC) -g -O1 -D_GNU_SOURCE -fno-omit-frame-pointer -fsanitize=fuzzer,address,undefined \
	    -fno-sanitize-recover=undefined $(FUZZ_LINK) $(foreach d,$(REACTOR),-I$(d) -I$(d)/include) \
	    -I$(LOADING)/include $(addprefix -I,$(wildcard $(LOADING)/headers/*/)) \
	    $$(pkg-config --cflags libevent_core) $< $(wildcard $(addsuffix /*.c,$(REACTOR)) $(LOADING)/*.c) \
	    $$(pkg-config --libs libevent_core) -o $@

# The linker takes only the modules that a target imports, directly or not, out of the archive.
$(BUILD)/fuzz/%: Tests/Fuzz/%.swift $(wildcard Tests/Fuzz/Support/*.swift) $(FUZZ_MODULES)/modules.a
	$(FUZZ_SWIFTC) -g -O -swift-version 6 -parse-as-library -module-name fuzz_$* -sanitize=fuzzer,address \
	    $(FUZZ_SWIFT_LINK) $(FUZZ_IMPORT) $< $(wildcard Tests/Fuzz/Support/*.swift) \
	    $(FUZZ_MODULES)/modules.a $$(pkg-config --libs libpcre2-8 yaml-0.1 zlib) -o $@

$(FUZZ_MODULES)/modules.a: Package.swift $(wildcard Sources/*/*/*.swift Sources/*/*/*/*.swift $(addprefix Sources/,$(addsuffix /*.[ch],Base/CLoading Dialect/CJSONTape Matching/CLibXML2)))
	$(FUZZ_BUILD) --target SDStubFiles
	$(FUZZ_BUILD) --target SDMatching
	$(FUZZ_BUILD) --target SDTemplating
	@rm -f $@
	@find $(FUZZ_MODULES)/release/ -name '*.o' -exec ar cq $@ {} +

sanitize: asan tsan ## the tests under AddressSanitizer, the transport under ThreadSanitizer

asan: ready asan-transport
	STUNTDOUBLE_SANITIZED=1 ASAN_OPTIONS=detect_leaks=0 \
	    swift test --sanitize=address --scratch-path $(BUILD)/asan $(SANITIZE) $(ARGS)

# What runs on the loops, where memory is freed by hand.
SANITIZED_TESTS := HTTPTransportTests UpstreamTests

# Leaks are checked only where memory is freed by hand: the leak checker does not see Swift's references behind the tag
# bits of an enum's payload.
asan-transport: ready ## the transport's tests under AddressSanitizer, with a look for leaks
	for tests in $(SANITIZED_TESTS); do STUNTDOUBLE_SANITIZED=1 STUNTDOUBLE_ONLY=$$tests STUNTDOUBLE_STRESS_REQUESTS=30000 \
	    LSAN_OPTIONS=suppressions=$(CURDIR)/.ci/lsan.supp:print_suppressions=0 \
	    swift test --sanitize=address --scratch-path $(BUILD)/asan $(SANITIZE) --filter $$tests || exit 1; done

# Darwin's ThreadSanitizer knows the locks of the Swift standard library; elsewhere a preloaded library tells it.
TSAN_MUTEX := $(if $(filter Linux,$(UNAME)),$(BUILD)/tsan/mutex.so)

TSAN := TSAN_OPTIONS=suppressions=$(CURDIR)/.ci/tsan.supp

$(BUILD)/tsan/mutex.so: Tests/Race/tsan_mutex.c
	@mkdir -p $(@D)
	clang -shared -fPIC -O1 -Wall -Wextra -Werror -o $@ $<

tsan: ready $(TSAN_MUTEX)
	for tests in $(SANITIZED_TESTS); do \
	    STUNTDOUBLE_ONLY=$$tests swift build --build-tests --sanitize=thread --scratch-path $(BUILD)/tsan $(SANITIZE) && \
	    $(TSAN) STUNTDOUBLE_SANITIZED=1 STUNTDOUBLE_ONLY=$$tests LD_PRELOAD=$(abspath $(TSAN_MUTEX)) swift test --skip-build \
	    --sanitize=thread --scratch-path $(BUILD)/tsan $(SANITIZE) --filter $$tests $(ARGS) || exit 1; done

attack: build ## hostile requests and readers against the release build: nobody else waits longer than LONGEST_WAIT_MS=250
	STUNTDOUBLE_BINARY=$(CURDIR)/$(BIN) STUNTDOUBLE_LONGEST_WAIT_MS=$(LONGEST_WAIT_MS) \
	    swift test --no-parallel --filter AttackTests $(ARGS)

soak: build ## SOAK_SECONDS=600 of mixed traffic and attacks: memory levels off, no descriptor is left, every request is counted (Linux)
	python3 Tests/Soak/soak.py --daemon $(BIN) --seconds $(SOAK_SECONDS) $(ARGS)

race: build ## 64 clients on one scenario, and on a stub with `times`: every share exact (ARGS=--help)
	python3 Tests/Race/race.py --daemon $(BIN) $(ARGS)

race-tsan: ready $(TSAN_MUTEX) ## one round of `make race`, with a daemon under ThreadSanitizer
	swift build --sanitize=thread --scratch-path $(BUILD)/tsan $(SANITIZE) --product stuntdouble
	$(TSAN) python3 Tests/Race/race.py --daemon $(BUILD)/tsan/debug/stuntdouble --rounds 1 \
	    $(if $(TSAN_MUTEX),--preload $(TSAN_MUTEX)) $(ARGS)

budgets: ready ## BUDGET_CASES=100000 random requests: none may take more than twice its budget of processor time
	swift build $(subst --product stuntdouble,--product SDBudgetSearch,$(RELEASE)) $(ARCHIVES)
	$$(swift build $(RELEASE) --show-bin-path)/SDBudgetSearch $(BUDGET_SEED) $(BUDGET_CASES)

mutants: ready ## small defects, put in one at a time: the tests have to notice each (ARGS=--help)
	python3 Tests/Mutants/mutants.py $(ARGS)

nightly: ## all checks that take hours, with a list of what failed: fuzzing, races, attacks, soak, sanitizers, mutants, generated calls, benchmarks
	@.ci/nightly

# The output of Tests/Oracle/record_NAME.py is the recording Tests/Oracle/NAME.json, unless it prints nothing because it
# has written its recording itself.
oracle: ## record all of WireMock's answers again (Java and STUNTDOUBLE_ORACLE=wiremock-standalone.jar)
	@mkdir -p $(BUILD)
	@for recorder in Tests/Oracle/record_*.py Tests/Oracle/admin/record.py; do \
	    name=$$(basename $$recorder .py); echo "oracle: $$name"; \
	    PYTHONDONTWRITEBYTECODE=1 python3 $$recorder > $(BUILD)/oracle.out || exit 1; \
	    case $$name in record_*) \
	        [ ! -s $(BUILD)/oracle.out ] || mv $(BUILD)/oracle.out Tests/Oracle/$${name#record_}.json ;; \
	    esac; \
	done

# What .ci/deps has installed for them, if it has.
CLIENTS_PYTHON := $(firstword $(wildcard $(BUILD)/clients/bin/python3) python3)

exchanges: build ## send 10,000 generated exchanges through proxied stubs to a Python server, a second daemon, nginx and WireMock
	python3 Tests/Proxy/exchanges.py --daemon $(BIN) --count $(or $(EXCHANGES),10000) $(ARGS)

torture: build ## record 5,000 generated exchanges with planted secrets, and replay them: the same answers, no secret (ARGS=--help)
	python3 Tests/Recording/torture.py --daemon $(BIN) $(ARGS)

comparisons: build ## compare all that calls other servers with what it ought to be (ARGS=--help; tests have to be built)
	python3 Tests/Proxy/comparisons.py --daemon $(BIN) $(ARGS)

fault-table: build ## show every fault to the HTTP clients of this machine, and write what they report into docs/
	python3 -B Tests/Clients/faults/report.py --daemon $(BIN) --write docs/faults.md $(ARGS)
	python3 -B Tests/Clients/https/faults.py --daemon $(BIN) --python $(CLIENTS_PYTHON) --write docs/faults-https.md $(ARGS)

client-table: build ## have the HTTP clients of this machine ask for twenty stubs over TLS and HTTP/2, and write docs/clients.md
	python3 -B Tests/Clients/https/report.py --daemon $(BIN) --python $(CLIENTS_PYTHON) --write docs/clients.md $(ARGS)

llhttp: ## compare the parser with node's on LLHTTP_CASES=12000 generated requests
	python3 Tests/Oracle/wire/compare.py --count $(LLHTTP_CASES)

.PHONY: schema
schema: build ## the schema of stub files by Python's jsonschema, on the mocks, the pages and the recordings of WireMock
	python3 -m venv $(BUILD)/schema && $(BUILD)/schema/bin/pip install --quiet jsonschema pyyaml
	$(BUILD)/schema/bin/python Tests/Clients/schema.py $(BIN)

schemathesis: build ## generated calls to the admin API, compared with its document (if schemathesis is installed)
	python3 Tests/Oracle/schemathesis.py --daemon $(BIN) $(ARGS)

docs: build ## regenerate the pages that are made from the option table
	@mkdir -p docs
	$(BIN) generate-docs docs

docs-site: ## static pages of the documentation with search, in .build/site; fails at a dead link (ARGS='--to FOLDER')
	@python3 packaging/site/build.py $(ARGS)

.PHONY: wheel npm prove-clients
DIST_OR_BUILD = $(firstword $(wildcard $(DIST_BINARY)) $(BIN))
PACKAGES := $(BUILD)/packages

wheel: ## the PyPI package, in .build/packages, of the binary of `make dist` or else `make build` (BINARY=FILE: of another)
	@python3 -B packaging/python/build.py --binary $(or $(BINARY),$(DIST_OR_BUILD)) --out $(PACKAGES) $(ARGS)

npm: ## the npm packages, likewise
	@python3 -B packaging/npm/build.py --binary $(or $(BINARY),$(DIST_OR_BUILD)) --out $(PACKAGES) $(ARGS)

prove-clients: ## install both into fresh folders, and run their tests, pytest with four workers, node:test, and pages in Chromium
	@python3 -B packaging/tests/prove.py --binary $(or $(BINARY),$(DIST_OR_BUILD)) $(ARGS)

prove-site: docs-site ## ask the site's search, in Chromium (PICTURES='--pictures FOLDER')
	@python3 packaging/site/prove.py $(PICTURES)

prove-start: ## type the commands of docs/start.md in a bare Debian, with the tarball of `make dist` (ARGS=--help)
	@python3 packaging/start.py $(ARGS)

clean: ## remove everything that was built
	rm -rf $(BUILD) Benchmarks/__pycache__
