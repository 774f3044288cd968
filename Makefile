# The single entry point, for people and for CI. `make help` lists the targets with ##.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run live test page-check bench cluster clients portable lint format golden check results learned recordings own-code verdicts measure advised browser tried windows loops arrangements release docs sanitize sanitize-threads sanitize-memory fuzz hostile hostile-grown hostile-tables soak ci prepare install uninstall package

SOURCES := Package.swift Sources Plugins Tests Examples benchmarks
# What pages of `make browser` are made with.
LIBRARIES := libjs-jquery libjs-underscore libjs-backbone libjs-vue libjs-chart.js libjs-marked libjs-highlight.js
# The tests of modules with threads.
THREADED := ConcurrencyTests SchedulableObjectsTests OrderedDeliveryTests JobsTests OperationsTests RealTimeTests TerminalTests ToolTests FrameRecordingTests
# Those of modules with unsafe memory. `make fuzz` and `make hostile` feed the command's readers.
UNSAFE := ConcurrencyTests SchedulableObjectsTests OrderedDeliveryTests JobsTests RealTimeTests ParsingTests TerminalTests FrameRecordingTests
# The programs that tests use: pseudo-terminal, terminal emulator, browser, groff for manuals, shells, GNU parallel, protoc, valgrind,
# a Wayland compositor, clients and a recorder.
TOOLS := python3-pexpect python3-pyte python3-pip chromium groff-base zsh fish parallel protobuf-compiler valgrind weston gtk-4-examples python3-gi gir1.2-gtk-4.0 sysprof
# Suites of these modules without threads of their own: hostile files, records of answers that other suites search with threads, and
# the built tool, which is another process.
UNTHREADED := The record of an answer|ExtremeValueTests|MutationTests|BuiltToolTests|EndingTests|One recommendation|A killed command|An interrupted command
# Sanitizers print only functions and lines; leaving out the other debug information saves a sixth of the compile time.
LINES_ONLY := -Xswiftc -gline-tables-only
# Otherwise a crash in a test waits for a key.
export SWIFT_BACKTRACE := enable=no

# Where `make install` installs; DESTDIR is put before it, for packaging.
PREFIX ?= /usr/local
DESTDIR ?=

# Recordings of other apps, which are not part of the project; Documentation/Recordings.md says how to make one.
TRACES ?= ../shared/data/traces

# A GTK program in Python, and a screen for it.
WINDOWS := weston gtk-4-examples python3-gi gir1.2-gtk-4.0

# The main loops that `make loops` measures, and a screen for them.
LOOPS := libglib2.0-dev libgtk-4-dev qt6-base-dev chromium xvfb

# Which part of the tables `make hostile-tables` reads, of how many.
PART ?= 1/1

# The length of the recordings of `make browser`, and their number for each variant; smaller values are for trying. PAGES=own,
# PAGES=strangers, PAGES=firefox and PAGES=rows,map record only this project's pages, only those that nobody tuned for it, only one
# page in Chromium and in Firefox, or only these two.
SECONDS ?= 12
RUNS ?= 3
PAGES ?= all

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

# Exit status 1 means that this machine missed an expectation of the scenario; the tool names it, and it is not an error here.
run: prepare ## Measure camera-upload on this machine and print the comparison (a minute; results/measured/)
	@"$$(scripts/release framebudget)/framebudget" run camera-upload \
	  -o "results/measured/$$(date -u +%Y-%m-%dT%H-%M-%SZ)-camera-upload" || [[ $$? -eq 1 ]]

live: prepare ## Watch camera-upload's frames in the terminal, and switch strategies during the run
	@"$$(scripts/release framebudget)/framebudget" live camera-upload

install: prepare ## Install framebudget, its manual and completions (PREFIX=/usr/local, DESTDIR, TRAITS=NIO)
	@scripts/install install "$(PREFIX)" "$(DESTDIR)"

uninstall: ## Remove what `make install` installed
	@scripts/install uninstall "$(PREFIX)" "$(DESTDIR)"

package: prepare ## Make a release: a Debian package, an archive, the SPDX list, checksums (.build/release-files/)
	@scripts/package

test: prepare ## Build and run all tests
	@scripts/prepare $(TOOLS) || echo "framebudget: tests that need $(TOOLS) are skipped" >&2
	@scripts/test --end-to-end

page-check: prepare ## Check pages in a browser: nothing cut, nothing too small, accessible, printable
	@scripts/prepare $(TOOLS) || echo "framebudget: tests that need $(TOOLS) are skipped" >&2
	@swift build --product framebudget
	@scripts/test-end-to-end test_page.py

bench: prepare ## Measure the published speeds, and fail if one is off by a third (some minutes; PUBLISH=1 rewrites them)
	@"$$(TRAITS=NIO scripts/release framebudget FrameBudgetBenchmarks)/FrameBudgetBenchmarks" $(if $(PUBLISH),--publish)
	@[[ -z "$(PUBLISH)" ]] || "$$(scripts/release FrameBudgetReference)/FrameBudgetReference" . measurements

cluster: prepare ## Run a sweep on a one-node Slurm from Debian's packages (two minutes)
	@scripts/prepare slurm-wlm munge
	@swift build --product framebudget
	@scripts/cluster

clients: prepare ## Build packages that depend on the libraries, and check what they fetch and compile
	@scripts/test-clients

portable: prepare ## Type-check the libraries as on a system other than Linux
	@scripts/portable

lint: ## Check the formatting rules, and the links of the documentation
	swift format lint --strict --parallel --recursive $(SOURCES)
	scripts/check-links

