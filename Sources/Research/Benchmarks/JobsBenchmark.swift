internal import CFrameBudgetLinux
internal import Foundation
internal import FrameBudget
internal import SchedulableJobs

/// The cost of stored jobs: adding one, by the number of stored jobs, and restoring them, on either thread.
enum JobsBenchmark {
  private static let kept = [0, 100, 230, 1000, 5000]
  private static let samples = 51

  static func run() throws {
    try reportRunning()
    print("adding a job beside this number of stored jobs: median in us, and CPU time in us (mean)")
    print(row(["persister"] + kept.map(String.init)))
    for kind in Kind.allCases {
      let costs = try kept.map { try adding(to: kind, kept: $0) }
      print(row([kind.rawValue] + costs.map { "\(text($0.median)) (\(text($0.cpu)))" }))
    }
    print("the whole dictionary in UserDefaults, which queues of this kind use by default")
    let defaults = try kept.map { try writingDefaults(kept: $0) }
    print(row(["UserDefaults"] + defaults.map { "\(text($0.median)) (\(text($0.cpu)))" }))
    print("restoring: ms for which the creating thread is blocked, and ms until all are there")
    for kind in [Kind.file, .sqlite] {
      for restoring in JobQueueOptions.Restoring.allCases {
        let spans = try kept.map { try Self.restoring($0, from: kind, restoring) }
        let cells = spans.map { "\(text($0.blocked / 1000)) \(text($0.all / 1000))" }
        print(row(["\(kind) \(restoring)"] + cells))
      }
    }
  }

  private enum Kind: String, CaseIterable {
    case none, file, sqlite

    func open(_ path: String) -> (any JobPersister)? {
      switch self {
      case .none: nil
      case .file: FilePersister(path: path)
      case .sqlite: SQLitePersister(path: path)
      }
    }
  }

  /// A job as large as that of an upload, waiting for a condition that never holds.
  private static func job() throws -> Job {
    var job = try Job(
      "upload", ["file": "/home/anna/Pictures/2026/IMG_2045.jpg", "album": "Summer by the sea"])
    job.constraints = [.condition("never")]
    job.tags = ["photos"]
    return job
  }

  private static let types: JobTypes = {
    var types = JobTypes()
    types.register("upload") { (_: [String: String], _) in }
    return types
  }()

  // MARK: Running

  /// Jobs without a store, from the creation of the first to the end of the last, and the share of creating them and of
  /// decoding their parameters. These are JSON even without a store, so that a job runs the same after a restart.
  private static func reportRunning() throws {
    let count = 1000
    var (all, making, reading): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<9 {
      all.append(try microseconds(per: count) { try runToEnd(count) })
      making.append(try microseconds(per: count) { for _ in 0..<count { _ = try plainJob() } })
      let text = Data(try plainJob().parameters.utf8)
      reading.append(
        try microseconds(per: count) {
          for _ in 0..<count { _ = try JSONDecoder().decode([String: String].self, from: text) }
        })
    }
    let figures = [all, making, reading].map { text($0.median ?? 0) }
    print(
      "\(count) jobs that are not kept: \(figures[0]) us each (median of 9), of which making a job takes "
        + "\(figures[1]) and reading its parameters \(figures[2])")
  }

  private static func plainJob() throws -> Job { try Job("count", ["file": "IMG_2045.jpg"]) }

  private static func runToEnd(_ count: Int) throws {
    let ended = DispatchSemaphore(value: 0)
    var types = JobTypes()
    types.register("count") { (_: [String: String], _) in ended.signal() }
    let queue = try JobQueue("bench", types: types)
    for _ in 0..<count { try queue.add(try plainJob()) }
    for _ in 0..<count { ended.wait() }
    queue.shutdownBlocking()
  }

  private static func microseconds(per count: Int, _ body: () throws -> Void) rethrows -> Double {
    let began = ContinuousClock.now
    try body()
    return began.duration(to: .now) / .microseconds(1) / Double(count)
  }

  // MARK: Adding

