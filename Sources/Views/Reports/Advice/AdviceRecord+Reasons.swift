internal import FrameBudget
internal import FrameBudgetAdvice

extension AdviceRecord.Row {
  /// `88 of 600 frames dropped become 0, 2 late answers become 1`, with `late` as the noun for a late answer.
  package func gain(under next: Self, late noun: String) -> String {
    let (before, after) = (outcome, next.outcome)
    let of = frames.map { " of \($0)" } ?? ""
    var gains: [String] = []
    if before.dropped > 0 || after.dropped > 0 {
      gains.append("\(before.dropped)\(of) frames dropped become \(after.dropped)")
    }
    if let late = before.late, late > 0 || after.late ?? 0 > 0 {
      gains.append(English.change(late, noun, after.late ?? 0))
    }
    if before.left != after.left {
      gains.append(English.change(before.left, "undone item", after.left))
    }
    let gain = gains.isEmpty ? "the aims are met" : gains.joined(separator: ", ")
    return [gain, next.loss].compactMap(\.self).joined(separator: ", but ")
  }

  /// `12 frames are incomplete for up to 50 ms and every frame, with every answer, is shown 16.7 ms later`; nil if all are complete
  /// and none is later.
  package var loss: String? {
    let losses = [incompleteness, lateness].compactMap(\.self)
    return losses.isEmpty ? nil : English.list(losses)
  }

  /// Nil if all frames are complete.
  private var incompleteness: String? {
    guard let incomplete, let partAge, partAge > 0 else { return nil }
    let are = incomplete == 1 ? "is" : "are"
    return "\(English.count(incomplete, "frame")) \(are) incomplete for up to "
      + Figure.span(milliseconds: partAge)
  }

  /// Nil if no frame is shown later.
  private var lateness: String? {
    later.map {
      "every frame, with every answer, is shown \(Figure.span(milliseconds: $0)) later"
    }
  }

  /// The frames that are shown incomplete; nil if all are complete.
  package var incompleteFrames: Int? { incompleteness == nil ? nil : incomplete }

  /// `Move hasher to lane background: 88 of 600 frames dropped become 0`
  package func change(to next: Self, late noun: String) -> String {
    "\(English.capitalized(next.title)): \(gain(under: next, late: noun))"
  }

  /// `Begin with the tasks of hasher, which has the most work.`, for a change of rules that names no service; nil for others.
  package func place(of next: Self) -> String? {
    guard next.moved == 0, let bottleneck, bottleneck.name.hasPrefix("service ") else { return nil }
    let service = bottleneck.name.dropFirst("service ".count)
    guard service != "other", next.words.contains("tasks"), !next.words.contains(service)
    else { return nil }
    return "Begin with the tasks of \(service), which has the most work."
  }
}

extension AdviceRecord {
  /// Without advice: what comes nearest to the aims, with its gain, and why it does not reach them; or why nothing helps. `late` is
  /// the noun for a late answer.
  package func withoutAdvice(late noun: String) -> String {
    guard let today else { return "" }
    guard let nearest, !today.count.isCut else { return "\(today.whyNothingHelps)." }
    let aims = today.aims.isEmpty ? "the aims" : today.aimsInWords
    return "\(today.change(to: nearest, late: noun)). \(today.whyNothingReaches(aims))."
  }
}

/// Why no arrangement helps.
extension AdviceRecord.Row {
  /// `Nothing helps, because drawing alone drops 88 frames, which no arrangement changes; the processors suffice: …`
  package var whyNothingHelps: String {
    if count.isCut { return withoutAdvice }
    let reason = [causeOfMisses, supply].compactMap(\.self).joined(separator: "; ")
    return "\(withoutAdvice), because \(reason)\(hope)"
  }

  /// `Nothing that was tried reaches dropped_frames<=0, because drawing alone drops 3 of 1201 frames; the processors suffice: …`
  fileprivate func whyNothingReaches(_ aims: String) -> String {
    let cause = isProcessorTooSlow ? nil : drawingTooLong
    let isCause = cause != nil || tooNarrow != nil
    let reason = [cause, supply].compactMap(\.self).joined(separator: "; ")
    let words = reason.isEmpty ? "" : (isCause ? ", because " : "; ") + reason
    return "Nothing that was tried reaches \(aims)\(knowing)\(words)\(hope)"
  }

  private var hope: String { conditions.map { ". \($0)" }.joined() }

  /// What would help, if something was true that nobody knows: a sentence each.
  package var conditions: [String] {
    [withForesight, withCache].compactMap(\.self).map(English.capitalized)
  }

  private var knowing: String { hasHope ? " with what is known today" : "" }

  private var hasHope: Bool { !foresight.moves.isEmpty || withCache != nil }

  /// The verdict without its reason.
  var withoutAdvice: String {
    count.isCut ? "The interrupted search found nothing" : "Nothing helps\(knowing)"
  }

