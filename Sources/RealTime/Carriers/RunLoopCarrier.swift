public import FrameBudget
internal import Foundation
internal import SchedulableObjects
internal import Synchronization

/// A lane on Foundation's run loop, on a thread of its own.
public final class RunLoopCarrier: Carrier {
  private let thread: PlatformThread
  private let loop: RunLoopOfThread

  public init(_ lane: Lane) throws(CarrierError) {
    let loop = RunLoopOfThread()
    do {
      thread = try PlatformThread(name: lane.name, nice: lane.nice == 0 ? nil : lane.nice) {
        loop.run()
      }
    } catch {
      throw CarrierError("\(error)")
    }
    loop.waitUntilItRuns()
    self.loop = loop
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    loop.perform(PostedEvent(event))
  }

  public func stop() {
    loop.end()
    thread.join()
  }
}

/// The run loop of a thread, as others see it.
private final class RunLoopOfThread: Sendable {
  private let loop = Mutex<CFBox?>(nil)
  private let running = EndMark()
  private let isOver = Atomic(false)

  /// `@unchecked`: of all that a run loop offers, only `perform`, which may be called from any thread.
  private struct CFBox: @unchecked Sendable {
    let loop: RunLoop
  }

  /// On the lane's thread: runs until `end`.
  func run() {
    let box = CFBox(loop: .current)
    // Without a source the loop would return at once.
    let keepAlive = Timer(timeInterval: 1e9, repeats: true) { _ in }
    box.loop.add(keepAlive, forMode: .default)
    loop.withLock { $0 = box }
    running.set()
    // On Linux nothing makes a run loop return, so it looks now and then whether it should.
    while !isOver.load(ordering: .acquiring) {
      _ = box.loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
    }
    keepAlive.invalidate()
  }

  func waitUntilItRuns() { running.wait() }

  func perform(_ event: PostedEvent) {
    loop.withLock { $0 }?.loop.perform { event.run() }
  }

  func end() {
    perform(PostedEvent { [self] in isOver.store(true, ordering: .releasing) })
  }
}