  private static func adding(to kind: Kind, kept: Int) throws -> Cost {
    try withStore { path in
      try fill(kind, path, kept)
      let queue = try JobQueue("bench", types: types, keptBy: kind.open(path))
      defer { queue.shutdownBlocking() }
      // Jobs that were not stored before have to be added now.
      if kind == .none { for _ in 0..<kept { try queue.add(job()) } }
      return try Cost.measuring(samples) {
        let job = try job()
        return (measured: { try queue.add(job) }, after: { queue.cancel(.id(job.id)) })
      }
    }
  }

  /// Stores `count` jobs at once.
  private static func fill(_ kind: Kind, _ path: String, _ count: Int) throws {
    guard let persister = kind.open(path) else { return }
    _ = try persister.load()
    let records = try (0..<count).map { number in
      JobRecord(try job(), sequence: Int64(number), addedAt: .now)
    }
    let kept = try records.map {
      KeptJob(sequence: $0.sequence, id: $0.job.id, text: try JobSerializer.json.encode($0))
    }
    try persister.change(keeping: kept, removing: [])
  }

  private static func writingDefaults(kept: Int) throws -> Cost {
    let suite = "framebudget-bench-\(getpid())"
    guard let defaults = UserDefaults(suiteName: suite) else { return Cost(median: 0, cpu: 0) }
    defer { defaults.removePersistentDomain(forName: suite) }
    let record = JobRecord(try job(), sequence: 0, addedAt: .now)
    let text = try JobSerializer.json.encode(record)
    var dictionary: [String: String] = [:]
    for _ in 0..<kept { dictionary[UUID().uuidString] = text }
    return try Cost.measuring(samples) {
      dictionary["\(UUID())"] = text
      let changed = dictionary
      return (
        measured: {
          defaults.set(["queue": changed], forKey: "jobs")
          _ = defaults.synchronize()
        }, after: {}
      )
    }
  }

  // MARK: Restoring

  private static func restoring(
    _ kept: Int, from kind: Kind, _ restoring: JobQueueOptions.Restoring
  ) throws -> (blocked: Double, all: Double) {
    let spans = try (0..<5).map { _ in
      try withStore { path in
        try fill(kind, path, kept)
        return try restoreOnce(kind, path, restoring)
      }
    }
    return (spans.map(\.blocked).median ?? 0, spans.map(\.all).median ?? 0)
  }

  private static func restoreOnce(
    _ kind: Kind, _ path: String, _ restoring: JobQueueOptions.Restoring
  ) throws -> (blocked: Double, all: Double) {
    let began = ContinuousClock.now
    let end = DispatchSemaphore(value: 0)
    var options = JobQueueOptions()
    options.restoring = restoring
    options.listeners = [{ if case .restoredAll = $0 { end.signal() } }]
    let queue = try JobQueue("bench", types: types, keptBy: kind.open(path), options: options)
    let blocked = began.duration(to: .now) / .microseconds(1)
    end.wait()
    let all = began.duration(to: .now) / .microseconds(1)
    queue.shutdownBlocking()
    return (blocked, all)
  }

  private static func withStore<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = NSTemporaryDirectory() + "framebudget-bench-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(folder + "/jobs")
  }

  // MARK: Text

  private static func row(_ cells: [String]) -> String {
    let first = cells[0].padding(toLength: 24, withPad: " ", startingAt: 0)
    return first
      + cells.dropFirst().map { String(repeating: " ", count: max(0, 18 - $0.count)) + $0 }.joined()
  }

  private static func text(_ value: Double) -> String { Decimal.text(value, places: 1) }
}

/// The cost of an operation, in microseconds.
private struct Cost {
  let median: Double
  let cpu: Double

  /// Repeats preparation, measurement and clean-up.
  static func measuring(
    _ samples: Int,
    _ prepare: () throws -> (measured: () throws -> Void, after: () -> Void)
  ) throws -> Cost {
    var spans: [Double] = []
    var cpu = 0.0
    for _ in 0..<samples {
      let (measured, after) = try prepare()
      let began = ContinuousClock.now
      let cpuBefore = clinux_thread_cpu()
      try measured()
      cpu += Double(clinux_thread_cpu() - cpuBefore) / 1000
      spans.append(began.duration(to: .now) / .microseconds(1))
      after()
    }
    return Cost(median: spans.median ?? 0, cpu: cpu / Double(samples))
  }
}
