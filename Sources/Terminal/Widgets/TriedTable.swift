internal import FrameBudget

/// The runs of this session side by side in numbers; the newest is the last.
struct TriedTable {
  let runs: [SessionRun]
  /// The ink of bad numbers; plain where red has another meaning.
  var badInk = Ink.poor

  private struct Field {
    let title: String
    let width: Int
    let text: (SessionRun) -> String
    var ink: (SessionRun) -> Ink = { _ in .plain }
  }

  func draw(on screen: inout Screen, in area: Area) {
    guard area.height > 1, area.width > 0 else { return }
    let name = min(25, area.width * 2 / 5)
    let fields = fitting(area.width - name)
    drawTitles(fields, name: name, on: &screen, in: area)
    let room = area.height - 1
    let shown = runs.count <= room ? runs[...] : runs.suffix(room - 1)
    var row = area.row + 1
    if shown.count < runs.count {
      let text = "  … \(runs.count - shown.count) earlier"
      screen.write(text, area.column, row, width: area.width, .quiet)
      row += 1
    }
    for run in shown {
      draw(run, fields, name: name, on: &screen, in: area, row: row)
      row += 1
    }
  }

  private func drawTitles(
    _ fields: [Field], name: Int, on screen: inout Screen, in area: Area
  ) {
    screen.write("TRIED", area.column, area.row, width: area.width, .title)
    var column = area.column + name
    for field in fields {
      screen.writeTrailing(field.title, column, area.row, width: field.width, .quiet)
      column += field.width
    }
    if fields.count < Self.fields.count {
      screen.write("…", min(column + 1, area.column + area.width - 1), area.row, width: 1, .quiet)
    }
  }

  private func draw(
    _ run: SessionRun, _ fields: [Field], name: Int, on screen: inout Screen, in area: Area,
    row: Int
  ) {
    let style = Style(bold: run.isUnderWay)
    if run.isUnderWay { screen.put("▶", area.column, row, Style(.mark, bold: true)) }
    screen.write(run.label, area.column + 2, row, width: name - 3, style)
    var column = area.column + name
    for field in fields {
      let ink = field.ink(run) == .poor ? badInk : field.ink(run)
      screen.writeTrailing(
        field.text(run), column, row, width: field.width, Style(ink, bold: run.isUnderWay))
      column += field.width
    }
  }

  private func fitting(_ width: Int) -> [Field] {
    var left = width - 2
    return Array(
      Self.fields.prefix { field in
        left -= field.width
        return left >= 0
      })
  }

  private static var fields: [Field] {
    [
      Field(title: "dropped", width: 9) { "\($0.figures.frames.dropped)" },
      Field(title: "%", width: 7) { Number.percent($0.figures.frames.droppedPercent).dropLastTwo },
      Field(
        title: "hitch", width: 8, text: { Number.text($0.figures.frames.hitchRatio) },
        ink: { $0.figures.band?.ink ?? .plain }),
      Field(title: "p99 ms", width: 9) { Number.text($0.figures.frameTime(.p99)) },
      Field(title: "max ms", width: 9) { Number.text($0.figures.frameTime(.max)) },
      Field(title: "done", width: 8) { Number.count($0.figures.done) },
      Field(title: "pending", width: 9) { Number.count($0.figures.pending) },
      Field(title: "cancelled", width: 11) { Number.count($0.cancelled) },
      Field(title: "response p99", width: 14) { Number.text($0.figures.response(.p99)) },
      Field(title: "Hz", width: 7) { Decimal.text($0.refresh.hertz, places: 2) },
      Field(title: "engine", width: 9) { $0.engine?.rawValue ?? "file" },
      Field(title: "seconds", width: 9) {
        Number.fixed($0.figures.at.sinceZero.inSeconds, places: 1)
      },
    ]
  }
}

extension String {
  /// Without the unit, which the title has.
  fileprivate var dropLastTwo: String { hasSuffix(" %") ? String(dropLast(2)) : self }
}

/// Numbers of the run and of those before it; page by page where they do not all fit.
struct NumberPanel {
  let figures: Figures
  let runs: [SessionRun]
  /// The number of times that the key was pressed; pages wrap around.
  let page: Int

  /// Draws the page; returns how many there are.
  func draw(on screen: inout Screen, in area: Area) -> Int {
    let groups = NumberGroups(figures: figures)
    let count = groups.groups.count
    let across = max(1, area.width / NumberGroups.width)
    let needed = (count + across - 1) / across * NumberGroups.height
    if area.height > needed + 2 {
      var area = area
      groups.draw(on: &screen, in: area.takeTop(needed))
      _ = area.takeTop(1)
      TriedTable(runs: runs).draw(on: &screen, in: area)
      return 1
    }
    let perPage = NumberGroups.fitting(area)
    let pages = (count + perPage - 1) / perPage
    if page % (pages + 1) == pages {
      TriedTable(runs: runs).draw(on: &screen, in: area)
    } else {
      groups.draw(on: &screen, in: area, from: page % (pages + 1) * perPage)
    }
    return pages + 1
  }
}
