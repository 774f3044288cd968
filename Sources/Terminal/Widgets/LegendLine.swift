internal import FrameBudget

/// What the signs that are on the screen mean, in one row: in words, else in fewer words, else of as many as fit.
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
    // Two columns are for the sign that some are left out.
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
  /// Of charts that show `columns`, and lanes of which some wait for locks.
  init(_ columns: [VsyncColumn], colors: FrameChart.Colors, hasTaps: Bool = false, hasLanes: Bool) {
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
    let causes = Self.causes(in: columns, hasLanes: hasLanes)
    entries += causes.map { cause in
      Entry(
        sign: cause.traits.letter,
        style: Style(colors == .drops ? .plain : .cause(cause), bold: true),
        words: cause.name, short: cause.name)
    }
    self.init(entries: entries)
  }

  /// What there are letters of: why frames are missing, and with lanes what frames spent their time on; the most
  /// frequent first.
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
