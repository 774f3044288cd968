internal import FrameBudget

/// The numbers of a run in groups of four, in as many rows and columns as fit.
struct NumberGroups {
  let figures: Figures

  struct Group {
    let title: String
    let rows: [Row]
  }

  struct Row {
    let name: String
    let value: String
    var role = ColorRole.plain
  }

  static let width = 20
  static let height = 5

  /// How many groups fit into `area`.
  static func fitting(_ area: Area) -> Int {
    max(1, area.width / width) * max(1, area.height / height)
  }

  /// Draws the groups from `first` on.
  func draw(on screen: inout Screen, in area: Area, from first: Int = 0) {
    let across = max(1, area.width / Self.width)
    let width = min(28, area.width / across)
    let shown = groups.dropFirst(first).prefix(Self.fitting(area))
    for (place, group) in shown.enumerated() {
      let corner = Area(
        column: area.column + place % across * width, row: area.row + place / across * Self.height,
        width: width - 2, height: Self.height)
      draw(group, on: &screen, in: corner)
      if place % across < across - 1 && place < shown.count - 1 {
        for row in corner.row..<(corner.row + Self.height) {
          screen.put("│", corner.column + width - 2, row, .quiet)
        }
      }
    }
  }

  private func draw(_ group: Group, on screen: inout Screen, in area: Area) {
    screen.write(group.title, area.column, area.row, width: area.width, .title)
    for (offset, row) in group.rows.enumerated() {
      let y = area.row + 1 + offset
      let name = screen.write(row.name, area.column, y, width: area.width, .quiet)
      let left = name + 1
      screen.writeTrailing(
        row.value, left, y, width: area.column + area.width - left,
        Style(row.role, bold: row.role != .plain))
    }
  }

  var groups: [Group] {
    [shown, times] + figures.platforms.flatMap(numbers) + [causes, items, responses, machine]
      + screen
  }

  /// The platform's own metrics, as far as known during a run.
  private func numbers(of set: MetricSet) -> [Group] {
    let rows = set.metrics.compactMap { theirs -> Row? in
      // Observations contain frames, but neither the work between them nor inputs.
      guard theirs.metric.needs?.isDisjoint(with: .tasks) ?? false,
        let value = theirs.metric.value(figures.frames)?.number
      else { return nil }
      let band = theirs.metric.bands?.band(of: value)
      return Row(
        name: theirs.title.filter { !$0.isEmpty }.joined(separator: " "),
        value: Number.text(value), role: band?.role ?? .plain)
    }
    let title = set.rawValue.uppercased()
    return stride(from: 0, to: rows.count, by: 4).map { first in
      Group(title: title, rows: Array(rows[first..<min(first + 4, rows.count)]))
    }
  }

  private var shown: Group {
    let share = figures.frames.droppedPercent.map { " \(Number.fixed($0, places: 1))%" } ?? ""
    let band = figures.band.map { " \($0.rawValue)" } ?? ""
    return Group(
      title: "FRAMES",
      rows: [
        Row(name: "dropped", value: "\(figures.frames.dropped)\(share)", role: figures.droppedRole),
        Row(
          name: "last second", value: "\(figures.frames.droppedLastSecond)",
          role: figures.frames.droppedLastSecond > 0 ? .poor : .plain),
        Row(
          name: "hitch", value: "\(Number.text(figures.frames.hitchRatio))\(band)",
          role: figures.band?.role ?? .plain),
        Row(name: "average fps", value: Number.text(figures.frames.averageFPS)),
      ])
  }

  private var times: Group {
    Group(
      title: "FRAME TIME ms",
      rows: [Quantile.p50, .p95, .p99, .max].map {
        Row(name: "\($0)", value: Number.text(figures.frameTime($0)))
      })
  }

  /// The causes that dropped most; it doubles as the legend of letters and colours.
  private var causes: Group {
    let counts = Cause.allCases.filter { figures.drops(by: $0) > 0 }
      .sorted { figures.drops(by: $0) > figures.drops(by: $1) }
    let order = counts + Cause.displayOrder.filter { figures.drops(by: $0) == 0 }
    let rows = order.map { cause in
      let drops = figures.drops(by: cause)
      return Row(
        name: "\(cause.traits.letter) \(cause.name)", value: "\(drops)",
        role: drops > 0 ? .cause(cause) : .plain)
    }
    return Group(title: "DROPPED BY", rows: Array(rows.prefix(4)))
  }

  private var items: Group {
    Group(
      title: "ITEMS",
      rows: [
        Row(name: "done", value: Number.count(figures.done)),
        Row(name: "pending", value: Number.count(figures.pending)),
        Row(name: "per second", value: Number.text(figures.perSecond)),
        Row(name: "queue depth", value: Number.count(figures.queueDepth)),
      ])
  }

