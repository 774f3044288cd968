internal import SchedulableThreads
internal import Synchronization

/// A scheduler on a queue or loop of another library: runs events in turns that it requests there.
///
/// ```swift
/// let files = HostedScheduler(name: "files") { turn in queue.async(execute: turn) }        // a dispatch queue
/// let network = HostedScheduler(name: "network") { turn in eventLoop.execute(turn) }       // an event loop of SwiftNIO
/// ```
///
/// It requests a turn when an event arrives and none is requested. Turns never run at the same time, so the queue may be a
/// concurrent one. After its share of the time a turn ends, and requests another one for the events that are left.
public final class HostedScheduler: Scheduler {
  public let loop: SchedulerLoop
  private let share: Duration
  private let loopReference: LoopReference
  private let sleeper: MainSleeper
  // Proof: used only in turns, which run one at a time, see `Turns`; and in `deinit`.
  private nonisolated(unsafe) var consumer: Consumer

  /// Creates a scheduler.
  ///
  /// - Parameters:
  ///   - name: the name for reports and debuggers.
  ///   - share: the time after which a turn ends.
  ///   - options: the queue and the checks.
  ///   - submit: makes the other library run the turn soon, on any thread, and never within this call.
  public convenience init(
    name: String, share: Duration = .milliseconds(2),
    options: SchedulerOptions = SchedulerOptions(),
    submit: @escaping @Sendable (_ turn: @escaping @Sendable () -> Void) -> Void
  ) {
    self.init(name: name, share: share, options: options, isOnMainQueue: false, submit: submit)
  }

  /// `isOnMainQueue` is whether `submit` submits to the main queue.
  init(
    name: String, share: Duration = .milliseconds(2), options: SchedulerOptions,
    isOnMainQueue: Bool,
    submit: @escaping @Sendable (_ turn: @escaping @Sendable () -> Void) -> Void
  ) {
    let turns = Turns(submit)
    self.share = share
    sleeper = MainSleeper(wake: { turns.request() })
    loop = SchedulerLoop(
      name: name, options: options, parker: sleeper, isOnMainQueue: isOnMainQueue)
    loopReference = LoopReference(of: loop, keepsThread: false)
    unsafe consumer = Consumer(loop)
    unsafe loopReference.owner = self
    unsafe turns.scheduler = self
    _ = loop.fallAsleep()
  }

  deinit {
    loop.closeAbandoned(.drop)
    loop.owned { unsafe consumer.end() }
  }

  /// Stops accepting events, and returns when the waiting ones have run or are dropped, according to `mode`.
  public func shutdown(_ mode: ShutdownMode = .drain) async {
    loop.close(mode)
    await loop.ended.wait()
  }

  /// Makes `owner` the scheduler of this one's objects. Only in the owner's initialiser, before there are any.
  func serve(_ owner: any Scheduler) { unsafe loopReference.owner = owner }

  /// Runs events for their share of the time. Only as a turn.
  private func runShare() {
    loop.wakeUp()
    loop.owned {
      if loop.isClosed { return unsafe consumer.end() }
      let end = ContinuousClock.now + share
      Platform.drainingAutoreleased {
        while unsafe consumer.runNext(), ContinuousClock.now < end {}
      }
    }
    if loop.isClosed {
      loop.owned { unsafe consumer.end() }
      loop.ended.open()
    } else {
      // The scheduler may be closed by now, which found it awake: then this requests the turn that ends it.
      loop.owned { unsafe consumer.rest(waking: sleeper, evenIfClosed: false) }
    }
  }

  /// The scheduler's turns, of which at most one is submitted and has not ended. It does not keep the scheduler.
  private final class Turns: Sendable {
    // Proof: written once, by the scheduler's initialiser; reading a weak reference is atomic.
    nonisolated(unsafe) weak var scheduler: HostedScheduler?
    private let submit: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let requests = Atomic(0)

    init(_ submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
      self.submit = submit
    }

    func request() {
      if requests.add(1, ordering: .acquiringAndReleasing).oldValue == 0 { submit(run) }
    }

    @Sendable private func run() {
      let answered = requests.load(ordering: .acquiring)
      unsafe scheduler?.runShare()
      let left = requests.subtract(answered, ordering: .acquiringAndReleasing).newValue
      if left > 0 { submit(run) }
    }
  }
}
