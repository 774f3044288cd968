internal import FrameBudgetParsing

/// Probes on functions of programs in ftrace's text: `name: (0x55d0)` at the begin of a function, `name: (0x7f10 <- 0x55d0)` at
/// its return, and `name: (0x7f10) op=6` or `name: (0x7f10) op=6 id=3 kind="wl_surface"` on requests of a client of Wayland.
struct UserProbes {
  private typealias Call = (name: [UInt8], begin: Int64)

  /// By thread and function: the calls that have not returned, the newest last.
  private var calls: [Int: [UInt64: [Call]]] = [:]
  private var count = 0

  /// Most functions with a probe at their begin have one at their return.
  private static let maxCalls = 1 << 16
  /// Of one function, on one thread; Linux keeps as many. A function without a probe at its return has no more, either.
  private static let maxDepth = 64

  mutating func take(
    _ event: SystraceLine, _ name: Span<UInt8>, _ details: Span<UInt8>,
    into sink: inout some KernelSink
  ) {
    var at = 0
    guard TextScan.takeText("(0x", details, &at),
      let address = TextScan.hexadecimal(details, &at)
    else { return }
    if TextScan.takeText(" <- 0x", details, &at) {
      guard let function = TextScan.hexadecimal(details, &at),
        let call = calls[event.thread]?[function]?.popLast()
      else { return }
      count -= 1
      if calls[event.thread]?[function]?.isEmpty == true { calls[event.thread]?[function] = nil }
      guard call.begin <= event.instant else { return }
      let number = sink.intern(Self.shared(call.name, name).span)
      sink.called(number, thread: event.thread, from: call.begin, to: event.instant)
    } else if let call = WaylandCall(details, at) {
      if call.isOfSurface, let request = call.opcode.flatMap(WaylandRequest.init(rawValue:)) {
        sink.requested(request, of: call.object, thread: event.thread, at: event.instant)
      } else if let object = call.object, call.isOfCallback,
        let use = TracedEvent.use(
          ofCallbackBy: String(decoding: name.indices.map { name[$0] }, as: UTF8.self))
      {
        sink.used(use, of: object, thread: event.thread, at: event.instant)
      }
    } else if count < Self.maxCalls {
      begin((name.indices.map { name[$0] }, event.instant), of: address, thread: event.thread)
    }
  }

  private mutating func begin(_ call: Call, of function: UInt64, thread: Int) {
    calls[thread, default: [:]][function, default: []].append(call)
    count += 1
    // The oldest of too many lost its return.
    if let open = calls[thread]?[function]?.count, open > Self.maxDepth {
      calls[thread]?[function]?.removeFirst()
      count -= 1
    }
  }

  /// The name of a function: the words that the names of its two probes begin with, such as `draw` of `draw_b` and `draw_e`, or
  /// else the name of the first.
  private static func shared(_ begin: [UInt8], _ end: Span<UInt8>) -> [UInt8] {
    let line = UInt8(ascii: "_")
    var count = 0
    while count < min(begin.count, end.count), begin[count] == end[count] { count += 1 }
    // Not within a word: `read_enter` and `read_exit` are `read`.
    if count < begin.count && begin[count] != line || count < end.count && end[count] != line {
      count = begin[..<count].lastIndex(of: line) ?? 0
    }
    while count > 0, begin[count - 1] == line { count -= 1 }
    return count > 0 ? Array(begin[..<count]) : begin
  }
}

/// A call of libwayland that a probe has seen, by what it says after the address: `) op=6 id=3 kind="wl_surface"`.
struct WaylandCall {
  /// Nil if it is no request.
  private(set) var opcode: Int?
  /// The number and the interface of its object; nil if the probe does not say them.
  private(set) var object: Int?
  /// Whether the object is a surface, or can be one.
  private(set) var isOfSurface = true
  private(set) var isOfCallback = false

  /// Nil if the probe says neither a request nor an object.
  init?(_ details: Span<UInt8>, _ start: Int) {
    var at = start
    guard TextScan.take(")", details, &at) else { return nil }
    if TextScan.takeText(" op=", details, &at) {
      guard let number = TextScan.number(details, &at) else { return nil }
      opcode = number
    }
    if TextScan.takeText(" id=", details, &at) {
      guard let number = TextScan.number(details, &at) else { return nil }
      object = number
    }
    guard TextScan.takeText(" kind=", details, &at) else {
      // A probe on a function of the app can also say an `id`.
      if opcode == nil { return nil }
      return
    }
    isOfSurface = TextScan.takeText("\"wl_surface\"", details, &at)
    isOfCallback = TextScan.takeText("\"wl_callback\"", details, &at)
  }
}
