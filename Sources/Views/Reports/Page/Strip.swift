internal import FrameBudget

/// One run along the time axis: vsyncs without a new frame, and waits for answers.
struct Strip {
  let row: PageRow
  let axis: TimeAxis

  /// The resolution of the axis: shorter gaps are combined in columns, whose height is their share of the vsyncs.
  private static let columns = 240
  private static let maxShort = 60
  /// More marks would hide one another.
  private static let maxMarks = 120

  private struct Gap {
    let from: Double
    let to: Double
    let vsyncs: Int
    let words: String
    var height = 1.0
  }

  var markup: Markup {
    """
    <div class="strip" role="img" aria-label="\(row.name): \(description)"\(frameData)>\
    <div class="time" aria-hidden="true">\(screen)\(answers)</div></div>
    """
  }

  /// What a strip without gaps shows.
  static func whole(isOnDemand: Bool) -> String {
    "a new frame at each vsync" + (isOnDemand ? " that wanted one" : "")
  }

  private var description: String {
    let gaps = lateFrames.count
    let shown =
      row.frames == nil
      ? "no recorded frames"
      : gaps == 0
        ? Self.whole(isOnDemand: row.frames?.isOnDemand ?? false)
        : "\(English.count(gaps, "gap")) without a new frame"
    let late = row.answers.reduce(0) { count, log in
      count + log.answers.count { isLate($0, of: log) }
    }
    let all = row.answers.reduce(0) { $0 + $1.answers.count }
    return shown + (all > 0 ? ", \(late) of \(all) answers late" : "")
  }

  var hasGaps: Bool { !lateFrames.isEmpty }

  enum AnswerKind { case inTime, notDue, late, open }

  var answerKinds: Set<AnswerKind> {
    Set(row.answers.flatMap { log in log.answers.map { kind($0, of: log) } })
  }

  private func kind(_ answer: AnswerLog.Answer, of log: AnswerLog) -> AnswerKind {
    let isShown = answer.shown != nil
    return isLate(answer, of: log) ? isShown ? .late : .open : isShown ? .inTime : .notDue
  }

  // MARK: The screen

  private var lateFrames: [FrameRecord] { row.frames?.frames.filter { $0.dropped > 0 } ?? [] }

  private var screen: Markup {
    guard row.frames != nil else { return "" }
    let end = axis.share(row.seconds)
    let bars: [Markup] = gaps.map { gap in
      let height: Markup = gap.height < 1 ? ";--height:\(Decimal.text(gap.height, places: 3))" : ""
      return """
        <i class="gap" style="left:\(share: axis.share(gap.from));\
        width:\(share: axis.share(from: gap.from, to: gap.to))\(height)" title="\(gap.words)"></i>
        """
    }
    return "<i class=\"shown\" style=\"width:\(share: end)\"></i>\(bars)"
  }

  private var gaps: [Gap] {
    guard let refresh = row.frames?.refresh else { return [] }
    let all = lateFrames.map { frame in
      let from = refresh.vsync(frame.droppedVsyncs.lowerBound).sinceZero.inSeconds
      let to = min(refresh.vsync(frame.presentVsync).sinceZero.inSeconds, row.seconds)
      return Gap(from: from, to: to, vsyncs: frame.dropped, words: Self.words(frame, from))
    }
    let width = (axis.to - axis.from) / Double(Self.columns)
    let short = all.filter { $0.to - $0.from < width }
    guard short.count > Self.maxShort else { return all }
    return all.filter { $0.to - $0.from >= width } + gathered(short, width, refresh)
  }

  private static func words(_ frame: FrameRecord, _ from: Double) -> String {
    let cause = frame.mainCause.map { " because of \($0.traits.words)\(part($0, of: frame))" } ?? ""
    return "no new frame at \(English.count(frame.dropped, "vsync")) starting at"
      + " \(Decimal.text(from, places: 3)) s\(cause)"
  }

  /// ` (bind-rows 12 ms)`, the heaviest part of drawing, if that is the cause.
  private static func part(_ cause: Cause, of frame: FrameRecord) -> String {
    guard cause == .render, let part = frame.heaviestPart else { return "" }
    return " (\(part.name) \(Figure.span(milliseconds: part.span.inMilliseconds)))"
  }