  /// The reason in a few words: `drawing alone drops 88 frames, which no arrangement changes`.
  package var whyInShort: String {
    [causeOfMisses ?? tooNarrow, withForesight ?? withCache].compactMap(\.self).joined(
      separator: "; ")
  }

  /// `if the input of bind-rows is known 2 frames earlier, prefetch bind-rows up to 2 frames early: 8 of 254 frames dropped become
  /// 0`; nil if that would not help either.
  private var withForesight: String? {
    guard let after = foresight.dropped, !foresight.parts.isEmpty else { return nil }
    let inputs = foresight.parts.map {
      "the input of \($0.part) is known \(English.count($0.frames, "frame")) earlier"
    }
    let of = frames.map { " of \($0)" } ?? ""
    return "if \(English.list(inputs)), \(English.list(foresight.moves)): "
      + "\(outcome.dropped)\(of) frames dropped become \(after)"
  }

  /// `if 80 % of bind-rows can be kept in memory, dropped frames fall from 6 to at most 2 of 36 (in 18 of 20 runs)`; nil if that
  /// would not help either. A condition: nobody has measured how often a cache would hit.
  private var withCache: String? {
    guard let percent = keeping.percent, let today = keeping.today, let kept = keeping.dropped,
      !keeping.part.isEmpty
    else { return nil }
    let most = kept == 0 ? "0" : "at most \(kept)"
    let of = frames.map { " of \($0)" } ?? ""
    return "if \(percent) % of \(keeping.part) can be kept in memory, dropped frames fall from "
      + "\(today) to \(most)\(of) (in \(Steadiness.least.words))"
  }

  /// Nil if something does not suffice, unless drawing does not.
  private var causeOfMisses: String? {
    if isProcessorTooSlow { return nil }
    return drawingTooLong
      ?? (tooNarrow == nil ? "no tried arrangement reaches \(aimsInWords)" : nil)
  }

  package var aimsInWords: String { aims.map(\.words).joined(separator: ", ") }

  /// The length of the run, in seconds.
  private var seconds: Double { subject.duration / 1000 }

  private var isProcessorTooSlow: Bool {
    guard let demand, let capacity else { return false }
    return demand > capacity
  }

  /// What takes longer than the run, whatever the arrangement; nil if nothing does.
  private var tooNarrow: String? {
    if isProcessorTooSlow { return "the processors do not suffice" }
    guard seconds > 0 else { return nil }
    if onlyMain ?? 0 > seconds { return "the main thread does not suffice" }
    return bottleneck.flatMap { $0.time > seconds ? "\($0.name) does not suffice" : nil }
  }

  /// What does not suffice, or that the processors do, with figures; nil if they are unknown.
  private var supply: String? {
    guard let demand, let capacity else { return nil }
    let parts = work.flatMap { work in
      drawing.map {
        " (\(Figure.text(work)) s of work and \(Figure.text($0)) s of drawing in \(Figure.text(seconds)) s)"
      }
    }
    let app =
      "the app needs \(Figure.text(demand)) full cores\(parts ?? ""), and the machine has \(Figure.text(capacity))"
    let figures = [app, onMain, served].compactMap(\.self).joined(separator: "; ")
    return "\(tooNarrow ?? "the processors suffice"): \(figures)"
  }

  /// `what only the main thread can do takes 13.2 s, 12 s of them for results`; nil if unknown.
  private var onMain: String? {
    guard let onlyMain else { return nil }
    let results = results.flatMap { $0 > 0 ? ", \(Figure.text($0)) s of them for results" : nil }
    return "what only the main thread can do takes \(Figure.text(onlyMain)) s\(results ?? "")"
  }

  /// `resource network serves two items at a time and needs 12 s`; nil if unknown, and if all items are done in time.
  private var served: String? {
    guard outcome.late ?? 0 > 0 || outcome.left > 0 else { return nil }
    return bottleneck.map {
      "\($0.name) serves \(English.count($0.parallel, "item")) at a time and needs \(Figure.text($0.time)) s"
    }
  }

  /// Nil if drawing alone meets the aims.
  private var drawingTooLong: String? {
    let most = aims.first { $0.metric == Metric.droppedFrames.name }?.maximum
    // Files of earlier versions do not name the aims.
    guard let alone = drawingAlone, let most = most ?? (aims.isEmpty ? 0 : nil),
      Double(alone) > most
    else { return nil }
    let of =
      frames.map { "\(alone) of \(English.count($0, "frame"))" } ?? English.count(alone, "frame")
    let without = drawingWithoutPart.map { " (\($0) without part \(drawingPart))" } ?? ""
    // A part could also be made smaller, which is not simulated.
    let always =
      drawingPart.isEmpty
      ? ", which no arrangement changes" : ", which nothing that was tried changes"
    return "drawing alone drops \(of)\(without)\(hasHope ? "" : always)"
  }
}
