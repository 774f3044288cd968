import FrameBudget
import Testing

@testable import FrameBudgetScenarios

/// Absurdly large values are refused at once: the whole suite is limited to a minute, and each of these values
/// would otherwise take hours or all memory.
@Suite(.timeLimit(.minutes(5)))
struct LimitTests {
  private func error(_ bytes: [UInt8]) -> ScenarioError.Fault? {
    do {
      _ = try ScenarioFile.parse(bytes, file: "large.yaml")
      return nil
    } catch {
      return error.faults.first
    }
  }

  @Test func `a file far beyond the limit is refused by its size`() {
    let error = error([UInt8](repeating: 0x23, count: 1 << 26))
    #expect(error?.message == "this file is too large; allowed: 1048576 bytes")
    #expect((error?.description.count ?? 0) < 500)
  }

  @Test func `a file of the largest size is read`() throws {
    let text = Array(Minimal.text.utf8)
    let filler = [UInt8](repeating: 0x23, count: Limits.fileBytes - text.count)
    #expect(throws: Never.self) { try ScenarioFile.parse(text + filler, file: "large.yaml") }
    #expect(error(text + filler + [0x23]) != nil)
  }

  @Test(arguments: [
    "{once: 1000000000}", "{batch: 1000000, every: 10 ns}", "{rate: 1000000/s}",
    "{batch: 1000000, every: 1 ns}",
  ])
  func `a billion items are refused`(arrival: String) throws {
    let text = Minimal.text.replacing("{once: 10}", with: arrival)
    #expect(error(Array(text.utf8))?.message.contains("1000000") == true)
  }

  @Test func `all workloads together stay below the limit`() throws {
    let more = """
        - name: more
          arrival: {once: COUNT}
          steps: [{service: gallery, cpu: 1 ms}]

      """
    #expect(Minimal.error(more.replacing("COUNT", with: "999990")) == nil)
    #expect(
      Minimal.error(more.replacing("COUNT", with: "999991"))?
        .contains("more than 1000000 items arrive in 10 s") == true)
  }

  @Test func `aliases as keys do not explode either`() {
    var bomb = "a0: &a0 [x, x]\n"
    for level in 1...60 { bomb += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    bomb += "? *a60\n: 1\n? [*a60]\n: 2\n"
    #expect(
      error(Array(bomb.utf8))?.message
        == "anchors and aliases are not supported; allowed: plain values")
  }

  @Test func `an ampersand or a star within a text is a plain character`() throws {
    let scenario = try Minimal.scenario("about: this & that, *starred* & 'quoted'\n")
    #expect(scenario.about == "this & that, *starred* & 'quoted'")
  }

  @Test(arguments: ["[", "{a: ", "- ", "? ", "\"", "!", "a\n", "- a\n", "[a,", "a: b, ", "\u{A0}"])
  func `a megabyte of the same ends quickly`(unit: String) {
    let text = String(repeating: unit, count: Limits.fileBytes / unit.utf8.count)
    #expect(error(Array(text.utf8)) != nil)
  }

  @Test func `too many of anything are refused`() {
    let services = (0...Limits.services).map { "s\($0): {}" }.joined(separator: ", ")
    let text = Minimal.text.replacing("gallery: {}", with: "gallery: {}, \(services)")
    #expect(error(Array(text.utf8))?.message.contains("more than 256 services") == true)
    let step = "{service: gallery, cpu: 1 ms}"
    let steps = Array(repeating: step, count: Limits.steps + 1).joined(separator: ", ")
    let many = Minimal.text.replacing(step, with: steps)
    #expect(error(Array(many.utf8))?.message.contains("more than 64 steps") == true)
  }
}