format: ## Apply the formatting rules
	swift format --in-place --parallel --recursive $(SOURCES)

golden: prepare ## Rewrite the screens, tables and errors that tests compare to the byte; review the diff
	REWRITE_GOLDEN=1 swift test --filter 'ReportsTests|TerminalTests|BrokenFileTests|TightnessTests|ChangePointTests'

check: ## Validate the scenarios that ship
	swift run framebudget check scenarios/*.yaml

results: prepare ## Rewrite the generated parts of results/ and the docs (virtual time, the same bytes everywhere)
	reference="$$(scripts/release FrameBudgetReference)/FrameBudgetReference"; "$$reference" . && \
	  for table in advice gates proofs; do "$$reference" . $$table || exit; done

learned: prepare ## Rewrite the predictions from traces of the shipped scenarios (results/learned/)
	"$$(scripts/release FrameBudgetReference)/FrameBudgetReference" . learned

recordings: prepare ## Rewrite the table of replayed recordings (results/learned/; TRACES=../shared/data/traces)
	"$$(scripts/release FrameBudgetReference)/FrameBudgetReference" . recordings "$(TRACES)"

own-code: prepare ## Run the tests that measure: closures, and parts of drawing on threads beside virtual time (4 minutes; idle machine)
	FRAMEBUDGET_QUIET=1 scripts/test --filter 'FrameBudgetTestingTests|BothEnginesTests'

verdicts: prepare ## Count correct verdicts on closures, alone and beside busy processes (25 minutes; idle machine; results/loops/)
	REWRITE_GOLDEN=1 FRAMEBUDGET_EXHAUSTIVE=1 FRAMEBUDGET_QUIET=1 scripts/test --filter RepeatedTests
	@scripts/test-clients baselines

measure: prepare ## Measure every shipped scenario, and more threads than cores (two hours; idle machine; results/measured/)
	@scripts/measure
	@scripts/measure-threads
	@scripts/measure-busy

advised: prepare ## Measure the advice for the shipped scenarios (twenty minutes; results/advised/)
	@scripts/measure-advice

browser: prepare ## Record pages in a browser and compare them with predictions (an hour; SECONDS=12 RUNS=3 PAGES=strangers)
	@scripts/prepare chromium firefox-esr $(LIBRARIES)
	@scripts/browser "$(SECONDS)" "$(RUNS)" "$(PAGES)"

tried: prepare ## Make changes in pages and compare with predictions (15 minutes; RUNS=3; results/browser/)
	@scripts/prepare chromium
	@scripts/tried "$(RUNS)"

windows: prepare ## Move a GTK program's work to a thread, and measure what a view costs (root; 25 minutes; results/windows/)
	@scripts/prepare $(WINDOWS)
	@scripts/windows

loops: prepare ## Flood real main loops with work beside frames, and compare with predictions (15 minutes; results/loops/, the docs)
	@scripts/prepare $(LOOPS)
	@scripts/loops

arrangements: prepare ## Run an app of five services under 19 arrangements, beside their predictions (ten minutes; results/arrangements/)
	@scripts/arrangements

release: prepare results learned ## Check that a release build gives the committed results, byte for byte, and that its archive runs
	git diff --exit-code -- results/reference results/learned
	@scripts/package
	@cd .build/release-files && sha256sum --check --quiet SHA256SUMS && mkdir unpacked && \
	  tar --extract --gzip --file *.tar.gz --directory unpacked && unpacked/bin/framebudget --version

docs: prepare ## Build the documentation and its site (.build/documentation/site); fail on broken links and undocumented symbols
	@scripts/prepare cmark-gfm
	@scripts/docs

sanitize: sanitize-threads sanitize-memory ## Run tests under the thread sanitizer (modules with threads, SwiftNIO) and the address sanitizer (unsafe memory)

sanitize-threads: prepare
	FRAMEBUDGET_TESTS='$(THREADED)' scripts/test --sanitize=thread --traits NIO $(LINES_ONLY) --scratch-path .build-thread --skip '$(UNTHREADED)'

sanitize-memory: prepare
	FRAMEBUDGET_TESTS='$(UNSAFE)' ASAN_OPTIONS=detect_leaks=0 \
	  scripts/test --sanitize=address $(LINES_ONLY) --scratch-path .build-address

fuzz: prepare ## Fuzz every parser, ten minutes each (Tests/Fuzz/fuzz.sh [SECONDS] [PARSER...])
	swift build --product framebudget
	Tests/Fuzz/fuzz.sh 600

hostile: hostile-tables hostile-grown ## Read 20000 damaged files with every command of a release build (an hour; scripts/hostile --help)
	scripts/hostile --seeds 0..20000 --program "$$(scripts/release framebudget)/framebudget"

hostile-grown: prepare ## Read every file grown to 30 MB, in several ways, with every command of a release build
	scripts/hostile --grown 30 --part "$(PART)" --program "$$(scripts/release framebudget)/framebudget"

hostile-tables: prepare ## Read files with every extreme value in every column and field, with every command of a release build
	scripts/hostile --table --part "$(PART)" --program "$$(scripts/release framebudget)/framebudget"

soak: prepare fuzz hostile ## Fuzz, read damaged files, and run the tests with the counts of a night (Tests/TestSupport/Tries.swift)
	FRAMEBUDGET_TIER=soak FRAMEBUDGET_EXHAUSTIVE=1 FRAMEBUDGET_TEST_LIMIT=86400 scripts/test
	scripts/test --pauses

ci: ## Run everything that must pass before a change is merged
	@scripts/ci

prepare:
	@scripts/prepare
