# The one entry point, for people and for CI. Targets with ## are listed by `make help`.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run live test page-check bench cluster clients portable lint format golden check results learned recordings own-code verdicts measure advised browser loops release docs sanitize fuzz soak minutes ci prepare install uninstall package

SOURCES := Package.swift Sources Plugins Tests Examples benchmarks
# The tests of whatever has threads.
THREADED := ConcurrencyTests SchedulableObjectsTests OrderedDeliveryTests JobsTests OperationsTests RealTimeTests TerminalTests ToolTests FrameRecordingTests
# The programs that tests drive: a terminal, a screen in it, a browser, what reads manuals, shells, what runs sweeps.
TOOLS := python3-pexpect python3-pyte python3-pip chromium groff-base zsh fish parallel protobuf-compiler
# Of these, what has no thread of its own: hostile files, and the built tool, which is another process.
UNTHREADED := ExtremeValueTests|MutationTests|BuiltToolTests|EndingTests
# A sanitizer names functions and lines; for no more than that the compiler takes a sixth less of time.
LINES_ONLY := -Xswiftc -gline-tables-only
# A crash in a test would otherwise wait for a key.
export SWIFT_BACKTRACE := enable=no

# Where `make install` puts things; DESTDIR goes before it, for those who make packages.
PREFIX ?= /usr/local
DESTDIR ?=

# Recordings of others, which are no part of the project; Documentation/Recordings.md says how to make one.
TRACES ?= ../shared/data/traces

# The main loops that `make loops` measures, and a screen for them.
LOOPS := libglib2.0-dev libgtk-4-dev qt6-base-dev chromium xvfb

# How long the recordings of `make browser` are, and how many there are of each variant; less is for trying.
SECONDS ?= 30
RUNS ?= 5

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

# Exit status 1 says that this machine missed an expectation of the scenario; the tool names it, and it is no error here.
run: prepare ## Measure camera-upload on this machine and print the comparison (a minute; results/measured/)
	@"$$(scripts/release framebudget)/framebudget" run camera-upload \
	  -o "results/measured/$$(date -u +%Y-%m-%dT%H-%M-%SZ)-camera-upload" || [[ $$? -eq 1 ]]

live: prepare ## Watch camera-upload's frames in the terminal, and switch strategies while they run
	@"$$(scripts/release framebudget)/framebudget" live camera-upload

install: prepare ## Install framebudget, its manual and completions (PREFIX=/usr/local, DESTDIR, TRAITS=NIO)
	@scripts/install install "$(PREFIX)" "$(DESTDIR)"

uninstall: ## Remove what `make install` put there
	@scripts/install uninstall "$(PREFIX)" "$(DESTDIR)"

package: prepare ## Make a Debian package (.build/*.deb)
	@scripts/package

test: prepare ## Build and run all tests
	@scripts/prepare $(TOOLS) || echo "framebudget: tests that need $(TOOLS) are skipped" >&2
	@scripts/test --end-to-end

page-check: prepare ## Open pages in a browser: nothing cut, nothing too small, accessible, printable
	@scripts/prepare $(TOOLS) || echo "framebudget: tests that need $(TOOLS) are skipped" >&2
	@swift build --product framebudget
	@scripts/test-end-to-end test_page.py

bench: prepare ## Measure what the documentation claims about speed (some minutes)
	@"$$(TRAITS=NIO scripts/release framebudget Benchmarks)/Benchmarks"

cluster: prepare ## Run a sweep on a Slurm of one node, from Debian's packages (two minutes)
	@scripts/prepare slurm-wlm munge
	@swift build --product framebudget
	@scripts/cluster

clients: prepare ## Build packages that depend on the libraries: nothing is fetched or compiled that they do not need
	@scripts/test-clients

portable: prepare ## Type-check the libraries as they are where there is no Linux
	@scripts/portable

lint: ## Check the formatting rules, and the links of the documentation
	swift format lint --strict --parallel --recursive $(SOURCES)
	scripts/check-links

