internal import FrameBudget

/// The parts of drawing that have names: how long each took, and in how many of the frames and of the drops it was.
struct PartsSection {
  private let row: PageRow
  private let totals: [FramePartTotal]
  private let frames: Int
  private let dropped: Int

  /// Of the first of `rows` whose frames have such parts: the current strategy. Nil without one.
  init?(_ rows: [PageRow]) {
    for row in rows {
      guard let run = row.frames else { continue }
      let totals = FramePartTotal.all(in: run.frames.lazy.map { ($0.parts, $0.dropped) })
      guard !totals.isEmpty else { continue }
      (self.row, self.totals) = (row, totals)
      frames = run.frames.count
      dropped = run.frames.reduce(0) { $0 + $1.dropped }
      return
    }
    return nil
  }

  func markup(_ heading: Markup) -> Markup {
    let most = totals[0].span
    let lines: [Markup] = totals.map { part in
      """
      <li><span class="who">\(part.name)</span><span class="bar"><i class="k-drawing" \
      style="width:\(share: part.span.inSeconds / most.inSeconds)"></i></span>\
      <span class="much"><b>\(Figure.span(milliseconds: part.span.inMilliseconds))</b> \
      in \(English.count(part.frames, "frame"))\(drops(of: part))</span></li>

      """
    }
    let missed = dropped > 0 ? ", \(English.count(dropped, "vsync")) dropped" : ""
    let note =
      dropped > 0
      ? " A part in a frame that drops some is not always their cause: explain counts the drops without it."
      : ""
    return """
      <section class="parts">\(heading)<p class="lead">Work in frames of \(row.pictured), with its time in all of \
      \(English.count(frames, "frame"))\(missed).\(note)</p>
      <ul class="amounts">\(lines)</ul></section>

      """
  }

  private func drops(of part: FramePartTotal) -> Markup {
    dropped > 0 ? " <small>in \(part.dropped) of \(dropped) dropped</small>" : ""
  }
}