  /// Combines short gaps by column.
  private func gathered(
    _ gaps: [Gap], _ width: Double, _ refresh: RefreshRate
  ) -> [Gap] {
    let columns = Dictionary(grouping: gaps) {
      Int((axis.share($0.from) * Double(Self.columns)).rounded(.down))
    }
    return columns.keys.sorted().map { column in
      let vsyncs = (columns[column] ?? []).reduce(0) { $0 + $1.vsyncs }
      let from = Double(column) * width
      let share = Double(vsyncs) / max(1, width * refresh.hertz)
      return Gap(
        from: from, to: from + width, vsyncs: vsyncs,
        words: "no new frame at \(English.count(vsyncs, "vsync")) in the "
          + "\(Figure.span(milliseconds: width * 1000)) starting at "
          + "\(Decimal.text(from, places: 2)) s",
        height: min(1, max(share, 0.2)))
    }
  }

  // MARK: Answers

  private func isLate(_ answer: AnswerLog.Answer, of log: AnswerLog) -> Bool {
    answer.isLate(log.allowed, at: end)
  }

  private var end: Instant { Instant(nanoseconds: Int64(min(row.seconds, 86_400) * 1e9)) }

  private var answers: Markup {
    let all = row.answers.flatMap { log in log.answers.map { (answer: $0, log: log) } }
    let marks = all.count > Self.maxMarks ? Self.thinned(all, axis, isLate) : all
    return "\(marks.map { mark($0.answer, of: $0.log) })"
  }

  /// One answer of each column, a late one if there is any.
  private static func thinned(
    _ all: [(answer: AnswerLog.Answer, log: AnswerLog)], _ axis: TimeAxis,
    _ isLate: (AnswerLog.Answer, AnswerLog) -> Bool
  ) -> [(answer: AnswerLog.Answer, log: AnswerLog)] {
    let columns = Dictionary(grouping: all) {
      Int(axis.share($0.answer.arrival) * Double(maxMarks))
    }
    return columns.keys.sorted().compactMap { column in
      columns[column]?.first { isLate($0.answer, $0.log) } ?? columns[column]?.first
    }
  }

  private func mark(_ answer: AnswerLog.Answer, of log: AnswerLog) -> Markup {
    let at = axis.share(answer.arrival)
    let words = words(answer, of: log)
    let kind = kind(answer, of: log)
    if kind == .inTime || kind == .notDue {
      let name = kind == .inTime ? "intime" : "notdue"
      return "<i class=\"\(name)\" style=\"left:\(share: at)\" title=\"\(words)\"></i>"
    }
    let answered = answer.shown.map(axis.share) ?? axis.share(row.seconds)
    return """
      <i class="wait\(kind == .open ? " open" : "")" style="left:\(share: at);\
      width:\(share: max(0, answered - at))"></i>\
      <i class="late" style="left:\(share: at)" title="\(words)"></i>
      """
  }

  private func words(_ answer: AnswerLog.Answer, of log: AnswerLog) -> String {
    let at = Decimal.text(answer.arrival.sinceZero.inSeconds, places: 3)
    let waited = (answer.shown ?? max(end, answer.arrival)) - answer.arrival
    let span = Figure.span(milliseconds: waited.inMilliseconds)
    let allowed = Figure.span(milliseconds: log.allowed.inMilliseconds)
    let what =
      answer.shown == nil ? "no answer within the \(span) to the end" : "answered after \(span)"
    return "\(log.workload) at \(at) s: \(what); the limit is \(allowed)"
  }

  // MARK: Data for the pointer

  /// The limit for frames of a run in the page: a minute and a half at 60 Hz; longer runs have only their late frames.
  private static let maxFrames = 5400

  /// Begin, vsyncs to the next frame, and milliseconds of each phase, for the script's label at the pointer.
  private var frameData: Markup {
    guard let run = row.frames else { return "" }
    let frames = run.frames.count > Self.maxFrames ? lateFrames : run.frames
    var last = ""
    let parts = frames.prefix(Self.maxFrames).map { frame in
      let phases = Phase.parts.enumerated().compactMap { place, phase in
        let span = Decimal.text(frame.spans[phase].inMilliseconds, places: 1)
        return span == "0" ? nil : "\(place)=\(span)"
      }.joined(separator: " ")
      // Omits the phases if they equal those of the previous frame.
      let known = phases == last ? "" : phases.isEmpty ? "-" : phases
      last = phases
      let late = frame.dropped > 0 ? ",\(frame.dropped),\(frame.mainCause?.traits.words ?? "")" : ""
      return "\(frame.beginVsync):\(known)\(late)"
    }.joined(separator: ";")
    return " data-hertz=\"\(Decimal.text(run.refresh.hertz, places: 6))\" data-frames=\"\(parts)\""
  }
}
