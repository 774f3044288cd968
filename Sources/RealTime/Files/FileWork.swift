internal import Concurrency
internal import FrameBudget

/// The real work of a run: the files of its workloads, what steps find out about them, and what that cost.
final class FileWork: Sendable {
  private struct Place: Hashable {
    let workload: WorkloadIndex
    let number: Int
  }

  private struct Account {
    /// By item, until it is in the database.
    var findings: [Place: FileFinding] = [:]
    /// By step.
    var costs: PerWorkload<[[TimeSpan]]>
    /// What went wrong first.
    var problem: FileProblem?
  }

  /// Nil for a workload that works on no files.
  private let folders: PerWorkload<FileFolder?>
  let catalogue: FileCatalogue
  private let account: Locked<Account>

  /// Nil if no step of `plan` does real work.
  init?(_ plan: RunPlan) throws(FileProblem) {
    let workloads = plan.scenario.workloads
    guard workloads.contains(where: { $0.files != nil }) else { return nil }
    folders = PerWorkload(
      try workloads.map { workload throws(FileProblem) in
        try workload.files.map { path throws(FileProblem) in try FileFolder(path) }
      })
    catalogue = try FileCatalogue()
    account = Locked(
      Account(costs: workloads.mapValues { $0.steps.map { _ in [] } }))
  }

  /// Does what the item's next step is to do.
  func perform(_ task: FileTask, for item: LiveItem) {
    let began = TimeSpan.usedByThisThread
    do {
      try work(task, for: item)
    } catch {
      account.withLock { account in
        if account.problem == nil { account.problem = error }
      }
    }
    let cost = TimeSpan.usedByThisThread - began
    account.withLock { $0.costs[item.workload][item.step].append(cost) }
  }

  /// What went wrong first while steps worked.
  var problem: FileProblem? { account.withLock { $0.problem } }

  var measurements: [StepMeasurement] {
    let costs = account.withLock { $0.costs }
    return costs.indices.flatMap { workload in
      costs[workload].indices.map {
        StepMeasurement(workload: workload, step: $0, costs: costs[workload][$0])
      }
    }.filter { !$0.costs.isEmpty }
  }

  private func work(_ task: FileTask, for item: LiveItem) throws(FileProblem) {
    guard let path = folders[item.workload]?.file(item.number) else {
      preconditionFailure("a workload with real work has files")
    }
    let place = Place(workload: item.workload, number: item.number)
    switch task {
    case .stat:
      let size = try FileReading.size(of: path)
      account.withLock { $0.findings[place, default: FileFinding()].size = size }
    case .readFile: try unsafe FileReading.read(path) { _ in }
    case .sha256:
      let digest = try SHA256.digest(of: path)
      account.withLock { $0.findings[place, default: FileFinding()].digest = digest }
    case .sqliteInsert:
      let finding = account.withLock { $0.findings.removeValue(forKey: place) }
      try catalogue.insert(path, finding ?? FileFinding())
    }
  }
}
