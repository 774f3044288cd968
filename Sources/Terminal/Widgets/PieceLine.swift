internal import FrameBudget

/// Pieces of text in one row: as many as fit whole; an ellipsis tells that some are missing.
struct PieceLine {
  struct Piece {
    let text: String
    let style: Style
    /// What a click on it is on.
    let target: Target?

    init(_ text: String, _ style: Style = .plain, target: Target? = nil) {
      self.text = text
      self.style = style
      self.target = target
    }
  }

  let pieces: [Piece]
  var gap = 2

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0, area.width > 0 else { return }
    var column = area.column
    let end = area.column + area.width
    for (index, piece) in pieces.enumerated() {
      let length = piece.text.unicodeScalars.count
      // The last one may use the room that an ellipsis would take.
      let needed = length + (index == pieces.count - 1 || index == 0 ? 0 : gap + 1)
      if index > 0 && column + needed > end {
        screen.write("…", min(column, end - 1), area.row, width: 1, .quiet)
        return
      }
      let first = column
      column = screen.write(piece.text, column, area.row, width: end - column, piece.style) + gap
      guard let target = piece.target else { continue }
      let cells = Area(column: first, row: area.row, width: column - gap - first, height: 1)
      screen.place(target, in: cells)
    }
  }
}

/// The verdict on a run, in one row.
struct VerdictLine {
  let words: StatusWords?
  /// The ink of a bad verdict; plain where red has another meaning.
  var badInk = Ink.poor

  /// How many rows it takes.
  var height: Int { words == nil ? 0 : 1 }

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0, let words else { return }
    let first = Style(words.isHarm ? badInk : .good, bold: true)
    let pieces = words.pieces.enumerated().map { place, text in
      PieceLine.Piece(text, place == 0 ? first : .plain)
    }
    PieceLine(pieces: pieces).draw(on: &screen, in: area)
  }
}

/// The deadlocks of a run.
struct DeadlockLine {
  let deadlocks: [Deadlock]
  var ink = Ink.poor

  /// How many rows it takes.
  var height: Int { deadlocks.isEmpty ? 0 : 1 }

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    let style = Style(ink, bold: true)
    PieceLine(pieces: deadlocks.map { PieceLine.Piece($0.line, style) })
      .draw(on: &screen, in: area)
  }
}

extension Deadlock {
  /// `DEADLOCK since 1.2 s: import waits for gallery, share for catalogue`
  var line: String {
    let waits = zip(threads, locks).enumerated().map { place, wait in
      "\(wait.0)\(place == 0 ? " waits" : "") for \(wait.1)"
    }
    let instant = Number.fixed(since.sinceZero.inSeconds, places: 1)
    return "DEADLOCK since \(instant) s: \(waits.joined(separator: ", "))"
  }
}

/// One vsync of a run, in numbers.
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
