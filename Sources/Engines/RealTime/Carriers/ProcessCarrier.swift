internal import CFrameBudgetLinux
internal import SchedulableThreads
internal import Foundation
public import FrameBudget
internal import Glibc
internal import Synchronization

/// A lane behind another process, like components of COM or CORBA: every event is a call over a pair of sockets.
///
/// The process, the encoding of every call and answer, and the system calls are real. After the answer the event runs on the
/// lane's thread in this process, which has the services' state, because closures cannot cross.
public final class ProcessCarrier: Carrier {
  private let name: String
  private let connection: ServiceConnection
  private let thread: PlatformThread

  public convenience init(_ lane: Lane) throws(CarrierError) {
    try self.init(lane, timeout: .seconds(5))
  }

  /// `timeout`: how long the process may be silent before it is killed, while the lane stops or a post fills the socket;
  /// unanswered events are then lost. `startTimeout`: how long it may take to start before it is killed.
  init(
    _ lane: Lane, timeout: TimeSpan, startTimeout: TimeSpan = .seconds(10),
    program: String = ServiceProcess.program
  ) throws(CarrierError) {
    let connection = try ServiceConnection(
      to: program, timeout: timeout, startTimeout: startTimeout)
    do {
      thread = try .lane(lane) { connection.serve() }
    } catch {
      connection.giveUp()
      throw error
    }
    self.connection = connection
    name = lane.name
    do {
      try connection.waitForStart()
    } catch {
      thread.join()
      throw CarrierError("lane '\(lane.name)': \(error)")
    }
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    connection.call(name, PostedEvent(event))
  }

  public var loss: String? { connection.loss.map { "lane '\(name)': \($0)" } }

  var processID: Int32 { connection.processID }

  public func stop() {
    connection.close()
    thread.join()
  }
}

/// A service process and the connection to it.
final class ServiceConnection: Sendable {
  private let program: String
  private let startTimeout: TimeSpan
  private let socket: SocketEnd
  private let serviceEnd: SocketEnd
  private let calls = OpenCalls()
  /// Held while a call is sent, so that calls do not interleave. The lane's thread never waits for it.
  private let sending = Locked(())
  private let process = Atomic<Int32>(0)
  private let start = ServiceStart()
  private let isClosed = Atomic(false)
  /// Set when the process was silent for too long. The thread that notices hangs up; the lane's thread kills.
  private let isStuck = Atomic(false)

  init(
    to program: String, timeout: TimeSpan, startTimeout: TimeSpan
  ) throws(CarrierError) {
    self.program = program
    self.startTimeout = startTimeout
    guard let ends = SocketEnd.pair() else { throw CarrierError("no sockets are available") }
    (socket, serviceEnd) = ends
    socket.setTimeout(min(timeout, startTimeout))
  }

  deinit { socket.close() }

  var processID: Int32 { process.load(ordering: .relaxed) }

  /// The unanswered calls of a process that ended, as a sentence; nil if there are none.
  var loss: String? { calls.loss }

  /// Called instead of `serve` if there is no thread for it.
  func giveUp() { serviceEnd.close() }

  // MARK: Threads that call

  func call(_ module: String, _ event: PostedEvent) {
    let callback = calls.nextCallback()
    var call = RemoteCoding.encoded(RemoteCall(module: module, callback: callback))
    call.append(UInt8(ascii: "\n"))
    sending.withLock { _ in
      guard calls.add(event, callback), !socket.send(call) else { return }
      // The lane's thread notices the hang-up and counts this call with the rest. After the close nothing can be sent, which is
      // no fault of the process: its answers still follow.
      if !isClosed.load(ordering: .acquiring) { hangUp() }
    }
  }

  /// Lets the process answer all calls and end. It is killed if it does neither for as long as `timeout`.
  func close() {
    isClosed.store(true, ordering: .releasing)
    socket.endSending()
  }

  private func hangUp() {
    isStuck.store(true, ordering: .releasing)
    socket.hangUp()
  }

  // MARK: The lane's thread

  /// Starts the process and runs the answered events until it ends.
  ///
  /// The kernel considers the process a child of this thread and ends it with the thread.
  func serve() {
    var answers = MessageBuffer.ofLines
    guard launch() else { return }
    let began = clinux_monotonic()
    while let piece = receive(began) {
      guard answers.add(piece) else {
        hangUp()
        break
      }
      while let line = answers.take() { take(line) }
    }
    end()
  }

