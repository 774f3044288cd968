internal import SchedulableThreads
internal import Foundation
public import FrameBudget
internal import Synchronization

/// A lane on Foundation's run loop, on a thread of its own.
public final class RunLoopCarrier: Carrier {
  private let thread: PlatformThread
  private let looping: LoopingThread
  private let loop: ForeignRunLoop
  private let name: String
  private let gate = PostGate()

  public init(_ lane: Lane) throws(CarrierError) {
    let looping = LoopingThread()
    thread = try .lane(lane) { looping.run() }
    loop = looping.waitForLoop()
    self.looping = looping
    name = lane.name
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    let posted = PostedEvent(event)
    gate.enter { loop.perform { posted.run() } }
  }

  public func send(_ number: Int, to tally: EventTally) {
    loop.perform { tally.ran(number) }
  }

  public var loss: String? { Lane.loss(ofLate: gate.late, on: name) }

  public func stop() {
    gate.close { loop.perform { [looping] in looping.end() } }
    thread.join()
  }
}

/// A run loop of another thread.
///
/// `@unchecked`: only `perform` is used, which any thread may call.
private struct ForeignRunLoop: @unchecked Sendable {
  private let loop: RunLoop

  init(_ loop: RunLoop) { self.loop = loop }

  func perform(_ event: @escaping @Sendable () -> Void) { loop.perform(event) }
}

/// Runs the loop of the lane's thread until it ends.
private final class LoopingThread: Sendable {
  private let loop = Locked<ForeignRunLoop?>(nil)
  private let running = OneShotSignal()
  private let isOver = Atomic(false)

  /// On the lane's thread.
  func run() {
    let current = RunLoop.current
    // Without a source the loop would return at once.
    let keepAlive = Timer(timeInterval: 1e9, repeats: true) { _ in }
    current.add(keepAlive, forMode: .default)
    loop.withLock { $0 = ForeignRunLoop(current) }
    running.set()
    // On Linux nothing makes a run loop return, so it polls.
    while !isOver.load(ordering: .acquiring) {
      _ = current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
    }
    keepAlive.invalidate()
  }

  func waitForLoop() -> ForeignRunLoop {
    running.wait()
    guard let loop = loop.withLock({ $0 }) else { preconditionFailure("set before the mark") }
    return loop
  }

  func end() { isOver.store(true, ordering: .releasing) }
}
