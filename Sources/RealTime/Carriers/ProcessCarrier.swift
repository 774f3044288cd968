internal import Concurrency
public import FrameBudget

/// A lane behind another process, as components of COM or CORBA were: every event is a call over a pair of sockets.
///
/// Real are the process, the encoding and decoding of every call and answer, and the system calls that send and
/// receive them; the process decodes the call and answers it. Only then does the event run, on the lane's thread in
/// this process, where the services' state is too: closures cannot cross.
public final class ProcessCarrier: Carrier {
  private let name: String
  private let connection: ServiceConnection
  private let thread: PlatformThread

  public convenience init(_ lane: Lane) throws(CarrierError) {
    try self.init(lane, patience: .seconds(5))
  }

  /// With another `patience`: for how long the process may do nothing at all before it is killed, while somebody waits
  /// for it, who stops the lane or posts more than a socket holds. What it had not answered then is lost.
  /// `startPatience`: for how long it may take to say that it is there; then it is killed, and there is no lane.
  init(
    _ lane: Lane, patience: TimeSpan, startPatience: TimeSpan = .seconds(10),
    program: String = ServiceProcess.program
  ) throws(CarrierError) {
    let connection = try ServiceConnection(
      to: program, patience: patience, startPatience: startPatience)
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

  /// The process that serves the lane.
  var processID: Int32 { connection.processID }

  public func stop() {
    connection.close()
    thread.join()
  }
}
