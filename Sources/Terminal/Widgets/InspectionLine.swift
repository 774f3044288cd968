internal import FrameBudget

/// What one vsync of a run was, in numbers.
struct InspectionLine {
  let column: VsyncColumn
  let pane: Pane

  func draw(on screen: inout Screen, in area: Area) {
    PieceLine(pieces: pieces).draw(on: &screen, in: area)
  }

  var pieces: [PieceLine.Piece] {
    let refresh = pane.run.refresh
    let second = Number.fixed(refresh.vsync(column.vsync).sinceZero.inSeconds, places: 3)
    return [.init("▲ \(second) s", Style(.mark, bold: true)), .init(what[0], Style(bold: true))]
      + (what.dropFirst() + details).map { .init($0) }
  }

  private var what: [String] {
    let frame = "frame \(column.frame ?? column.vsync)"
    return switch column.shape {
    case .blank: ["nothing known yet"]
    case .dropped:
      ["no new frame", column.isBeforeFrame ? "\(frame) began late" : "\(frame) at work"]
    case .frame(_, let late): [late > 0 ? "\(late) vsyncs late" : "in time", frame]
    }
  }

  /// How long the frame took, and what it spent that on; of a run that is over no more is known than why.
  private var details: [String] {
    guard column.run == pane.timeline.run, let frame = pane.run.frame(at: column.vsync) else {
      return [column.cause?.name].compactMap(\.self)
    }
    let work = frame.workEnd - pane.run.refresh.vsync(frame.beginVsync)
    let phases = Phase.allCases.filter { frame.spans[$0] >= .microseconds(50) }
      .sorted { frame.spans[$0] > frame.spans[$1] }
    return ["\(Number.text(work.inMilliseconds)) ms"]
      + phases.map { "\($0.cause.name) \(Number.text(frame.spans[$0].inMilliseconds))" }
      + ["\(frame.queueDepth) items waited"]
  }
}
