internal import FrameBudget

/// The work of the threads during the longest gap on the screen, and at the same time under the advised strategy.
struct WhySection {
  private let worst: PageRow
  private let best: PageRow?
  private let hitch: Hitch
  private let window: ThreadPicture.Window

  /// The frame with the longest gap before it.
  private struct Hitch {
    let begin: Int64
    let length: Int64
    let late: Int
    let period: Int64
    let cause: Cause?
    /// The time without a new frame.
    var milliseconds: Double { Double(late) * Double(period) / 1e6 }
    /// Whether the gap lasted until the end of the run.
    var isOpen = false
    /// Whether the frame waited for the main thread: the work before it is the reason.
    var hasWaited = false
  }

  /// The shown part of a hitch, in periods; in a long one the rest looks the same.
  private static let maxPeriods: Int64 = 6

  /// Nil if no frame was late, or neither frames nor traces are known.
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
    let periods = min(Int64(hitch.late), Self.maxPeriods - 2) + 2
    window = ThreadPicture.Window(
      from: from, to: max(from + 1, hitch.begin + periods * hitch.period))
  }

  private static func hitch(of row: PageRow) -> Hitch? {
    if let run = row.trace, let worst = run.worst {
      let begin = run.instant(ofVsync: worst.asked)
      let hasWaited = worst.asked < worst.begin
      return Hitch(
        begin: begin,
        length: worst.span.upperBound - (hasWaited ? begin : worst.span.lowerBound),
        late: worst.late, period: run.period, cause: worst.cause,
        isOpen: run.instant(ofVsync: worst.shown) > run.lastVsync, hasWaited: hasWaited)
    }
    guard let run = row.frames else { return nil }
    var worst: FrameRecord?
    for frame in run.frames where frame.dropped > worst?.dropped ?? 0 { worst = frame }
    return worst.map { frame in
      let begin = run.refresh.vsync(frame.askedVsync)
      return Hitch(
        begin: begin.nanoseconds, length: (frame.workEnd - begin).nanoseconds, late: frame.dropped,
        period: run.refresh.period.nanoseconds, cause: frame.mainCause,
        isOpen: run.refresh.vsync(frame.presentVsync).sinceZero.inSeconds > row.seconds,
        hasWaited: frame.askedVsync < frame.beginVsync)
    }
  }

  /// The traced runs of the pictures, and the part of them that is drawn.
  var traced: [(run: TracedRun, window: ThreadPicture.Window)] {
    [worst.trace, best?.trace].compactMap { run in run.map { ($0, window) } }
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
      <figure class="threads \(kind)"><figcaption>\(row.pictured)</figcaption>
      \(picture.markup(window))</figure>

      """
  }

  private var words: String {
    func span(_ nanoseconds: Int64) -> String {
      Figure.span(milliseconds: Double(nanoseconds) / 1e6)
    }
    let at = Decimal.text(Double(hitch.begin) / 1e9, places: 3)
    let cause = hitch.cause.map { " because of \($0.traits.words)" } ?? ""
    let lost = English.count(hitch.late, "vsync")
    let part =
      Int64(hitch.late) > Self.maxPeriods - 2
      ? " The picture shows the first \(span(window.to - window.from))." : ""
    let other = best.map { " Below: \($0.pictured) at the same time." } ?? ""
    let took =
      hitch.isOpen
      ? "had not ended when the run did, \(span(hitch.length)) later"
      : hitch.hasWaited
        ? "was drawn \(span(hitch.length)) later" : "took \(span(hitch.length))"
    let frame = hitch.hasWaited ? "the frame that was wanted" : "the frame that began"
    return "Under \(worst.pictured) \(frame) at \(at) s \(took): "
      + "no new frame at \(lost)\(cause).\(part)\(other)"
  }

  private var source: Markup {
    guard worst.trace == nil else { return "" }
    return """
      <p class="note">Drawn from the phases of the frames, one after another. \
      A trace also shows when a frame waited for a lock, and what other threads did \
      (<code>--trace DIR/trace.json</code>).</p>

      """
  }
}

/// The results of `explain`: the parts of an app that cause its dropped frames, or new ones, a bar each.
struct ShareSection {
  let explained: ExplainedRecord

  var title: String {
    switch explained {
    case .difference: "Causes of the difference"
    case .drops(let whole, _):
      whole.answers.isEmpty ? "Causes of the drops" : "Causes of drops and late answers"
    }
  }

  func markup(_ heading: Markup) -> Markup {
    switch explained {
    case .difference(let whole, let shares):
      section(heading, Self.words(shares, whole), Self.bars(shares))
    case .drops(let whole, let parts):
      section(heading, Self.words(parts, whole), Self.bars(parts, whole))
    }
  }

  private func section(_ heading: Markup, _ words: String, _ bars: [Bar]) -> Markup {
    let lines: [Markup] = bars.map(\.markup)
    return """
      <section class="shares">\(heading)<p class="lead">\(words)</p>
      <ul class="amounts">\(lines)</ul></section>

      """
  }

  /// The limit for bars; the file has all parts.
  private static let most = 24

  // MARK: Before and after

  private static func words(
    _ shares: [ExplainedRecord.Share], _ ends: ExplainedRecord.Difference
  ) -> String {
    let whole = "From \(ends.before) dropped frames to \(ends.after)"
    let difference = Figure.signed(Double(ends.after - ends.before))
    let first = shares.first.map {
      ": \(Figure.signed($0.frames)) of \(difference) because of \($0.part)"
    }
    let hasSavings = shares.contains { $0.frames < 0 }
    let sum =
      hasSavings
      ? " Parts to the right add drops, parts to the left save some; together they are the difference."
      : " Together they are the difference."
    let interval =
      shares.contains { $0.error != nil }
      ? " The thin line is a 95 % interval: there are too many parts to try all their orders." : ""
    return "\(whole)\(ends.before == ends.after ? "" : first ?? "").\(sum)\(interval)"
  }

  private static func bars(_ shares: [ExplainedRecord.Share]) -> [Bar] {
    let ends = shares.flatMap { share in
      [share.frames - (share.error ?? 0), share.frames + (share.error ?? 0)]
    }
    let scale = Scale(from: min(0, ends.min() ?? 0), to: max(0, ends.max() ?? 0))
    return shares.prefix(most).map { share in
      let range = share.error.map { " <small>± \(Figure.text($0))</small>" as Markup } ?? ""
      return Bar(
        name: share.part, from: min(0, share.frames), to: max(0, share.frames), scale: scale,
        isProblem: share.frames > 0,
        error: share.error.map { (share.frames - $0, share.frames + $0) },
        words: "<b>\(Figure.signed(share.frames))</b>\(range)")
    }
  }

  // MARK: One scenario

  private static func words(
    _ parts: [ExplainedRecord.Part], _ whole: ExplainedRecord.Drops
  ) -> String {
    "The app drops \(whole.dropped) frames\(whole.answers)\(ExplainedRecord.gains(whole, parts)). "
      + "A bar shows the drops without that part."
  }

  private static func bars(
    _ parts: [ExplainedRecord.Part], _ whole: ExplainedRecord.Drops
  ) -> [Bar] {
    let scale = Scale(from: 0, to: Double(parts.map(\.without).reduce(whole.dropped, max)))
    let isLate = whole.late ?? 0 > 0
    return parts.prefix(most).map { part in
      let late = isLate ? part.lateWithout.map { "; late: \($0)" } : nil
      return Bar(
        name: part.part, from: 0, to: Double(part.without), scale: scale, isProblem: true,
        error: nil,
        words: "<b>\(part.without)</b> <small>alone: \(part.alone)\(late ?? "")</small>")
    }
  }
}

/// Maps numbers to positions on a line.
private struct Scale {
  let from: Double
  let to: Double

  func share(_ value: Double) -> Double { to > from ? (value - from) / (to - from) : 0 }
}

/// A bar from zero to a number, with its label.
private struct Bar {
  let name: String
  let from: Double
  let to: Double
  let scale: Scale
  let isProblem: Bool
  let error: (Double, Double)?
  let words: Markup

  var markup: Markup {
    let range = error.map { from, to in
      """
      <i class="range" style="left:\(share: scale.share(from));\
      width:\(share: scale.share(to) - scale.share(from))"></i>
      """ as Markup
    }
    return """
      <li><span class="who">\(name)</span><span class="bar zero">\
      <i class="axis" style="left:\(share: scale.share(0))"></i>\
      <i class="\(isProblem ? "adding" : "saving")" style="left:\(share: scale.share(from));\
      width:\(share: scale.share(to) - scale.share(from))"></i>\(range ?? "")</span>\
      <span class="much">\(words)</span></li>

      """
  }
}

/// Deadlocks of runs, which the pictures do not show.
struct DeadlockSection {
  let files: [RunFile]

  /// A sentence for each strategy, engine and set of changes with a deadlock; empty without any.
  var markup: Markup {
    let items: [Markup] = files.flatMap(sentences).map { "<li>\($0)</li>" }
    return items.isEmpty ? "" : "<ul class=\"deadlocks\">\(items)</ul>\n"
  }

  private func sentences(_ file: RunFile) -> [String] {
    var names: [String] = []
    for run in file.runs where !run.deadlocks.isEmpty && !names.contains(run.name) {
      names.append(run.name)
    }
    return names.map { name in
      let runs = file.runs.filter { $0.name == name }
      let stuck = runs.filter { !$0.deadlocks.isEmpty }
      let count = runs.count > 1 ? " in \(stuck.count) of \(runs.count) runs" : ""
      return "\(name): deadlock\(count), \(stuck[0].deadlocks.joined(separator: "; "))."
    }
  }
}

extension RunRecord {
  /// The common name of its repetitions.
  fileprivate var name: String {
    [subject.label, subject.changes, subject.engine].filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
