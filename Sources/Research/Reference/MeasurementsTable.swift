internal import Foundation
internal import FrameBudget
internal import FrameBudgetReports
internal import FrameBudgetSimulation

/// The main figures of the page on measurements: how close predictions are, and the speeds that `make bench` measures.
struct MeasurementsTable {
  static let marker = "make results, main figures"

  private let figures: [String: SpeedFigure]
  private let agreement: String

  /// `agreement` is how many rows of the shipped scenarios are predicted well.
  init(_ figures: [SpeedFigure], agreement: String) {
    self.figures = Dictionary(figures.map { ($0.name, $0) }) { first, _ in first }
    self.agreement = agreement
  }

  /// A question without all its figures is left out.
  var markdown: String {
    let predictions = [
      "How close are predictions to threads?",
      "dropped frames are within 2 points in \(agreement) rows of the shipped scenarios "
        + "([the rows](machine.md#more-threads-than-cores))",
    ]
    let speeds = Self.questions.compactMap { question, answer in
      filled(answer).map { [question, $0] }
    }
    return MarkdownTable.text(["question", "answer"], [predictions] + speeds)
  }

  /// Questions, and their answers with the names of figures, and numbers of decimals, in braces.
  private static let questions = [
    (
      "How late does the frame loop wake?",
      "{wake-p50} at the median, {wake-p99} at p99 (`cyclictest`: {cyclictest-p50} and {cyclictest-p99})"
    ),
    (
      "Does a step take the time that the scenario states?",
      "2500 steps of 2.6 ms took {step-p50:4} of processor time at p50 and {step-p99:4} at p99"
    ),
    (
      "What does recording cost?",
      "{recorded-frame} for a frame, {recorded-frame-with-details} with all its details, and {recording-memory} of memory"
    ),
    (
      "Does the live view disturb the run?",
      "p99 of frames is {watched-p99} with it and {unwatched-p99} without; it uses {watching} of a core"
    ),
    (
      "How fast is the simulation?",
      "`camera-upload` under all strategies takes {all-strategies} as a whole process, and one "
        + "simulated hour at 120 Hz with 20 000 photos {hour-least} to {hour-most}, each with the "
        + "\(VirtualEngine.runsForRange) more runs for its ranges"
    ),
    ("How long does SimPy take for that hour?", "{simpy} as long as one run"),
    ("How many operations of virtual threads is that?", "{operations} a second"),
    ("How fast is a sweep?", "{sweep} on one core, each a second at 60 Hz with up to 100 items"),
    ("How long does advice take?", "{advise} for `camera-upload`"),
    (
      "How fast are logs read?",
      "{presentmon} of PresentMon CSV, with at most {presentmon-memory} of memory"
    ),
    ("How fast are our own per-frame files read?", "{own-frames}"),
    (
      "How fast are recordings read?",
      "{chrome-index} of Chrome's JSON for the list of threads, {chrome-read} for all slices"
    ),
    (
      "What does a comparison of 100 000 runs with as many others take?",
      "{compare}, and {compare-memory} of memory"
    ),
    (
      "What does a hand-off cost?",
      "{hand-off-1} on a `SerialScheduler`, {dispatch-1} with `DispatchQueue.async` (one producer)"
    ),
    (
      "And from several producers?",
      "from two {hand-off-2} and {dispatch-2}, from four {hand-off-4} and {dispatch-4}"
    ),
    (
      "What does a snapshot cost?",
      "{copied-record-least} to {copied-record-most} for each record of four strings; the virtual engine assumes "
        + "\(Costs.standard.copyPerRecord.nanoseconds) ns"
    ),
    ("How long does the tool take to start?", "{start} for `framebudget --version`"),
  ]

  /// The answer with its figures; nil if one is not published.
  private func filled(_ answer: String) -> String? {
    var text = ""
    for part in answer.split(separator: "{", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
      guard pieces.count == 2 else {
        text += part
        continue
      }
      let key = pieces[0].split(separator: ":")
      guard let figure = figures[String(key[0])] else { return nil }
      text += figure.text(decimals: key.count == 2 ? Int(key[1]) : nil) + pieces[1]
    }
    return text
  }
}
