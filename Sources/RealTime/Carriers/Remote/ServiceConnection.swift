internal import CLinux
internal import Concurrency
internal import Foundation
internal import FrameBudget
internal import Glibc
internal import Synchronization

/// A service process, and the events that wait for its answers.
///
/// One thing although it holds more than ten: the end of the process settles what becomes of the events and of whoever
/// calls, waits for the start, or closes.
final class ServiceConnection: Sendable {
  private struct Table {
    /// By callback.
    var events: [Int: PostedEvent] = [:]
    /// Set once the process is no more.
    var end: String?
    var lost = 0
  }

  private let program: String
  private let startPatience: TimeSpan
  private let socket: SocketEnd
  private let serviceEnd: SocketEnd
  private let table = Locked(Table())
  /// Held while a call is sent, so that calls do not mix; nobody waits for it who is to be answered.
  private let sending = Locked(())
  private let callbacks = Atomic(0)
  private let process = Atomic<Int32>(0)
  private let refusal = Locked<String?>(nil)
  private let started = EndMark()
  private let hasStarted = Atomic(false)
  private let isClosed = Atomic(false)
  /// Set once the process has shown no sign of life for too long: whoever notices hangs up, the lane's thread kills.
  private let isStuck = Atomic(false)

  // `patience`: for how long the process may do nothing at all although it is waited for; `startPatience`: how long it
  // may take to say that it has started.
  init(
    to program: String, patience: TimeSpan, startPatience: TimeSpan
  ) throws(CarrierError) {
    self.program = program
    self.startPatience = startPatience
    guard let ends = SocketEnd.pair() else { throw CarrierError("there are no sockets left") }
    (socket, serviceEnd) = ends
    socket.setPatience(min(patience, startPatience))
  }

  deinit { socket.close() }

  /// The process that serves.
  var processID: Int32 { process.load(ordering: .relaxed) }

  /// What was not answered because the process ended first, as a sentence; nil if everything was.
  var loss: String? {
    table.withLock { table in
      guard table.lost > 0, let end = table.end else { return nil }
      return "its process \(end), and \(table.lost) events that it had not answered are lost"
    }
  }

  /// In place of `serve`, where there is no thread for it.
  func giveUp() { serviceEnd.close() }

  // MARK: Threads that call

  func call(_ module: String, _ event: PostedEvent) {
    let callback = callbacks.add(1, ordering: .relaxed).newValue
    var call = RemoteCoding.encoded(RemoteCall(module: module, callback: callback))
    call.append(UInt8(ascii: "\n"))
    sending.withLock { _ in
      guard wait(event, for: callback), !socket.send(call) else { return }
      // The lane's thread notices that nobody listens any more, and counts this one with the rest. After the close
      // nothing can be sent: the process is not to blame, and its answers are still to come.
      if !isClosed.load(ordering: .acquiring) { hangUp() }
    }
  }

  /// Puts the event into the table; false, and it is lost, if the process is no more.
  private func wait(_ event: PostedEvent, for callback: Int) -> Bool {
    table.withLock { table in
      if table.end == nil { table.events[callback] = event } else { table.lost += 1 }
      return table.end == nil
    }
  }

  /// Lets the process answer what it was asked, and end. One that does neither is killed once patience has run out.
  func close() {
    isClosed.store(true, ordering: .releasing)
    socket.endSending()
  }

  private func hangUp() {
    isStuck.store(true, ordering: .releasing)
    socket.hangUp()
  }

  // MARK: The lane's thread

  /// Starts the process and runs what it answers until it ends.
  ///
  /// The kernel takes the process for a child of this very thread, and ends it with it.
  func serve() {
    var answers = LineBuffer()
    guard start() else { return started.set() }
    let began = clinux_monotonic()
    while let piece = receive(began) {
      for line in answers.lines(adding: piece) { take(line) }
    }
    end()
  }

  /// What the process says next; nil once it is over. Once it has started, and as long as the lane is open, silence is
  /// no reason: nobody may have asked anything.
  private func receive(_ began: Int64) -> Data? {
    while true {
      // Asked before the wait: patience begins with the close, not before it.
      let wasClosed = isClosed.load(ordering: .acquiring)
      if let piece = socket.receive() { return piece.isEmpty ? nil : piece }
      let isLate = clinux_monotonic() - began >= startPatience.nanoseconds
      if wasClosed || isLate && !hasStarted.load(ordering: .relaxed) { hangUp() }
    }
  }

  /// Waits until the process has said that it is there; throws if it does not come.
  func waitForStart() throws(CarrierError) {
    started.wait()
    if let refusal = refusal.withLock({ $0 }) { throw CarrierError(refusal) }
  }

  private func start() -> Bool {
    let outcome = unsafe clinux_start_process(
      program, ServiceProcess.argument, serviceEnd.descriptor)
    serviceEnd.close()
    if outcome < 0 {
      let error = unsafe String(cString: strerror(-outcome))
      refusal.withLock { $0 = "cannot start \(program): \(error)" }
      return false
    }
    process.store(outcome, ordering: .relaxed)
    return true
  }

  private func take(_ line: Data) {
    // The empty line with which a process begins.
    guard !line.isEmpty else {
      hasStarted.store(true, ordering: .relaxed)
      return started.set()
    }
    guard let answer = RemoteCoding.decoded(line, as: RemoteAnswer.self) else {
      preconditionFailure("a service answers as it was asked")
    }
    let event = table.withLock { $0.events.removeValue(forKey: answer.callback) }
    event?.run()
  }

  private func end() {
    // By this thread only, which also reaps: until then the number is the process's and nobody else's.
    if isStuck.load(ordering: .acquiring) { kill(processID, SIGKILL) }
    let status = clinux_reap(processID)
    let end = status >= 256 ? "was ended by signal \(status - 256)" : "ended with status \(status)"
    let unanswered = table.withLock { table in
      defer { table.events = [:] }
      table.end = end
      table.lost += table.events.count
      return table.events
    }
    // Freed here, because no lock is held while something ends that an event holds.
    _ = consume unanswered
    let isLate = isStuck.load(ordering: .relaxed) && !hasStarted.load(ordering: .relaxed)
    let delay = isLate ? "did not say within \(startPatience) that it had started, and " : ""
    refusal.withLock { $0 = "its process \(delay)\(end)" }
    started.set()
  }
}
