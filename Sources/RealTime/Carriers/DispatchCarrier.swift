internal import Concurrency
internal import DequeModule
internal import Dispatch
public import FrameBudget

/// A lane on a dispatch queue: a serial one, or a concurrent one of which no more than the width are busy.
///
/// Dispatch's pool starts as many workers as there are cores, and adds to them only slowly while they block: a width
/// above that is mostly a promise.
public final class DispatchCarrier: Carrier {
  private let queue: DispatchQueue
  private let width: Int
  /// Events beyond the width, and how many are on the queue; a serial queue needs no such account.
  private let account = Locked((waiting: Deque<PostedEvent>(), running: 0))
  private let events = DispatchGroup()

  public init(_ lane: Lane) {
    width = lane.width
    queue = DispatchQueue(
      label: lane.name, qos: lane.serviceClass, attributes: lane.width > 1 ? .concurrent : [])
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    let posted = PostedEvent(event)
    if width == 1 { return queue.async { posted.run() } }
    let mayStart = account.withLock { account in
      if account.running == width {
        account.waiting.append(posted)
        return false
      }
      account.running += 1
      return true
    }
    if mayStart { start(posted) }
  }

  public func send(_ number: Int, to tally: EventTally) {
    queue.async { tally.ran(number) }
  }

  public func stop() {
    events.wait()
    queue.sync(flags: .barrier) {}
  }

  private func start(_ event: PostedEvent) {
    queue.async(group: events) { [self] in
      event.run()
      let next = account.withLock { account in
        if account.waiting.isEmpty { account.running -= 1 }
        return account.waiting.popFirst()
      }
      if let next { start(next) }
    }
  }
}

extension Lane {
  /// The class whose threads Dispatch gives this lane's nice value on Linux.
  var serviceClass: DispatchQoS {
    switch nice {
    case 10: .background
    case 2: .utility
    case -2: .userInitiated
    default: .default
    }
  }
}
