import FrameBudget
import Parsing

/// Frame logs in JSON.
enum JSONLog {
  static func read(
    _ source: consuming ByteSource, refresh: RefreshRate?
  ) throws(InputError) -> (LogFormat, [ImportedFrames]) {
    var reader = try JSONReader(source)
    var capture = CapFrameXLog(refresh: refresh)
    var trace = ChromeTrace(refresh: refresh)
    if try reader.kind() == .array {
      try trace.readEvents(&reader)
    } else {
      try reader.object { (reader, key) throws(InputError) in
        switch key {
        case "traceEvents": try trace.readEvents(&reader)
        case "Info": try capture.readInfo(&reader)
        case "Runs": try capture.readRuns(&reader)
        default: try reader.skip()
        }
      }
    }
    try reader.end()
    if capture.hasRuns { return (.capFrameX, capture.finish()) }
    guard trace.hasEvents else { throw ImportedLog.unknown }
    return (.chromeTrace, try trace.finish())
  }
}
