internal import FrameBudget

/// Pieces of text in one row: as many as fit whole; an ellipsis shows that some are missing.
struct StyledRow {
  struct Piece {
    let text: String
    let style: Style
    /// The target of a click.
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

/// The verdict on a run, in one row; its details in another.
struct VerdictLine {
  let words: StatusWords?
  /// The role of a bad verdict; plain if red has another meaning.
  var badRole = ColorRole.poor

  /// The number of rows.
  var height: Int { words.map { $0.details.isEmpty ? 1 : 2 } ?? 0 }

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0, let words else { return }
    var below = area
    let row = below.takeTop(1)
    StyledRow(pieces: words.details.map { StyledRow.Piece($0) }).draw(on: &screen, in: below)
    let first = Style(words.isProblem ? badRole : .good, bold: true)
    let pieces = words.pieces.enumerated().map { place, text in
      StyledRow.Piece(text, place == 0 ? first : .plain)
    }
    StyledRow(pieces: pieces).draw(on: &screen, in: row)
  }
}

/// The deadlocks of a run.
struct DeadlockLine {
  let deadlocks: [Deadlock]
  var role = ColorRole.poor

  /// The number of rows.
  var height: Int { deadlocks.isEmpty ? 0 : 1 }

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0 else { return }
    let style = Style(role, bold: true)
    StyledRow(pieces: deadlocks.map { StyledRow.Piece($0.line, style) })
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
    StyledRow(pieces: pieces).draw(on: &screen, in: area)
  }

  var pieces: [StyledRow.Piece] {
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

  private func parts(of frame: FrameRecord) -> [String] {
    frame.parts.filter { $0.span >= .microseconds(50) }.sorted { $0.span > $1.span }
      .map { "of it \($0.name) \(Number.text($0.span.inMilliseconds))" }
      + (frame.partsWaiting > .zero
        ? ["\(Number.text(frame.partsWaiting.inMilliseconds)) ms left to later frames"] : [])
  }

  /// The duration of the frame by activity; for a finished run only the cause is known.
  private var details: [String] {
    guard column.run == pane.timeline.run, let frame = pane.run.frame(at: column.vsync) else {
      return [column.cause?.name].compactMap(\.self)
    }
    let work = frame.workEnd - pane.run.refresh.vsync(frame.beginVsync)
    let phases = Phase.allCases.filter { frame.spans[$0] >= .microseconds(50) }
      .sorted { frame.spans[$0] > frame.spans[$1] }
    return ["\(Number.text(work.inMilliseconds)) ms"]
      + phases.flatMap {
        ["\($0.cause.name) \(Number.text(frame.spans[$0].inMilliseconds))"]
          + ($0 == .render ? parts(of: frame) : [])
      }
      + ["\(frame.queueDepth) items waited"]
  }
}

/// The legend of the signs on the screen, in one row: in words, else in fewer words, else as many as fit.
struct LegendLine {
  struct Entry: Hashable {
    let sign: Unicode.Scalar
    let style: Style
    let words: String
    let short: String
  }

  let entries: [Entry]

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 0, area.width > 0 else { return }
    let fitting = [\Entry.words, \.short].first { width(entries, $0) <= area.width }
    let words = fitting ?? \.short
    var column = area.column
    var shown = entries
    // Two columns are reserved for the ellipsis.
    while fitting == nil && width(shown, words) > area.width - 2 && !shown.isEmpty {
      shown.removeLast()
    }
    for entry in shown {
      screen.put(entry.sign, column, area.row, entry.style)
      let text = entry[keyPath: words]
      column = screen.write(text, column + 2, area.row, width: text.count, .quiet) + 2
    }
    if shown.count < entries.count {
      screen.write("…", column, area.row, width: area.column + area.width - column, .quiet)
    }
  }

  private func width(_ entries: [Entry], _ words: KeyPath<Entry, String>) -> Int {
    entries.reduce(-2) { $0 + 4 + $1[keyPath: words].count }
  }
}

extension LegendLine {
  /// The legend of charts that show `columns`.
  init(
    _ columns: [VsyncColumn], colors: FrameChart.Colors, hasTaps: Bool = false, hasLanes: Bool,
    hasWaits: Bool = false
  ) {
    var entries: [Entry] = []
    if columns.contains(where: \.shape.isDropped) {
      entries.append(
        Entry(
          sign: "▒", style: Style(colors == .drops ? .poor : .plain), words: "no new frame",
          short: "no frame"))
    }
    if hasTaps {
      let style = Style(bold: true)
      entries.append(
        Entry(sign: TapRow.inTime, style: style, words: "tap answered in time", short: "tap"))
      entries.append(
        Entry(sign: TapRow.late, style: style, words: "late, with the wait", short: "late"))
    }
    if hasWaits {
      entries.append(
        Entry(sign: "n", style: Style(.mark), words: "items suspended", short: "suspended"))
    }
    let causes = Self.causes(in: columns, hasLanes: hasLanes)
    entries += causes.map { cause in
      Entry(
        sign: cause.traits.letter,
        style: Style(colors == .drops ? .plain : .cause(cause), bold: true),
        words: cause.name, short: cause.name)
    }
    self.init(entries: entries)
  }

  /// The causes of dropped frames, and with lanes the activities of frames, the most frequent first.
  private static func causes(in columns: [VsyncColumn], hasLanes: Bool) -> [Cause] {
    var counts: [Cause: Int] = [:]
    for column in columns where column.shape != .blank {
      let isDropped = column.shape.isDropped
      if isDropped, let cause = column.cause { counts[cause, default: 0] += 1 }
      if hasLanes, let cause = column.phase?.cause ?? column.cause {
        counts[cause, default: 0] += 1
      }
    }
    return Cause.allCases.filter { counts[$0] != nil }
      .sorted { counts[$0, default: 0] > counts[$1, default: 0] }
  }
}
