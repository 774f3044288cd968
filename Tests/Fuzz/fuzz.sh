#!/bin/sh
# Fuzzes every parser with libFuzzer, one after another. Usage: Tests/Fuzz/fuzz.sh [SECONDS] [PARSER...]
# (names from FuzzTarget.swift). Findings stay in $FUZZ_DIR (default: a folder in /tmp); a copy in Seeds becomes a
# regression test.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-600}
[ $# -gt 0 ] && shift
work=${FUZZ_DIR:-/tmp/framebudget-fuzz}
mkdir -p "$work"

flags="-O -wmo -parse-as-library -swift-version 6 -sanitize=fuzzer,address -enable-testing
  -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature ExistentialAny -package-name framebudget -I Sources/System/CZlib"

# Yams comes from the package's usual build; only the project's code is instrumented.
build=$(swift build --show-bin-path)
cyaml=.build/checkouts/Yams/Sources/CYaml/include
[ -d "$build/Yams.build" ] || { echo "Yams is not built: swift build" >&2; exit 69; }
objects=
# The code of embedded resources, which only the package manager writes.
embedded() { find "$build/$1.build/DerivedSources" -name embedded_resources.swift 2>/dev/null; }
module() {
  name=$1
  folder=$2
  shift 2
  objects="$objects $work/$name.o"
  # shellcheck disable=SC2086,SC2046
  swiftc $flags -module-name "$name" -emit-module -emit-module-path "$work/$name.swiftmodule" \
    -c -o "$work/$name.o" -I "$work" "$@" $(find "$folder" -name '*.swift') $(embedded "$name")
}
module FrameBudget Sources/Model/FrameBudget
module FrameBudgetParsing Sources/Input/Parsing
module FrameBudgetCaptures Sources/Input/Captures
module FrameBudgetSimulation Sources/Engines/Simulation
module FrameBudgetAdvice Sources/Questions/Advice
module FrameBudgetReports Sources/Views/Reports
module FrameBudgetScenarios Sources/Input/Scenarios -I "$build/Modules" -I "$cyaml"
objects="$objects $(find "$build/Yams.build" "$build/CYaml.build" -name '*.o')"
# shellcheck disable=SC2086
swiftc $flags -module-name Fuzzer -I "$work" -I "$build/Modules" -I "$cyaml" Tests/Fuzz/*.swift \
  Tests/Input/CapturesTests/Recordings/RecordingInvariants.swift Sources/Command/Tool/Record/UserFlow.swift \
  Sources/Command/Tool/Record/JSON+Reading.swift Sources/Command/Tool/Record/DevTools/WebSocketMessages.swift \
  Sources/Command/Tool/Live/Window*.swift Sources/Command/Tool/Live/Wayland/WaylandL*.swift \
  Sources/Command/Tool/Measure/CountedCosts.swift $objects -o "$work/fuzzer" 2>"$work/link.log" ||
  { cat "$work/link.log"; exit 1; }

# Prints the folder of a parser's seeds: its own, or the logs of all formats.
seeds() {
  case $1 in
    scenarios) echo scenarios ;;
    replay) echo Tests/Fuzz/Seeds/frames ;;
    swept) echo Tests/Fuzz/Seeds/results ;;
    frame-timeline) echo Tests/Fuzz/Seeds/recording-perfetto ;;
    *) [ -d "Tests/Fuzz/Seeds/$1" ] && echo "Tests/Fuzz/Seeds/$1" || echo Tests/Fuzz/Seeds/logs ;;
  esac
}

all="presentmon mangohud capframex framestats chrome timestamps fraps unreal latency benchmarks xctrace
  flutter-summary own-frames logs recording-chrome recording-flutter recording-systrace recording-perfetto
  recording-instruments recording-firefox recording-wayland recording-sysprof column results workloads limits
  proofs run frames traces replay gates scenarios costs advice moves shares history spans sweeps swept rules flows
  frame-timeline unpacking websockets page-reports wayland"
found=0
for target in ${*:-$all}; do
  corpus="$work/corpus-$target"
  mkdir -p "$corpus"
  echo "== $target for $seconds s"
  FUZZ_TARGET=$target ASAN_OPTIONS=detect_leaks=0 "$work/fuzzer" -max_total_time="$seconds" \
    -timeout=5 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="$work/$target-" "$corpus" "$(seeds "$target")" 2>"$work/$target.log" ||
    { tail -30 "$work/$target.log"; found=1; }
  grep -E 'number_of_executed_units|peak_rss_mb' "$work/$target.log" || true
done
exit "$found"
