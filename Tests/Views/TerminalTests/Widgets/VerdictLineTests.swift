import FrameBudget
import Testing

@testable import FrameBudgetTerminal

struct `The line of the verdict` {
  private func words(_ status: RunStatus) -> StatusWords {
    let hang = status.hang.map { "hang by \($0.cause?.name ?? "?")" }
    let drops = "\(status.drops.reduce(0, +)) of \(status.expected) dropped"
    return StatusWords(
      pieces: [hang, drops, "\(status.responsesLate) of \(status.responses) late"]
        .compactMap(\.self), isProblem: status.longestGap > 0)
  }

  private func watched(until milliseconds: Int64) throws -> Watched {
    var session = try Watched("main-thread")
    session.go(to: milliseconds)
    session.model.updateVerdicts(words)
    return session
  }

  @Test func `stands above the chart, the cause first while a hang is under way`() throws {
    let session = try watched(until: 1900)
    let run = session.model.panes[0].run.figures.frames
    let line = "|hang by logic  \(run.dropped) of \(run.expected) dropped  2 of 4 late "
    #expect(run.dropped > 50)
    #expect(session.screen(80, 24).picture.contains(line))
  }

  @Test func `describes a hang after it is over`() throws {
    let session = try watched(until: 2400)
    let run = session.model.panes[0].run.figures.frames
    let line = "|\(run.dropped) of \(run.expected) dropped  "
    #expect(run.longestGap == run.dropped && run.hangs == 1)
    #expect(session.screen(80, 24).picture.contains(line))
  }

  @Test func `is empty before a run has reported its state`() throws {
    var session = try Watched("main-thread")
    session.go(to: 500)
    #expect(!session.screen(80, 24).picture.contains(" dropped  0 of 1 late"))
    session.model.updateVerdicts(words)
    #expect(session.screen(80, 24).picture.contains(" dropped  0 of 1 late"))
  }
}
