internal import FrameBudget

/// Which part of an app its dropped frames come from, or which brought new ones: what `explain` found, a bar each.
struct ShareSection {
  let explained: ExplainedResults

  var title: String {
    switch explained.kind {
    case .shares: "What brought the difference"
    case .parts: "Where the drops come from"
    }
  }

  func markup(_ heading: Markup) -> Markup {
    switch explained.kind {
    case .shares(let shares, let before, let after):
      section(heading, Self.words(shares, before, after), Self.bars(shares))
    case .parts(let parts, let dropped):
      section(heading, Self.words(parts, dropped), Self.bars(parts, dropped))
    }
  }

  private func section(_ heading: Markup, _ words: String, _ bars: [Bar]) -> Markup {
    let lines: [Markup] = bars.map(\.markup)
    return """
      <section class="shares">\(heading)<p class="lead">\(words)</p>
      <ul class="amounts">\(lines)</ul></section>

      """
  }

  /// More bars than this nobody reads; the file has them all.
  private static let most = 24

  // MARK: Before and after

  private static func words(
    _ shares: [ExplainedResults.Share], _ before: Double, _ after: Double
  ) -> String {
    let whole = "From \(Figure.text(before)) dropped frames to \(Figure.text(after))"
    let first = shares.first.map {
      ": \($0.part) accounts for \(Figure.signed($0.frames)) of \(Figure.signed(after - before))"
    }
    let hasSavings = shares.contains { $0.frames < 0 }
    let sum =
      hasSavings
      ? " To the right what brings drops, to the left what saves them; together the difference."
      : " Together they are the difference."
    let interval =
      shares.contains { $0.error != nil }
      ? " The thin line is a 95 % interval: there are too many parts to try all their orders." : ""
    return "\(whole)\(before == after ? "" : first ?? "").\(sum)\(interval)"
  }

  private static func bars(_ shares: [ExplainedResults.Share]) -> [Bar] {
    let ends = shares.flatMap { share in
      [share.frames - (share.error ?? 0), share.frames + (share.error ?? 0)]
    }
    let scale = Scale(from: min(0, ends.min() ?? 0), to: max(0, ends.max() ?? 0))
    return shares.prefix(most).map { share in
      let range = share.error.map { " <small>± \(Figure.text($0))</small>" as Markup } ?? ""
      return Bar(
        name: share.part, from: min(0, share.frames), to: max(0, share.frames), scale: scale,
        isHarm: share.frames > 0, error: share.error.map { (share.frames - $0, share.frames + $0) },
        words: "<b>\(Figure.signed(share.frames))</b>\(range)")
    }
  }

  // MARK: One scenario

  private static func words(
    _ parts: [ExplainedResults.PartDrops], _ dropped: Double
  ) -> String {
    let least = parts.min { $0.without < $1.without }
    let sentence = least.flatMap { part in
      part.without < dropped
        ? " Without \(part.part) it would be \(Figure.text(part.without))." : nil
    }
    return
      "\(Figure.text(dropped)) frames are dropped.\(sentence ?? "") A bar is what would be dropped "
      + "without that part."
  }

  private static func bars(
    _ parts: [ExplainedResults.PartDrops], _ dropped: Double
  ) -> [Bar] {
    let scale = Scale(from: 0, to: parts.map(\.without).reduce(dropped, max))
    return parts.prefix(most).map { part in
      Bar(
        name: part.part, from: 0, to: part.without, scale: scale, isHarm: true, error: nil,
        words:
          "<b>\(Figure.text(part.without))</b> <small>it alone: \(Figure.text(part.alone))</small>")
    }
  }
}

/// Where numbers lie on a line.
private struct Scale {
  let from: Double
  let to: Double

  func share(_ value: Double) -> Double { to > from ? (value - from) / (to - from) : 0 }
}

/// A bar from zero to a number, with what it says.
private struct Bar {
  let name: String
  let from: Double
  let to: Double
  let scale: Scale
  let isHarm: Bool
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
      <i class="\(isHarm ? "harmful" : "saving")" style="left:\(share: scale.share(from));\
      width:\(share: scale.share(to) - scale.share(from))"></i>\(range ?? "")</span>\
      <span class="much">\(words)</span></li>

      """
  }
}
