import Foundation

/// A trace file, read by an ordinary JSON reader without the project's own code.
struct TraceDocument: Decodable {
  var traceEvents: [Event]

  struct Event: Decodable {
    var name: String
    var ph: String
    var pid: Int
    var tid: Int
    var ts: Double
    var dur: Double?
    var cat: String?
    var id: Int?
    var bp: String?
    var s: String?
    var args: [String: Argument]?

    /// Nanoseconds, from microseconds with three decimals in the file.
    var begin: Int64 { Int64((ts * 1000).rounded()) }
    var end: Int64 { begin + Int64(((dur ?? 0) * 1000).rounded()) }
    var track: Track { Track(process: pid, thread: tid) }
  }

  struct Track: Hashable {
    let process: Int
    let thread: Int
  }

  /// A number or a text.
  struct Argument: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let number = try? value.decode(Int.self) {
        text = String(number)
      } else {
        text = try value.decode(String.self)
      }
    }
  }

  init(_ text: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
  }

  func named(_ metadata: String) -> [Event] {
    traceEvents.filter { $0.ph == "M" && $0.name == metadata }
  }

  func spans(of process: Int, _ category: String) -> [Event] {
    traceEvents.filter { $0.ph == "X" && $0.pid == process && $0.cat == category }
  }

  func marks(of process: Int, _ name: String) -> [Event] {
    traceEvents.filter { $0.ph == "i" && $0.pid == process && $0.name == name }
  }

  /// The processes in the order of the file.
  var processes: [(number: Int, name: String)] {
    named("process_name").map { ($0.pid, $0.args?["name"]?.text ?? "") }
  }
}
