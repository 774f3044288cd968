internal import FrameBudget

/// What the threads did when the picture stood still longest, and at the same time under what is advised.
struct WhySection {
  private let worst: PageRow
  private let best: PageRow?
  private let hitch: Hitch
  private let window: ThreadPicture.Window

  /// The frame that kept a new one from the screen longest.
  private struct Hitch {
    let begin: Int64
    let length: Int64
    let late: Int
    let period: Int64
    let cause: Cause?
    /// How long no new frame was shown.
    var milliseconds: Double { Double(late) * Double(period) / 1e6 }
    /// Whether it was still under way when the run ended.
    var isOpen = false
  }

  /// As many periods of a hitch as show what keeps a frame from its vsync; of a long one the rest is the same.
  private static let mostPeriods: Int64 = 6

  /// Nil where no frame was late, or neither frames nor traces are known.
  init?(_ rows: [PageRow], _ verdicts: [Verdict]) {
    let hitches = rows.compactMap { row in Self.hitch(of: row).map { (row: row, hitch: $0) } }
    var longest: (row: PageRow, hitch: Hitch)?
    for found in hitches
    where found.hitch.milliseconds > longest?.hitch.milliseconds ?? 0 {
      longest = found
    }
    guard let longest else { return nil }
    (worst, hitch) = longest
    let label = verdicts.first { $0.isAbout(longest.row) }?.best?.label
    let candidate = rows.first {
      $0.subject.label == label && $0.subject.engine == longest.row.subject.engine
        && $0.subject.changes == longest.row.subject.changes && $0.origin == longest.row.origin
    }
    let isOther = candidate.map { $0.subject != longest.row.subject } ?? false
    best = isOther && (candidate?.frames != nil || candidate?.trace != nil) ? candidate : nil
    let from = max(0, hitch.begin - hitch.period)
    let periods = min(Int64(hitch.late), Self.mostPeriods - 2) + 2
    window = ThreadPicture.Window(
      from: from, to: max(from + 1, hitch.begin + periods * hitch.period))
  }

  private static func hitch(of row: PageRow) -> Hitch? {
    if let run = row.trace, let worst = run.worst {
      return Hitch(
        begin: run.instant(ofVsync: worst.begin), length: worst.span.end - worst.span.begin,
        late: worst.late, period: run.period,
        cause: Cause.allCases.first { $0.name == worst.cause },
        isOpen: run.instant(ofVsync: worst.shown) > run.lastVsync)
    }
    guard let run = row.frames else { return nil }
    var worst: FrameRecord?
    for frame in run.frames where frame.dropped > worst?.dropped ?? 0 { worst = frame }
    return worst.map { frame in
      let due = run.refresh.vsync(frame.beginVsync)
      return Hitch(
        begin: due.nanoseconds, length: (frame.workEnd - due).nanoseconds, late: frame.dropped,
        period: run.refresh.period.nanoseconds, cause: frame.mainCause,
        isOpen: run.refresh.vsync(frame.presentVsync).sinceZero.inSeconds > row.seconds)
    }
  }

  func markup(_ heading: Markup) -> Markup {
    let worstPicture = picture(of: worst)
    let bestPicture = best.flatMap(picture)
    let activities = (worstPicture?.activities ?? []).union(bestPicture?.activities ?? [])
    let legend = Activity.allCases.filter(activities.contains).map { ($0.mark, $0.words) }
    return """
      <section class="why">\(heading)<p class="lead">\(words)</p>
      \(figure(worst, worstPicture, "worst"))\(best.map { figure($0, bestPicture, "best") } ?? "")\
      \(Markup.legend(legend))\(source)</section>

      """
  }

  private func picture(of row: PageRow) -> ThreadPicture? {
    row.trace.map { ThreadPicture($0, window) } ?? row.frames.map { ThreadPicture($0, window) }
  }

  private func figure(_ row: PageRow, _ picture: ThreadPicture?, _ kind: String) -> Markup {
    guard let picture else { return "" }
    return """
      <figure class="threads \(kind)"><figcaption>\(row.name)</figcaption>
      \(picture.markup(window))</figure>

      """
  }

  private var words: String {
    func span(_ nanoseconds: Int64) -> String {
      Figure.span(milliseconds: Double(nanoseconds) / 1e6)
    }
    let at = Decimal.text(Double(hitch.begin) / 1e9, places: 3)
    let cause = hitch.cause.map { " because of \($0.words)" } ?? ""
    let lost = English.count(hitch.late, "vsync")
    let part =
      Int64(hitch.late) > Self.mostPeriods - 2
      ? " Here are the first \(span(window.to - window.from)) of it." : ""
    let other = best.map { " Below it, \($0.name) at the same time." } ?? ""
    let took =
      hitch.isOpen
      ? "had not ended when the run did, \(span(hitch.length)) later"
      : "took \(span(hitch.length))"
    return
      "Under \(worst.name) the frame begun at \(at) s \(took): no new frame at \(lost)\(cause).\(part)\(other)"
  }

  private var source: Markup {
    guard worst.trace == nil else { return "" }
    return """
      <p class="note">Drawn from the phases of the frames, one after another: when within a frame a lock was waited \
      for, and what other threads did, a trace knows (<code>--trace DIR/trace.json</code>).</p>

      """
  }
}
