internal import CFrameBudgetLinux
internal import SchedulableThreads
internal import Foundation
public import FrameBudget
internal import Synchronization

/// A lane behind a bridge like React Native's former one: callers write JSON into a buffer, which the other side empties every
/// `flush`; answers carry the number of a callback.
///
/// Encoding, decoding, answers and the wait for the next flush are real. The events are closures, which cannot be encoded: a
/// table keeps them by the number of their callback.
public final class BridgeCarrier: Carrier {
  private let name: String
  private let bridge: Bridge
  private let thread: PlatformThread

  public init(_ lane: Lane) throws(CarrierError) {
    let bridge = Bridge(flush: lane.options.timeSpan(.flush))
    thread = try .lane(lane) { bridge.serve() }
    self.bridge = bridge
    name = lane.name
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    bridge.takeAnswers()
    bridge.call(name, PostedEvent(event))
  }

  public var loss: String? { Lane.loss(ofLate: bridge.late, on: name) }

  public func stop() {
    bridge.close()
    thread.join()
    bridge.takeAnswers()
  }
}

/// Two buffers of JSON, one for each direction, and the events of the calls.
final class Bridge: Sendable {
  private struct Traffic {
    /// By callback: nil after the event has run, until the answer is taken.
    var events: [Int: PostedEvent?] = [:]
    /// Calls since the last flush, and answers that were not taken yet: items of a JSON list, without brackets.
    var calls = Data()
    var answers = Data()
    var isClosed = false
    /// Calls after the close, which are lost.
    var late = 0
  }

  private let flush: TimeSpan
  private let traffic = Locked(Traffic())
  private let callbacks = Atomic(0)

  init(flush: TimeSpan) { self.flush = flush }

  // MARK: The side that calls

  func call(_ module: String, _ event: PostedEvent) {
    let callback = callbacks.add(1, ordering: .relaxed).newValue
    let call = RemoteCoding.encoded(RemoteCall(module: module, callback: callback))
    traffic.withLock { traffic in
      if traffic.isClosed {
        traffic.late += 1
        return
      }
      traffic.events[callback] = .some(event)
      traffic.calls.appendItem(call)
    }
  }

  /// Decodes the answers and removes their callbacks.
  func takeAnswers() {
    let answers = traffic.withLock { $0.answers.takeAll() }
    guard let answers else { return }
    let answered = Self.items(answers, as: RemoteAnswer.self)
    traffic.withLock { traffic in
      for answer in answered {
        precondition(
          traffic.events.removeValue(forKey: answer.callback) != nil, "answers come once")
      }
    }
  }

  /// Calls whose answers were not taken yet.
  var unanswered: Int { traffic.withLock { $0.events.count } }

  /// Calls after the close.
  var late: Int { traffic.withLock { $0.late } }

  /// Ends `serve` with the next flush.
  func close() { traffic.withLock { $0.isClosed = true } }

  // MARK: The other side

  /// Runs the calls, flush by flush, until the bridge is closed and empty.
  func serve() {
    let began = clinux_monotonic()
    var isOpen = true
    while isOpen {
      sleep(since: began)
      let (calls, isClosed) = traffic.withLock { ($0.calls.takeAll(), $0.isClosed) }
      isOpen = !isClosed
      for call in calls.map({ Self.items($0, as: RemoteCall.self) }) ?? [] { execute(call) }
    }
  }

  /// Sleeps until the next flush; skips the flushes that the last calls overran.
  private func sleep(since began: Int64) {
    let passed = (clinux_monotonic() - began) / flush.nanoseconds
    let next = began + (passed + 1) * flush.nanoseconds
    while clinux_sleep_until(next) != 0 {}
  }

  private func execute(_ call: RemoteCall) {
    let event = traffic.withLock { $0.events.updateValue(nil, forKey: call.callback) }
    guard case .some(.some(let event)) = event else {
      preconditionFailure("a call waits for its answer")
    }
    event.run()
    let answer = RemoteCoding.encoded(RemoteAnswer(to: call))
    traffic.withLock { $0.answers.appendItem(answer) }
  }

  private static func items<Item: Decodable>(_ list: Data, as item: Item.Type) -> [Item] {
    let json = Data("[".utf8) + list + Data("]".utf8)
    guard let items = RemoteCoding.decoded(json, as: [Item].self) else {
      preconditionFailure("a bridge carries what was encoded for it")
    }
    return items
  }
}

extension Data {
  /// Appends an item of a JSON list.
  fileprivate mutating func appendItem(_ item: Data) {
    if !isEmpty { append(UInt8(ascii: ",")) }
    append(item)
  }

  /// Removes and returns all bytes; nil if there are none.
  fileprivate mutating func takeAll() -> Data? {
    defer { self = Data() }
    return isEmpty ? nil : self
  }
}

/// An encoded call: the receiver, an argument, and the callback for the answer.
///
/// The event stays with the caller, under the number of its callback. The argument has a realistic size: a photo's record, 250
/// bytes as JSON.
struct RemoteCall: Codable {
  let module: String
  let method: String
  let argument: Record
  let callback: Int

  init(module: String, callback: Int) {
    self.module = module
    method = "perform"
    argument = Record(id: callback)
    self.callback = callback
  }
}

/// The answer to a call.
struct RemoteAnswer: Codable {
  let callback: Int
  /// Computed from the call's argument.
  let result: String

  init(to call: RemoteCall) {
    callback = call.callback
    result = call.argument.checksum
  }
}

/// The encoding of calls and answers: JSON.
enum RemoteCoding {
  private static let encoder = JSONEncoder()
  private static let decoder = JSONDecoder()

  static func encoded(_ value: some Encodable) -> Data {
    do {
      return try encoder.encode(value)
    } catch {
      preconditionFailure("texts and whole numbers can be written as JSON")
    }
  }

  /// Nil if `data` is not a `Value`.
  static func decoded<Value: Decodable>(_ data: Data, as type: Value.Type) -> Value? {
    try? decoder.decode(type, from: data)
  }
}
