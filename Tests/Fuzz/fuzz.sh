#!/bin/sh
# Fuzzes every parser with libFuzzer. Usage: Tests/Fuzz/fuzz.sh [SECONDS] [logs|results|frames|traces|gates|scenarios...]
# What is found stays in $FUZZ_DIR (default: a folder in /tmp); a copy in Seeds makes it a regression test.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-600}
[ $# -gt 0 ] && shift
work=${FUZZ_DIR:-/tmp/framebudget-fuzz}
mkdir -p "$work"

flags="-O -wmo -parse-as-library -swift-version 6 -sanitize=fuzzer,address
  -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature ExistentialAny"

# Yams comes from the package's own build; only our code is instrumented.
build=$(swift build --show-bin-path)
module() {
  name=$1
  shift
  # shellcheck disable=SC2086,SC2046
  swiftc $flags -module-name "$name" -emit-module -emit-module-path "$work/$name.swiftmodule" \
    -c -o "$work/$name.o" -I "$work" "$@" $(find "Sources/$name" -name '*.swift')
}
module FrameBudget
module Parsing
module Importing
module Reports

objects="$work/FrameBudget.o $work/Parsing.o $work/Importing.o $work/Reports.o"
yams=""
if [ -d "$build/Yams.build" ]; then
  cyaml=$(find .build/checkouts/Yams/Sources/CYaml/include -maxdepth 0)
  module Scenarios -I "$build/Modules" -I "$cyaml"
  objects="$objects $work/Scenarios.o $(find "$build/Yams.build" "$build/CYaml.build" -name '*.o' | tr '\n' ' ')"
  yams="-D SCENARIOS -I $build/Modules -I $cyaml"
else
  echo "Yams is not built (swift build): scenarios are not fuzzed" >&2
fi
# shellcheck disable=SC2086
swiftc $flags -module-name Fuzzer -I "$work" $yams Tests/Fuzz/Fuzzer.swift $objects -o "$work/fuzzer" 2>"$work/link.log" ||
  { cat "$work/link.log"; exit 1; }

for target in ${*:-logs results frames traces gates ${yams:+scenarios}}; do
  corpus="$work/corpus-$target"
  mkdir -p "$corpus"
  seeds="Tests/Fuzz/Seeds/$target"
  [ "$target" = scenarios ] && seeds=scenarios
  echo "== $target for $seconds s"
  FUZZ_TARGET=$target ASAN_OPTIONS=detect_leaks=0 "$work/fuzzer" -max_total_time="$seconds" \
    -timeout=5 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="$work/$target-" "$corpus" "$seeds" 2>"$work/$target.log" ||
    { tail -30 "$work/$target.log"; exit 1; }
  grep -E 'number_of_executed_units|peak_rss_mb' "$work/$target.log"
done
