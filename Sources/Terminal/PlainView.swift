internal import FrameBudget

/// The view where there is no terminal: a line per strategy and second.
public struct PlainView {
  let model: LiveModel

  public init(_ model: LiveModel) { self.model = model }

  public var lines: [String] { model.panes.compactMap { Self.line(for: $0.run) } }

  /// How each run stands, behind its label.
  public var verdicts: [String] {
    model.panes.compactMap { pane in
      pane.words.map { "\(pane.run.label): \($0.pieces.joined(separator: "; "))" }
    }
  }

  private static func line(for run: RunModel) -> String? {
    guard let now = run.now else { return nil }
    let figures = Figures(run, at: now)
    var parts = [
      "\(Number.fixed(now.sinceZero.inSeconds, places: 1)) s", run.label,
      "dropped \(figures.frames.dropped) (\(figures.frames.droppedLastSecond) in the last second)",
      "hitch \(Number.text(figures.frames.hitchRatio)) ms/s \(figures.band?.rawValue ?? "")",
      "p99 \(Number.text(figures.frameTime(.p99))) ms",
    ]
    if let done = figures.done, let pending = figures.pending {
      parts.append("items \(done) done, \(pending) pending")
    }
    parts += run.deadlocks.map(\.line)
    return parts.joined(separator: "  ")
  }
}
