internal import Concurrency
package import Foundation

/// What a measurement leaves behind where whoever runs the tests asked for it: a folder of its own in the one that the
/// environment names, with what was measured, the scenario, and what the test asked for.
final class MeasurementRecord: Sendable {
  private let folder: URL
  private let checks = Locked<[RecordedCheck]>([])

  /// The folder that the environment names; nil where nobody asks.
  static var output: String? {
    ProcessInfo.processInfo.environment[RecordedMeasurement.variable].flatMap {
      $0.isEmpty ? nil : $0
    }
  }

  /// - Throws: what Foundation does where a folder or a file cannot be written.
  init(of report: FrameReport, in output: String) throws {
    folder = try Self.newFolder(for: report.test, in: URL(filePath: output))
    let name = folder.lastPathComponent
    try report.writeScenario(to: folder.appending(component: "\(name).yaml").path)
    // The last, as a folder counts that has it.
    try write(MeasurementFile(report), to: MeasurementFile.name)
  }

  /// The first free name after the test's: several measurements may be of one test, and tests run in several processes.
  private static func newFolder(for test: String, in output: URL) throws -> URL {
    let manager = FileManager.default
    try manager.createDirectory(at: output, withIntermediateDirectories: true)
    let name = WorkloadName.folder(for: test)
    var number = 1
    while true {
      let folder = output.appending(component: number == 1 ? name : "\(name)-\(number)")
      do {
        try manager.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder
      } catch let error as CocoaError where error.code == .fileWriteFileExists && number < 10_000 {
        number += 1
      }
    }
  }

  /// Notes what the test asks for; asked for again, the later answer counts.
  func note(_ found: [RecordedCheck]) {
    checks.withLock { checks in
      for check in found {
        if let place = checks.firstIndex(where: { $0.name == check.name && $0.note == check.note })
        {
          checks[place] = check
        } else {
          checks.append(check)
        }
      }
      do {
        try write(checks, to: RecordedMeasurement.checks)
      } catch {
        let text = "FrameBudgetTesting: \(folder.path): checks cannot be written: \(error)\n"
        FileHandle.standardError.write(Data(text.utf8))
      }
    }
  }

  private func write(_ value: some Encodable, to name: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try encoder.encode(value).write(to: folder.appending(component: name), options: .atomic)
  }
}

extension FrameReport {
  /// The same; where the environment asks for it, with a record of it there.
  func recorded() throws(MeasurementError) -> FrameReport {
    guard let output = MeasurementRecord.output else { return self }
    var report = self
    do {
      report.record = try MeasurementRecord(of: self, in: output)
    } catch {
      throw settings.error(.file(output, problem: "no measurement can be written there: \(error)"))
    }
    return report
  }
}

/// What tests left in a folder, read by whoever ran them.
package struct RecordedMeasurement: Sendable {
  /// As its folder is called.
  package let name: String
  package let file: MeasurementFile
  /// What the test asked for, in that order.
  package let checks: [RecordedCheck]

  /// What the environment calls the folder in which measurements leave theirs.
  package static let variable = "FRAMEBUDGET_OUTPUT"
  static let checks = "checks.json"

  /// All that are in `folder`, by name.
  package static func all(in folder: URL) throws -> [RecordedMeasurement] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.compactMap { name in
      try RecordedMeasurement(folder.appending(component: name))
    }
  }

  /// Nil where there is none; a measurement that was cut short leaves none.
  private init?(_ folder: URL) throws {
    let file = folder.appending(component: MeasurementFile.name)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    name = folder.lastPathComponent
    self.file = try JSONDecoder().decode(MeasurementFile.self, from: Data(contentsOf: file))
    guard self.file.format == MeasurementFile.current else {
      throw UnreadableMeasurement(problem: "\(file.path) is of another version")
    }
    let checks = folder.appending(component: Self.checks)
    self.checks =
      FileManager.default.fileExists(atPath: checks.path)
      ? try JSONDecoder().decode([RecordedCheck].self, from: Data(contentsOf: checks)) : []
  }
}

/// A file of a measurement that cannot be used.
package struct UnreadableMeasurement: Error, CustomStringConvertible {
  package let problem: String

  package var description: String { problem }
}