  private var responses: Group {
    Group(
      title: "RESPONSE ms",
      rows: [Quantile.p50, .p99, .max].map {
        Row(name: "\($0)", value: Number.text(figures.response($0)))
      } + [
        Row(
          name: "late", value: figures.responses == nil ? "–" : "\(figures.responsesLate)",
          role: figures.responsesLate > 0 ? .poor : .plain)
      ])
  }

  /// Shown if more than one frame can be in flight.
  private var screen: [Group] {
    guard let flight = figures.inFlight else { return [] }
    let missed = figures.frames.deadlinesMissed
    return [
      Group(
        title: "SCREEN",
        rows: [
          Row(name: "in flight", value: "\(flight.frames) of \(flight.buffers)"),
          Row(name: "present p95", value: "\(Number.text(figures.presentTime(.p95))) ms"),
          Row(name: "deadline missed", value: "\(missed)", role: missed > 0 ? .poor : .plain),
          Row(name: "stuffed", value: "\(figures.frames.stuffed)"),
        ])
    ]
  }

  private var machine: Group {
    Group(
      title: "THREADS",
      rows: [
        Row(name: "main cpu", value: Number.percent(figures.mainPercent)),
        Row(name: "other cpu", value: Number.percent(figures.backgroundPercent)),
        Row(name: "lock wait", value: "\(Number.text(figures.lockWait.inMilliseconds)) ms"),
        Row(name: "longest", value: "\(Number.text(figures.longestLockWait.inMilliseconds)) ms"),
      ])
  }
}

extension Figures {
  var droppedRole: ColorRole { frames.dropped > 0 ? .poor : .good }

  func drops(by cause: Cause) -> Int { frames.drops[Int(cause.rawValue)] }
}

/// The runs of the live view side by side in numbers; the newest is the last.
struct SessionTable {
  let runs: [SessionRun]
  /// The role of bad numbers; plain if red has another meaning.
  var badRole = ColorRole.poor
  /// Where runs without an engine are from.
  var source = "file"

  private struct Field {
    let title: String
    let width: Int
    let text: (SessionRun) -> String
    var role: (SessionRun) -> ColorRole = { _ in .plain }
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
    if fields.count < self.fields.count {
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
      let role = field.role(run) == .poor ? badRole : field.role(run)
      screen.writeTrailing(
        field.text(run), column, row, width: field.width, Style(role, bold: run.isUnderWay))
      column += field.width
    }
  }

  private func fitting(_ width: Int) -> [Field] {
    var left = width - 2
    return Array(
      fields.prefix { field in
        left -= field.width
        return left >= 0
      })
  }

  private var fields: [Field] {
    [
      Field(title: "dropped", width: 9) { "\($0.figures.frames.dropped)" },
      Field(title: "%", width: 7) { Number.percent($0.figures.frames.droppedPercent).dropLastTwo },
      Field(
        title: "hitch", width: 8, text: { Number.text($0.figures.frames.hitchRatio) },
        role: { $0.figures.band?.role ?? .plain }),
      Field(title: "p99 ms", width: 9) { Number.text($0.figures.frameTime(.p99)) },
      Field(title: "max ms", width: 9) { Number.text($0.figures.frameTime(.max)) },
      Field(title: "done", width: 8) { Number.count($0.figures.done) },
      Field(title: "pending", width: 9) { Number.count($0.figures.pending) },
      Field(title: "cancelled", width: 11) { Number.count($0.cancelled) },
      Field(title: "response p99", width: 14) { Number.text($0.figures.response(.p99)) },
      Field(title: "Hz", width: 7) { Decimal.text($0.refresh.hertz, places: 2) },
      Field(title: "engine", width: 9) { $0.engine?.rawValue ?? source },
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

/// Numbers of the run and of earlier runs, in pages if they do not all fit.
struct NumberPanel {
  let figures: Figures
  let runs: [SessionRun]
  /// The number of times that the key was pressed; pages wrap around.
  let page: Int
  var source = "file"

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
      SessionTable(runs: runs, source: source).draw(on: &screen, in: area)
      return 1
    }
    let perPage = NumberGroups.fitting(area)
    let pages = (count + perPage - 1) / perPage
    if page % (pages + 1) == pages {
      SessionTable(runs: runs, source: source).draw(on: &screen, in: area)
    } else {
      groups.draw(on: &screen, in: area, from: page % (pages + 1) * perPage)
    }
    return pages + 1
  }
}
