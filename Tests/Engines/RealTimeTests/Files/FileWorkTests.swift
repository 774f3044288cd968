import Foundation
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetRealTime

@Suite struct `Real work on files` {
  private let scratch: Scratch
  private var folder: URL { scratch.folder }

  init() throws { scratch = try Scratch() }

  private func write(_ text: String, to name: String) throws { try scratch.write(text, to: name) }

  private func remove() throws { try FileManager.default.removeItem(at: folder) }

  private func plan(_ tasks: [FileTask], items: Int) -> RunPlan {
    let steps = tasks.map {
      Step(name: $0.rawValue, service: 0, load: .cpu(.constant(.seconds(3))), task: $0)
    }
    let scenario = Scenario(
      name: "import", display: Display(refresh: RefreshRate(60)), duration: .seconds(60),
      warmup: .milliseconds(20), services: [Service(name: "files")],
      workloads: [
        Workload(
          name: "import", arrival: .once(items, start: .zero), steps: steps, files: folder.path)
      ])
    let arrangement = Arrangement.onMain(scenario)
    return RunPlan(scenario, under: Strategy(name: "main-thread", arrangement: arrangement))
  }

  /// FIPS 180-2, appendix B, and the empty message.
  @Test(arguments: [
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  ])
  func `a file's digest is its SHA-256`(_ text: String, _ digest: String) throws {
    try write(text, to: "message")
    let found = try SHA256.digest(of: folder.appending(component: "message").path)
    #expect(found.map { String(format: "%02x", $0) }.joined() == digest)
  }

  @Test func `a file larger than a block is read whole`() throws {
    let bytes = (0..<200_001).map { UInt8(truncatingIfNeeded: $0 * 7) }
    try Data(bytes).write(to: folder.appending(component: "large"))
    var read: [UInt8] = []
    try unsafe FileReading.read(folder.appending(component: "large").path) {
      unsafe read.append(contentsOf: $0)
    }
    #expect(read == bytes)
  }

  @Test func `a folder gives its files in the order of their names, again and again`() throws {
    for name in ["b", "a", ".c"] { try write("x", to: name) }
    try FileManager.default.createDirectory(
      at: folder.appending(component: "inner"), withIntermediateDirectories: true)
    let files = try FileFolder(folder.path)
    #expect(files.files.map { URL(filePath: $0).lastPathComponent } == [".c", "a", "b"])
    #expect(files.file(4) == files.files[1])
  }

  @Test func `results of items are in the database`() throws {
    try write("abc", to: "one")
    let work = try #require(try FileWork(plan([.stat, .sha256, .sqliteInsert], items: 1)))
    var item = LiveItem(workload: 0, number: 0)
    for task in [FileTask.stat, .sha256, .sqliteInsert] {
      work.perform(task, for: item)
      item.step += 1
    }
    let finding = try work.catalogue.finding(folder.appending(component: "one").path)
    #expect(finding?.size == 3)
    #expect(finding?.digest?.prefix(2) == [0xba, 0x78])
    #expect(work.problem == nil)
    #expect(work.measurements.map(\.costs.count) == [1, 1, 1])
    #expect(work.measurements.allSatisfy { $0.costs[0] > .zero })
  }

  @Test func `a run does real work instead of the stated time, and reports its cost`()
    async throws
  {
    for name in ["a", "b", "c"] { try write(name, to: name) }
    let plan = plan(FileTask.allCases, items: 10)
    let log = try await realRun(until: { $0.itemsDone == 10 }) {
      try RealEngine().run(plan, watch: $0)
    }
    // The stated time would not end before the run.
    #expect(log.status == .interrupted)
    #expect(log.items[0].doneCount == 10)
    #expect(log.totals.stepMeasurements.map(\.costs.count) == [10, 10, 10, 10])
  }

  @Test func `nothing is left of the database after a run`() throws {
    try write("abc", to: "one")
    let catalogue = try FileCatalogue()
    let place = catalogue.folder.url.path
    #expect(FileManager.default.fileExists(atPath: place + "/catalogue.sqlite"))
    _ = consume catalogue
    #expect(!FileManager.default.fileExists(atPath: place))
  }

  // MARK: Unreadable files

  private func problem(_ tasks: [FileTask] = [.stat]) -> String? {
    do {
      _ = try RealEngine().run(plan(tasks, items: 1))
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `a folder that is not there`() throws {
    try remove()
    #expect(
      problem()
        == "cannot read \(folder.path): No such file or directory; 'framebudget make-files "
        + "\(folder.path)' makes one")
  }

  @Test func `a folder without files`() throws {
    #expect(problem()?.hasPrefix("there are no files in \(folder.path); ") == true)
  }

  @Test func `a file where the folder should be`() throws {
    try remove()
    try Data("x".utf8).write(to: folder)
    #expect(problem() == "cannot read \(folder.path): Not a directory")
  }

  @Test func `a file that cannot be read`() throws {
    let name = folder.appending(component: "dangling").path
    try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: "nowhere")
    #expect(problem() == "cannot read \(name): No such file or directory")
  }

  @Test func `a file that disappears while steps work`() throws {
    try write("abc", to: "one")
    let work = try #require(try FileWork(plan([.sha256], items: 1)))
    try remove()
    work.perform(.sha256, for: LiveItem(workload: 0, number: 0))
    #expect(work.problem?.description.hasPrefix("cannot read \(folder.path)/one: ") == true)
  }
}
