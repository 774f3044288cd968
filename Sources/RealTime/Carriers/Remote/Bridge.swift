internal import CLinux
internal import Concurrency
internal import Foundation
internal import FrameBudget
internal import Synchronization

/// Two buffers of JSON, one for each direction, and the events that calls stand for.
final class Bridge: Sendable {
  private struct Traffic {
    /// By callback: nil once the event has run and only the answer is under way.
    var events: [Int: PostedEvent?] = [:]
    /// Calls since the last flush, and answers that nobody has taken yet: items of a JSON list, without brackets.
    var calls = Data()
    var answers = Data()
    var isClosed = false
    /// Calls that came after the close, which nobody serves.
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

  /// Decodes what has been answered, and forgets the callbacks.
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

  /// Calls whose answers nobody has taken yet.
  var unanswered: Int { traffic.withLock { $0.events.count } }

  /// Calls that came too late.
  var late: Int { traffic.withLock { $0.late } }

  /// Ends `serve` with the next flush.
  func close() { traffic.withLock { $0.isClosed = true } }

  // MARK: The other side

  /// Runs what is called, flush by flush, until the bridge is closed and empty.
  func serve() {
    let began = clinux_monotonic()
    var isOpen = true
    while isOpen {
      sleep(since: began)
      let (calls, isClosed) = traffic.withLock { ($0.calls.takeAll(), $0.isClosed) }
      isOpen = !isClosed
      for call in calls.map({ Self.items($0, as: RemoteCall.self) }) ?? [] { carryOut(call) }
    }
  }

  /// Until the next flush; what the calls of the last one took longer is skipped.
  private func sleep(since began: Int64) {
    let passed = (clinux_monotonic() - began) / flush.nanoseconds
    let next = began + (passed + 1) * flush.nanoseconds
    while clinux_sleep_until(next) != 0 {}
  }

  private func carryOut(_ call: RemoteCall) {
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

  /// What is there, which then is no longer; nil if that is nothing.
  fileprivate mutating func takeAll() -> Data? {
    defer { self = Data() }
    return isEmpty ? nil : self
  }
}
