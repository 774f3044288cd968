import FrameBudget
import FrameBudgetScenarios
import TestSupport
import Testing

/// Shipped files with random damage give a scenario, or an error with a place in the file.
struct MutationTests {
  @Test(arguments: ShippedScenarios.all.map(\.name))
  func `a damaged file gives a scenario or an error at a place in it`(name: String) throws {
    let original = try #require(ShippedScenarios.scenario(name)).bytes
    for seed in 0..<UInt64(Tries.damagedFiles.count) {
      var stream = RandomStream(seed: seed, name: name)
      let bytes = Self.damaged(original, &stream)
      do {
        _ = try ScenarioFile.parse(bytes, file: name)
      } catch {
        for fault in error.faults { Self.check(fault, bytes, "\(name), seed \(seed)") }
      }
    }
  }

  private static func check(_ fault: ScenarioError.Fault, _ bytes: [UInt8], _ comment: Comment) {
    guard case .file(_, let line, let column, let text) = fault.location else {
      Issue.record("\(comment): no place in \(fault)")
      return
    }
    let breaks = bytes.count { $0 == 0x0A || $0 == 0x0D } + bytes.count { $0 > 0x7F }
    #expect((1...breaks + 1).contains(line), comment)
    #expect((1...text.unicodeScalars.count + 1).contains(column), comment)
    #expect(fault.description.split(separator: "\n", omittingEmptySubsequences: false).count == 3)
    let saysWhatIsAllowed = fault.message.contains("; ") || fault.message.contains(" such as ")
    #expect(saysWhatIsAllowed, "\(comment): \(fault.message)")
  }

  private static func damaged(_ bytes: [UInt8], _ stream: inout RandomStream) -> [UInt8] {
    var bytes = bytes
    for _ in 0...draw(4, &stream) where !bytes.isEmpty {
      let start = draw(bytes.count, &stream)
      let end = min(bytes.count, start + 1 + draw(20, &stream))
      switch draw(5, &stream) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.insert(contentsOf: bytes[start..<end], at: draw(bytes.count, &stream))
      case 2: bytes[start] = UInt8(truncatingIfNeeded: draw(256, &stream))
      case 3: bytes[start] = special[draw(special.count, &stream)]
      default: bytes.replaceSubrange(start..<end, with: numbers[draw(numbers.count, &stream)].utf8)
      }
    }
    return bytes
  }

  private static let special = Array("\t\n\r :,-?[]{}#&*!|>'\"%@`~.0123456789".utf8)
  private static let numbers = [
    "-1", "0", "99999999999999999999", "1e9", "9223372036854775807 ns", "0.0000000001 ns",
    "86400 s", "1 ns", "1000000/s", "1000 Hz", "1073741824 GiB", "true", "null", "x",
  ]

  private static func draw(_ count: Int, _ stream: inout RandomStream) -> Int {
    Int(stream.unit() * Double(count))
  }
}
