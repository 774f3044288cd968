import FrameBudget
import TestSupport
import Testing

@testable import Terminal

struct `The line of the verdict` {
  private func words(_ standing: Standing) -> StandingWords {
    let hang = standing.hang.map { "hang by \($0.cause?.name ?? "?")" }
    let drops = "\(standing.drops.reduce(0, +)) of \(standing.expected) dropped"
    return StandingWords(
      pieces: [hang, drops, "\(standing.responsesLate) of \(standing.responses) late"]
        .compactMap(\.self), isHarm: standing.longestGap > 0)
  }

  private func screen(at milliseconds: Int64, _ strategies: [String] = ["main-thread"]) throws
    -> String
  {
    var session = try Watched(strategies[0])
    session.go(to: milliseconds)
    session.model.judge(words)
    return session.screen(80, 24).picture
  }

  @Test func `stands above the chart, the cause first while a hang is under way`() throws {
    let picture = try screen(at: 1900)
    #expect(picture.contains("|hang by logic  53 of 113 dropped  0 of 2 late"), "\(picture)")
  }

  @Test func `tells of what was once it is over`() throws {
    let picture = try screen(at: 2400)
    #expect(picture.contains("|62 of 143 dropped  2 of "), "\(picture)")
  }

  @Test func `is not there before anybody has said how a run stands`() throws {
    var session = try Watched("main-thread")
    session.go(to: 500)
    let without = session.screen(80, 24).picture
    #expect(!without.contains("dropped  0 of"))
    session.model.judge(words)
    #expect(session.screen(80, 24).picture.contains("|0 of 30 dropped  0 of 1 late"))
  }
}