  /// The next bytes from the process; nil after its end. A started process may be silent while the lane is open: there may be
  /// no calls.
  private func receive(_ began: Int64) -> Data? {
    while true {
      // Read before the wait: the timeout begins with the close.
      let wasClosed = isClosed.load(ordering: .acquiring)
      if let piece = socket.receive() { return piece.isEmpty ? nil : piece }
      let isLate = clinux_monotonic() - began >= startTimeout.nanoseconds
      if wasClosed || isLate && !start.isDone { hangUp() }
    }
  }

  /// Waits until the process has started; throws if it does not.
  func waitForStart() throws(CarrierError) {
    if let refusal = start.wait() { throw CarrierError(refusal) }
  }

  private func launch() -> Bool {
    let outcome = unsafe clinux_start_process(
      program, ServiceProcess.argument, serviceEnd.descriptor)
    serviceEnd.close()
    if outcome < 0 {
      let error = unsafe String(cString: strerror(-outcome))
      start.failed("cannot start \(program): \(error)")
      return false
    }
    process.store(outcome, ordering: .relaxed)
    return true
  }

  private func take(_ line: Data) {
    // A process begins with an empty line.
    guard !line.isEmpty else { return start.done() }
    guard let answer = RemoteCoding.decoded(line, as: RemoteAnswer.self) else {
      preconditionFailure("a service answers in the protocol")
    }
    calls.take(answer.callback)?.run()
  }

  private func end() {
    // Only by this thread, which also reaps: until then the process id is not reused.
    if isStuck.load(ordering: .acquiring) { kill(processID, SIGKILL) }
    let status = clinux_reap(processID)
    let end = status >= 256 ? "was ended by signal \(status - 256)" : "ended with status \(status)"
    calls.end(because: end)
    let isLate = isStuck.load(ordering: .relaxed) && !start.isDone
    let delay = isLate ? "did not say within \(startTimeout) that it had started, and " : ""
    start.failed("its process \(delay)\(end)")
  }
}

/// The outcome of a process's start.
private final class ServiceStart: Sendable {
  private let refusal = Locked<String?>(nil)
  private let isSettled = OneShotSignal()
  private let hasStarted = Atomic(false)

  var isDone: Bool { hasStarted.load(ordering: .relaxed) }

  func done() {
    hasStarted.store(true, ordering: .relaxed)
    isSettled.set()
  }

  /// The start failed, or the process ended.
  func failed(_ reason: String) {
    refusal.withLock { $0 = reason }
    isSettled.set()
  }

  /// Waits for the outcome; returns the reason of a failure.
  func wait() -> String? {
    isSettled.wait()
    return refusal.withLock { $0 }
  }
}

/// The events that wait for answers, by the number of their callback.
final class OpenCalls: Sendable {
  private struct State {
    var events: [Int: PostedEvent] = [:]
    /// Set after the end of the process.
    var end: String?
    var lost = 0
  }

  private let state = Locked(State())
  private let callbacks = Atomic(0)

  func nextCallback() -> Int { callbacks.add(1, ordering: .relaxed).newValue }

  /// Adds an event that waits for its answer. Returns false, and counts it as lost, after the end of the process.
  func add(_ event: PostedEvent, _ callback: Int) -> Bool {
    state.withLock { state in
      if state.end == nil { state.events[callback] = event } else { state.lost += 1 }
      return state.end == nil
    }
  }

  /// Removes and returns the answered event.
  func take(_ callback: Int) -> PostedEvent? {
    state.withLock { $0.events.removeValue(forKey: callback) }
  }

  /// Counts all unanswered events as lost.
  func end(because reason: String) {
    let unanswered = state.withLock { state in
      defer { state.events = [:] }
      state.end = reason
      state.lost += state.events.count
      return state.events
    }
    // Released here, outside the lock: an event's captures may run code when they are released.
    _ = consume unanswered
  }

  /// The unanswered calls of a process that ended, as a sentence; nil if there are none.
  var loss: String? {
    state.withLock { state in
      guard state.lost > 0, let end = state.end else { return nil }
      return "its process \(end), and \(state.lost) events that it had not answered are lost"
    }
  }
}
