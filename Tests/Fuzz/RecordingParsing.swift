import FrameBudgetParsing
import FrameBudgetCaptures

/// Recordings of apps, indexed and read.
enum RecordingParsing {
  static func recording(_ bytes: [UInt8]) throws(InputError) {
    let index = try RecordingFile.index(bytes, name: "fuzz")
    check(RecordingInvariants.broken(by: index))
    check(RecordingInvariants.broken(by: try RecordingFile.read(bytes, name: "fuzz")))
  }

  private static func check(_ broken: [String]) { precondition(broken.isEmpty, "\(broken)") }
}
