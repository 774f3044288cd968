import FrameBudgetAdvice
import FrameBudget
import Testing

@testable import FrameBudgetCLI

struct AimOptionTests {
  @Test(
    arguments: [
      ("inp<=200ms", "inp_ms<=200"), ("inp_ms<=200 ms", "inp_ms<=200"),
      ("inp_ms <= 200", "inp_ms<=200"),
      ("dropped_frames<=2%", "dropped_frames_pct<=2"), ("dropped_frames<=2", "dropped_frames<=2"),
      ("hitch_ratio<5ms/s", nil), ("hitch_ratio<=5 ms/s", "hitch_ratio_ms_per_s<=5"),
      ("frame_overrun_ms_p99<=-1.5ms", "frame_overrun_ms_p99<=-1.5"),
      ("low_1pct_fps>=55frames/s", "low_1pct_fps>=55"),
    ] as [(String, String?)])
  func `a unit stands behind the number, the name, or both`(_ text: String, _ aim: String?) throws {
    guard let aim else {
      #expect(throws: ToolError.self) { try Aim(text, of: "--aim") }
      return
    }
    #expect(try Aim(text, of: "--aim").words == aim)
  }

  @Test(arguments: MetricCatalog.numbers.map(\.name))
  func `every metric of the catalogue may be an aim`(_ name: String) throws {
    let unit = MetricCatalog.metric(name)?.unit ?? .none
    let suffix = unit == .none || unit == .count ? "" : unit.rawValue
    #expect(try Aim("\(name)<=3\(suffix)", of: "--aim").metric == name)
  }
}