format: ## Apply the formatting rules
	swift format --in-place --parallel --recursive $(SOURCES)

golden: prepare ## Rewrite the screens, tables and errors that tests compare to the byte; the diff is the review
	REWRITE_GOLDEN=1 swift test --filter 'ReportsTests|TerminalTests|BrokenFileTests'

check: ## Validate the scenarios that ship
	swift run framebudget check scenarios/*.yaml

results: prepare ## Rewrite what is generated in results/ and the docs (virtual time, the same bytes everywhere)
	reference="$$(scripts/release Reference)/Reference"; "$$reference" . && "$$reference" . advice && "$$reference" . gates

learned: prepare ## Rewrite what is predicted from traces of the shipped scenarios (results/learned/, the docs)
	"$$(scripts/release Reference)/Reference" . learned

recordings: prepare ## Rewrite the table of replayed recordings in the docs (TRACES=../shared/data/traces)
	"$$(scripts/release Reference)/Reference" . recordings "$(TRACES)"

own-code: prepare ## Run the tests that measure closures in real time (a minute; nothing else should run)
	FRAMEBUDGET_QUIET=1 scripts/test --filter FrameBudgetTestingTests

verdicts: prepare ## See how often verdicts on closures are right, alone and beside others (five minutes; nothing else should run)
	FRAMEBUDGET_EXHAUSTIVE=1 FRAMEBUDGET_QUIET=1 scripts/test --filter RepeatedTests
	@scripts/test-clients baselines

measure: prepare ## Measure every shipped scenario on this machine, then beside busy processes (an hour; results/measured/)
	@scripts/measure
	@scripts/measure-busy

advised: prepare ## Measure what is advised for the shipped scenarios (twenty minutes; results/advised/)
	@scripts/measure-advice

browser: prepare ## Record a page in a browser beside predictions (a quarter of an hour; SECONDS=30 RUNS=5)
	@scripts/prepare chromium
	@scripts/browser "$(SECONDS)" "$(RUNS)"

loops: prepare ## Flood real main loops with work beside frames, and compare with predictions (15 minutes; results/loops/, the docs)
	@scripts/prepare $(LOOPS)
	@scripts/loops

release: prepare results learned ## Check that a release build gives the committed results too, byte for byte, and installs
	git diff --exit-code -- results/reference results/learned Documentation/Advise.md Documentation/ContinuousIntegration.md Documentation/Learn.md
	@scripts/install install /usr "$(CURDIR)/.build/installed"

docs: prepare ## Build the documentation (.build/documentation); a broken link and an undocumented symbol are errors
	@scripts/docs

sanitize: prepare ## Run the tests of all that has threads under the thread and the address sanitizer; the first with SwiftNIO
	FRAMEBUDGET_TESTS='$(THREADED)' scripts/test --sanitize=thread --traits NIO $(LINES_ONLY) --scratch-path .build-thread --skip '$(UNTHREADED)'
	FRAMEBUDGET_TESTS='$(THREADED)' ASAN_OPTIONS=detect_leaks=0 \
	  scripts/test --sanitize=address $(LINES_ONLY) --scratch-path .build-address --skip '$(UNTHREADED)'

fuzz: prepare ## Fuzz every parser, ten minutes each (Tests/Fuzz/fuzz.sh [SECONDS] [PARSER...])
	swift build --product framebudget
	Tests/Fuzz/fuzz.sh 600

soak: prepare fuzz ## Fuzz, and run the tests with the counts for a night (Tests/TestSupport/Tries.swift)
	FRAMEBUDGET_TIER=soak FRAMEBUDGET_EXHAUSTIVE=1 FRAMEBUDGET_TEST_LIMIT=86400 scripts/test

minutes: prepare ## Rewrite the tables of where the minutes go (CONTRIBUTING.md; twenty minutes; nothing else should run)
	@scripts/minutes

ci: ## All that must pass before a change is merged
	@scripts/ci

prepare:
	@scripts/prepare
