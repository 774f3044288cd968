import FrameBudgetParsing
import Testing

@testable import FrameBudgetCaptures

@Suite struct `A line of a trace that is still written` {
  private func event(_ line: String) -> TracedEvent? { TracedEvent(Array(line.utf8).span) }

  private static let switched =
    " weston-simple-s-6803  (   6803) [001] d..2.   232.874721: sched_switch: prev_comm=weston-simple-s prev_pid=6803 "
    + "prev_prio=120 prev_state=S ==> next_comm=weston next_pid=6788 next_prio=120"

  private typealias Task = TracedEvent.Task

  @Test func `is a switch, a wake-up, a request or the end of a callback`() {
    let app = Task(thread: 6803, name: "weston-simple-s")
    let weston = Task(thread: 6788, name: "weston")
    #expect(
      event(Self.switched)
        == TracedEvent(
          at: 232_874_721_000, by: app, of: 6803,
          .switched(from: app, wasPreempted: false, to: weston)))
    #expect(
      event(Self.switched.replacing("prev_state=S", with: "prev_state=R+"))?.kind
        == .switched(from: app, wasPreempted: true, to: weston))
    let waking =
      "          weston-6788    [001] d..3.   232.873241: sched_waking: comm=weston-simple-s pid=6803 prio=120 target_cpu=001"
    #expect(
      event(waking)
        == TracedEvent(
          at: 232_873_241_000, by: weston, of: nil, .woken(thread: 6803, byInterrupt: false)))
    for flags in ["d.h3.", "dNs3.", "d.H3."] {
      #expect(
        event(waking.replacing("d..3.", with: flags))?.kind
          == .woken(thread: 6803, byInterrupt: true))
    }
    #expect(
      event(waking.replacing("weston-6788", with: "<idle>-0"))?.kind
        == .woken(thread: 6803, byInterrupt: true))
    func probe(_ text: String) -> TracedEvent.Kind? {
      event(" app-6803  (   6803) [001] DBZff   232.874707: \(text)")?.kind
    }
    #expect(
      probe(#"request: (0x7f4804b0a1d0) op=6 id=3 kind="wl_surface""#)
        == .requested(opcode: 6, surface: 3))
    #expect(
      probe(#"destroy: (0x7f4804b09da0) id=11 kind="wl_callback""#) == .destroyed(callback: 11))
    for name in ["listen", "dispatch"] {
      #expect(
        probe(#"\#(name): (0x7f4804b09da0) id=11 kind="wl_callback""#) == .listened(callback: 11))
    }
    #expect(probe("load_items_b: (0x55b0)") == .called(function: "load_items", returns: false))
    #expect(
      probe("load_items_e: (0x7f8d <- 0x55b0)") == .called(function: "load_items", returns: true))
    for text in [
      "load_items: (0x55b0)", "load_items_e: (0x55b0)", "load_items_b: (0x7f8d <- 0x55b0)",
      "load_items_b: (0x55b0", "load_items_b: 0x55b0)",
      #"request: (0x7f4804b0a1d0) op=6 id=3 kind="xdg_surface""#,
      #"request: (0x7f4804b0a1d0) op=6 id=3 kind=(fault)"#,
      #"request: (0x7f4804b0a1d0) op=6 id=99999999999 kind="wl_surface""#,
      #"request: (0x7f4804b0a1d0) op=6 id=-3 kind="wl_surface""#,
      #"request: (0x7f4804b0a1d0) op= id=3 kind="wl_surface""#,
      #"request: op=6 id=3 kind="wl_surface""#, "request: (0x7f4804b0a1d0) op=6",
      #"destroy: (0x7f4804b09da0) id=11 kind="wl_surface""#,
      #"other: (0x7f4804b09da0) id=11 kind="wl_callback""#, "request:", "",
    ] { #expect(probe(text) == nil, "\(text)") }
  }

  /// A process gives itself a name of up to 15 bytes.
  @Test(arguments: [
    "a b", "==>", " ==> next_comm=", " prev_pid=1", " next_pid=1", " prev_state=R", "[001]", "",
    " pid=1", "x-1 [000] 1.0: ", "é", "comm=x pid=7",
  ])
  func `has any names`(name: String) {
    let line =
      "\(name)-12  (  12) [001] d..2.   1.000001: sched_switch: prev_comm=\(name) prev_pid=12 prev_prio=-2 prev_state=S "
      + "==> next_comm=\(name) next_pid=34 next_prio=120"
    let found = event(line)
    #expect(
      found?.kind
        == .switched(
          from: Task(thread: 12, name: name), wasPreempted: false, to: Task(thread: 34, name: name))
    )
    #expect(
      event(
        "a-1 [000] d..3. 1.0: sched_waking: comm=\(name) pid=56 prio=120 target_cpu=000")?.kind
        == .woken(thread: 56, byInterrupt: false))
  }

  @Test func `that a name with a line break has cut is left out`() {
    var (text, events) = (TracedText(), [TracedEvent]())
    let line = Self.switched.replacing("next_comm=weston", with: "next_comm=wes\nton")
    text.add(Array((line + "\n" + Self.switched + "\n").utf8)) { events.append($0) }
    #expect(events == [event(Self.switched)])
  }

  @Test func `is read in pieces of any length`() {
    let whole = String(repeating: Self.switched + "\n", count: 5) + "CPU:1 [LOST 123 EVENTS]\n"
    for length in [1, 2, 7, 100, 1000] {
      var (text, count) = (TracedText(), 0)
      let bytes = Array(whole.utf8)
      for start in stride(from: 0, to: bytes.count, by: length) {
        text.add(Array(bytes[start..<min(start + length, bytes.count)])) { _ in count += 1 }
      }
      #expect(count == 5 && text.lost == 123)
    }
  }

  @Test func `says how many events were lost`() {
    var text = TracedText()
    let lines = """
      CPU:0 [LOST 7 EVENTS]
      CPU:1 [LOST EVENTS]
      CPU: [LOST 1 EVENTS]
      CPU:1 [LOST 5
      CPU:1 [LOST 999999999999999999 EVENTS]
      CPU:1 [LOST 999999999999999999 EVENTS]

      """
    text.add(Array(lines.utf8)) { _ in Issue.record("an event") }
    #expect(text.lost == 1 << 40)
  }

  @Test func `that is nonsense, or endless, is left out`() {
    var (text, events) = (TracedText(), [TracedEvent]())
    var random = SystemRandomNumberGenerator()
    let noise = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    text.add(noise) { _ in }
    text.add([0x0a] + Array(repeating: UInt8(ascii: "x"), count: 10_000_000)) { _ in }
    text.add(Array(("\n" + Self.switched + "\n").utf8)) { events.append($0) }
    #expect(events == [event(Self.switched)])
  }

  /// Each part of it is cut off, or replaced by another number.
  @Test func `that is damaged harms nothing`() {
    let request =
      #" app-6803 (6803) [001] DBZff 232.874707: request: (0x7f4804b0a1d0) op=6 id=3 kind="wl_surface""#
    for line in [Self.switched, request] {
      let bytes = Array(line.utf8)
      for count in bytes.indices {
        let cut = Array(bytes[..<count])
        _ = TracedEvent(cut.span)
      }
      for range in line.matches(of: #/[0-9]+/#).map(\.range) {
        for value in ["", "-1", "99999999999999999999", "0", "18446744073709551616"] {
          var other = line
          other.replaceSubrange(range, with: value)
          _ = event(other)
        }
      }
    }
  }
}

@Suite struct `A recording with the surfaces of requests` {
  /// The seed's requests are on surface 3. A cursor, surface 9, commits more often, and other interfaces have the same opcodes.
  @Test func `has the frames of the window`() throws {
    let seed = String(decoding: try Seeds.bytes("recording-wayland/app.txt"), as: UTF8.self)
    let lines = seed.split(separator: "\n").flatMap { line -> [Substring] in
      guard line.contains(" op=") else { return [line] }
      let cursor = line.replacing(" op=3", with: " op=6") + #" id=9 kind="wl_surface""#
      return [
        line + #" id=3 kind="wl_surface""#, cursor, cursor, line + #" id=4 kind="xdg_toplevel""#,
        line.replacing(#/ op=\d/#, with: #" id=5 kind="wl_callback""#),
      ]
    }
    let recording = try RecordingFile.read(Array(lines.joined(separator: "\n").utf8), name: "app")
    let plain = try Seeds.read("recording-wayland/app.txt")
    #expect(recording.frameLines == plain.frameLines && recording.lines(0) == plain.lines(0))
  }
}
