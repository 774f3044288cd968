import FrameBudgetAdvice
import Testing

@testable import FrameBudgetReports

struct AdviceSurenessTests {
  private func end(_ metric: String, _ percent: Int) -> AdviceCertainty.End {
    AdviceCertainty.End(metric: metric, percent: percent, isLimit: percent == 400)
  }

  private func words(
    _ margin: Int?, _ ends: [AdviceCertainty.End], met: Int? = 20
  ) -> String {
    AdviceCertainty(
      margin: margin, ends: ends,
      steadiness: met.map { Steadiness(met: $0, variants: 20) }
    ).words
  }

  @Test func `names the aim that limits the margin, and the limits of the others`() {
    #expect(
      words(
        42, [end("items_pending", 400), end("responses_late", 65), end("dropped_frames", 42)])
        == "It holds in 20 of 20 runs with other random numbers and arrival times, and in nine of ten until "
        + "costs are 42 % higher. Dropped frames end it; late responses would at 65 %, undone items "
        + "not up to 400 %.")
    #expect(words(42, [end("content_ms_p95", 42)]).hasSuffix("higher. Content_ms_p95 end it."))
  }

  @Test func `reports a margin that the aims limit only together`() {
    #expect(
      words(40, [end("dropped_frames", 42), end("responses_late", 44)]).hasSuffix(
        "until costs are 40 % higher. Dropped frames alone would end it at 42 %; late responses would at 44 %."
      ))
  }

  @Test func `reports a margin without limit, and one of zero`() {
    #expect(
      words(400, [end("dropped_frames", 400)]).hasSuffix(
        "and in nine of ten with costs 400 % higher."))
    #expect(
      words(0, [end("dropped_frames", 0)], met: 19).hasSuffix(
        "and in nine of ten with no higher costs. Dropped frames end it."))
  }

  @Test func `reports only frequent failures if there are any`() {
    #expect(
      words(0, [end("dropped_frames", 0)], met: 15)
        == "It holds in 15 of 20 runs with other random numbers and arrival times.")
  }

  @Test func `reports what is known if the search was cancelled, or the file is older`() {
    #expect(words(nil, [], met: nil) == "")
    #expect(
      words(42, [end("dropped_frames", 42)], met: nil)
        == "It holds in nine of ten runs with other random numbers and arrival times until costs are 42 % "
        + "higher. Dropped frames end it.")
    #expect(
      words(42, [])
        == "It holds in 20 of 20 runs with other random numbers and arrival times, and until costs are 42 % higher."
    )
  }

  @Test(arguments: [
    (true, "It is proven that no frame is dropped at any phase of the arrivals."),
    (false, "It is not proven: with other phases frames may be dropped."),
  ])
  func `reports whether the advice is proven, if requested`(_ isProven: Bool, _ sentence: String) {
    func words(_ share: Steadiness?) -> String {
      AdviceCertainty(margin: nil, ends: [], steadiness: share, isProven: isProven).words
    }
    #expect(words(nil) == sentence)
    #expect(
      words(Steadiness(met: 20, variants: 20))
        == "It holds in 20 of 20 runs with other random numbers and arrival times. \(sentence)")
  }

  @Test func `ends are read back as they are written`() {
    let ends = [end("dropped_frames", 42), end("items_pending", 400)]
    #expect(ends.map(\.entry) == ["dropped_frames=42", "items_pending=>400"])
    #expect(ends.map { AdviceCertainty.End(entry: $0.entry) } == ends)
    #expect(
      ["dropped_frames", "=", "x=y", "a=>"].allSatisfy { AdviceCertainty.End(entry: $0) == nil })
  }
}
