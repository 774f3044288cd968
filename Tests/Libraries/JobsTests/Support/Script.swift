@testable import SchedulableJobs

/// A schedule under a clock that a test sets: jobs are known by their ids, times by seconds.
struct Script {
  var schedule: JobSchedule
  private(set) var now = JobTime(milliseconds: 0)
  private var sequences: [String: Int64] = [:]
  private(set) var told: [String] = []

  init(width: Int = 1, machine: MachineState = MachineState()) {
    schedule = JobSchedule(width: width, machine: machine)
  }

  mutating func at(_ seconds: Double) {
    now = JobTime(milliseconds: Int64(seconds * 1000))
  }

  mutating func add(_ id: String, _ change: (inout Job) -> Void = { _ in }) throws {
    var job = Job("work", id: id)
    change(&job)
    let (record, _) = try schedule.record(for: job, at: now)
    schedule.insert(record, at: now)
    note()
  }

  /// Starts all that may run now; their ids in this order.
  mutating func start() -> [String] {
    var started: [String] = []
    while let record = schedule.startNext(at: now) {
      sequences[record.job.id] = record.sequence
      started.append(record.job.id)
    }
    note()
    return started
  }

  mutating func end(_ id: String, _ outcome: JobOutcome = .success) {
    schedule.ended(sequences[id] ?? 0, outcome, at: now)
    note()
  }

  mutating func fail(_ id: String) { end(id, .failure(reason: "no")) }

  mutating func cancel(_ selection: JobSelection) -> [Int64] {
    defer { note() }
    return schedule.cancel(selection, isRestoring: false)
  }

  mutating func machine(_ machine: MachineState) {
    schedule.change(machine, at: now)
    note()
  }

  /// The time at which it requests the next call.
  var alarm: Double? { schedule.nextAlarm.map { Double($0.milliseconds) / 1000 } }

  private mutating func note() { told += schedule.takeEvents().compactMap(\.short) }
}

extension JobEvent {
  /// `started a`, without details that a test does not request.
  var short: String? {
    guard let record else { return nil }
    let what = "\(self)".prefix { $0 != "(" }
    return "\(what) \(record.job.id)"
  }
}

extension Script {
  /// The delivered events, except additions.
  var changes: [String] { told.filter { !$0.hasPrefix("added") } }
}
