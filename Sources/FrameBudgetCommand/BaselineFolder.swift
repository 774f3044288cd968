internal import Foundation
internal import FrameBudgetTesting

/// A folder with a baseline for each measurement.
struct BaselineFolder {
  let path: String

  /// Writes what was measured as what is compared with from now on.
  func update(_ measurements: [RecordedMeasurement]) throws(CommandError) {
    do {
      for measurement in measurements { try measurement.file.baseline.write(to: file(measurement)) }
    } catch {
      throw CommandError(.cannotWrite, "baselines cannot be written to \(path): \(error)")
    }
  }

  /// What became of each closure since.
  func checks(_ measurement: RecordedMeasurement) throws(CommandError) -> [RecordedCheck] {
    do {
      return try measurement.file.baseline.checked(besides: file(measurement))
    } catch {
      throw CommandError(.badInput, "\(file(measurement)) is no baseline: \(error)")
    }
  }

  func requirePresence() throws(CommandError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw CommandError(
        .noInput, "there is no baseline \(path); --update-baseline writes it")
    }
  }

  private func file(_ measurement: RecordedMeasurement) -> String {
    "\(path)/\(measurement.name).json"
  }
}
