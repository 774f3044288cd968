internal import Concurrency
internal import FrameBudget
internal import Importing
internal import Parsing
internal import Scenarios

// What a scenario names beside itself.

extension ScenarioSource {
  /// Reads a recording that a scenario names, relative to the folder of the scenario's own file.
  func recording(
    _ file: String, _ column: String
  ) throws(ScenarioFile.RecordingError) -> RecordedDurations {
    do throws(InputError) {
      let source = try ByteSource(path: path(file))
      let spans = try RecordedColumn.read(source, column: column).map(TimeSpan.init(nanoseconds:))
      if let durations = RecordedDurations(spans) { return durations }
      throw InputError("holds no durations", file: file)
    } catch {
      throw ScenarioFile.RecordingError(error.description)
    }
  }

  /// Of what the scenario says with `changes`, and of the recordings that it names.
  func checksum(_ changes: [Override]) throws(ToolError) -> Checksum {
    let sum = Locked(Checksum(bytes))
    _ = try scenario(changes) { (file, column) throws(ScenarioFile.RecordingError) in
      let durations = try recording(file, column)
      for place in 0..<durations.count {
        sum.withLock { $0.add("\(durations[place].nanoseconds),".utf8) }
      }
      return durations
    }
    return sum.withLock(\.self)
  }

  /// Where something is that the scenario names: relative to the folder of the scenario's own file.
  func path(_ file: String) -> String {
    file.hasPrefix("/") ? file : FilePath.folder(of: name) + file
  }
}
