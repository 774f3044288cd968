import Foundation
import SchedulableJobs
import TestSupport
import Testing

/// The contract of every persister.
@Suite struct PersisterTests {
  enum Kind: String, CaseIterable {
    case file, sqlite

    func open(_ path: String) -> any JobPersister {
      switch self {
      case .file: FilePersister(path: path)
      case .sqlite: SQLitePersister(path: path)
      }
    }
  }

  private let scratch: Scratch
  private let path: String

  init() throws {
    scratch = try Scratch()
    path = scratch.path("store")
  }

  private func job(_ sequence: Int64, _ text: String = "t") -> KeptJob {
    KeptJob(sequence: sequence, id: "job \(sequence)", text: text)
  }

  @Test(arguments: Kind.allCases)
  func `stored jobs are loaded in order by the next queue`(kind: Kind) throws {
    do {
      let first = kind.open(path)
      #expect(try first.load() == KeptJobs([]))
      for sequence in [11, 2, 3] { try first.change(keeping: [job(Int64(sequence))], removing: []) }
    }
    #expect(try kind.open(path).load() == KeptJobs([job(2), job(3), job(11)]))
  }

  @Test(arguments: Kind.allCases)
  func `jobs are rewritten and removed, several at once`(kind: Kind) throws {
    do {
      let first = kind.open(path)
      _ = try first.load()
      try first.change(keeping: (1...4).map { job($0) }, removing: [])
      try first.change(keeping: [job(2, "new \"text\"\n"), job(5)], removing: [1, 4, 99])
    }
    #expect(try kind.open(path).load().jobs == [job(2, "new \"text\"\n"), job(3), job(5)])
  }

  @Test(arguments: Kind.allCases)
  func `a store belongs to one persister until that is released`(kind: Kind) throws {
    do {
      let first = kind.open(path)
      _ = try first.load()
      let second = kind.open(path)
      let refusal = #expect(throws: JobStoreInUse.self) { try second.load() }
      #expect(refusal?.owner == "process \(getpid()) (\(ProcessInfo.processInfo.processName))")
      #expect(throws: (any Error).self) { try second.change(keeping: [job(9)], removing: []) }
      try first.change(keeping: [job(1)], removing: [])
    }
    #expect(try kind.open(path).load() == KeptJobs([job(1)]))
  }

  @Test(arguments: Kind.allCases)
  func `a damaged store is set aside, and the next one begins anew`(kind: Kind) throws {
    for number in 1...2 {
      try Data(repeating: 65, count: 9000).write(to: URL(filePath: path))
      do {
        let persister = kind.open(path)
        let found = try persister.load()
        #expect(found.jobs.isEmpty)
        #expect(found.setAside?.path == "\(path).damaged-\(number)")
        #expect(found.setAside?.reason.isEmpty == false)
        #expect(try Data(contentsOf: URL(filePath: "\(path).damaged-\(number)")).count == 9000)
        try persister.change(keeping: [job(1)], removing: [])
      }
      #expect(try kind.open(path).load() == KeptJobs([job(1)]))
    }
  }

  @Test(arguments: Kind.allCases)
  func `a store that lost its second half is set aside`(kind: Kind) throws {
    do {
      let persister = kind.open(path)
      _ = try persister.load()
      let text = String(repeating: "x", count: 300)
      try persister.change(keeping: (1...300).map { job($0, text) }, removing: [])
    }
    let whole = try Data(contentsOf: URL(filePath: path))
    try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
    let found = try kind.open(path).load()
    #expect(found.jobs.isEmpty)
    #expect(found.setAside != nil)
    #expect(try kind.open(path).load() == KeptJobs([]))
  }

  @Test(arguments: Kind.allCases)
  func `a store in a missing folder is an error`(kind: Kind) throws {
    let persister = kind.open(scratch.path("none/store"))
    #expect(throws: (any Error).self) {
      _ = try persister.load()
      try persister.change(keeping: [job(1)], removing: [])
    }
  }

  @Test func `a partly written file of a killed process is not read as the store`()
    throws
  {
    do {
      let persister = FilePersister(path: path)
      _ = try persister.load()
      try persister.change(keeping: [job(1)], removing: [])
    }
    try Data("{\"jobs\":".utf8).write(to: URL(filePath: path + ".new"))
    let next = FilePersister(path: path)
    #expect(try next.load() == KeptJobs([job(1)]))
    try next.change(keeping: [job(2)], removing: [])
    #expect(scratch.names() == ["store", "store.lock"])
  }

  @Test func `records are unchanged after encoding and decoding`() throws {
    var job = try Job("upload", ["file": "größe.jpg"], id: "one")
    job.group = "photos"
    job.tags = ["a", "b"]
    job.constraints = [.network, .condition("docked")]
    job.deadline = JobTime(milliseconds: 1_700_000_000_123)
    job.retry = Retry(limit: 3, first: .milliseconds(1500))
    job.repetition = Repetition(every: .seconds(3600), maximumRuns: 7)
    job.ifPresent = .replace
    let record = JobRecord(job, sequence: 42, addedAt: JobTime(milliseconds: 5))
    let serializer = JobSerializer.json
    #expect(try serializer.decode(serializer.encode(record)) == record)
  }
}
