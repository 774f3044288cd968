internal import CLinux
internal import Concurrency
internal import Foundation
internal import FrameBudget
internal import Glibc
internal import Synchronization

/// A service process, from its start to its end, and the way to it.
final class ServiceConnection: Sendable {
  private let program: String
  private let startPatience: TimeSpan
  private let socket: SocketEnd
  private let serviceEnd: SocketEnd
  private let calls = OpenCalls()
  /// Held while a call is sent, so that calls do not mix; nobody waits for it who is to be answered.
  private let sending = Locked(())
  private let process = Atomic<Int32>(0)
  private let start = ServiceStart()
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
  var loss: String? { calls.loss }

  /// In place of `serve`, where there is no thread for it.
  func giveUp() { serviceEnd.close() }

  // MARK: Threads that call

  func call(_ module: String, _ event: PostedEvent) {
    let callback = calls.nextCallback()
    var call = RemoteCoding.encoded(RemoteCall(module: module, callback: callback))
    call.append(UInt8(ascii: "\n"))
    sending.withLock { _ in
      guard calls.add(event, callback), !socket.send(call) else { return }
      // The lane's thread notices that nobody listens any more, and counts this one with the rest. After the close
      // nothing can be sent: the process is not to blame, and its answers are still to come.
      if !isClosed.load(ordering: .acquiring) { hangUp() }
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
    var answers = MessageBuffer.ofLines
    guard launch() else { return }
    let began = clinux_monotonic()
    while let piece = receive(began) {
      answers.add(piece)
      while let line = answers.take() { take(line) }
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
      if wasClosed || isLate && !start.isDone { hangUp() }
    }
  }

  /// Waits until the process has said that it is there; throws if it does not come.
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
    // The empty line with which a process begins.
    guard !line.isEmpty else { return start.done() }
    guard let answer = RemoteCoding.decoded(line, as: RemoteAnswer.self) else {
      preconditionFailure("a service answers as it was asked")
    }
    calls.take(answer.callback)?.run()
  }

  private func end() {
    // By this thread only, which also reaps: until then the number is the process's and nobody else's.
    if isStuck.load(ordering: .acquiring) { kill(processID, SIGKILL) }
    let status = clinux_reap(processID)
    let end = status >= 256 ? "was ended by signal \(status - 256)" : "ended with status \(status)"
    calls.end(because: end)
    let isLate = isStuck.load(ordering: .relaxed) && !start.isDone
    let delay = isLate ? "did not say within \(startPatience) that it had started, and " : ""
    start.failed("its process \(delay)\(end)")
  }
}

/// How a process's start came out.
private final class ServiceStart: Sendable {
  private let refusal = Locked<String?>(nil)
  private let isSettled = EndMark()
  private let hasStarted = Atomic(false)

  var isDone: Bool { hasStarted.load(ordering: .relaxed) }

  func done() {
    hasStarted.store(true, ordering: .relaxed)
    isSettled.set()
  }

  /// It failed, or the process ended, in which case only who has waited in vain is told why.
  func failed(_ reason: String) {
    refusal.withLock { $0 = reason }
    isSettled.set()
  }

  /// Waits until one of them has happened; returns why there is no process, if there is none.
  func wait() -> String? {
    isSettled.wait()
    return refusal.withLock { $0 }
  }
}
