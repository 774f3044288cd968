internal import FrameBudget

/// The numbers of a run in groups of four, as many beside and below one another as fit.
struct NumberGroups {
  let figures: Figures

  struct Group {
    let title: String
    let rows: [Row]
  }

  struct Row {
    let name: String
    let value: String
    var ink = Ink.plain
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
        Style(row.ink, bold: row.ink != .plain))
    }
  }

  var groups: [Group] {
    [shown, times] + figures.platforms.flatMap(numbers) + [causes, items, responses, machine]
      + screen
  }

  /// What the platform's own tools would print, as far as a run under way tells it.
  private func numbers(of set: MetricSet) -> [Group] {
    let rows = set.metrics.compactMap { theirs -> Row? in
      // Glances tell of frames, not of what ran between them, nor of inputs.
      guard theirs.metric.needs?.isDisjoint(with: .tasks) ?? false,
        let value = theirs.metric.value(figures.frames)?.number
      else { return nil }
      let band = theirs.metric.bands?.band(of: value)
      return Row(
        name: theirs.title.filter { !$0.isEmpty }.joined(separator: " "),
        value: Number.text(value), ink: band?.ink ?? .plain)
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
        Row(name: "dropped", value: "\(figures.frames.dropped)\(share)", ink: figures.droppedInk),
        Row(
          name: "last second", value: "\(figures.frames.droppedLastSecond)",
          ink: figures.frames.droppedLastSecond > 0 ? .poor : .plain),
        Row(
          name: "hitch", value: "\(Number.text(figures.frames.hitchRatio))\(band)",
          ink: figures.band?.ink ?? .plain),
        Row(name: "average fps", value: Number.text(figures.frames.averageFPS)),
      ])
  }

  private var times: Group {
    Group(
      title: "FRAME TIME ms",
      rows: [
        Row(name: "p50", value: Number.text(figures.frameTime(.p50))),
        Row(name: "p95", value: Number.text(figures.frameTime(.p95))),
        Row(name: "p99", value: Number.text(figures.frameTime(.p99))),
        Row(name: "max", value: Number.text(figures.frameTime(.max))),
      ])
  }

  /// The causes that dropped most; it doubles as the legend of letters and colours.
  private var causes: Group {
    let counts = Cause.allCases.filter { figures.drops(by: $0) > 0 }
      .sorted { figures.drops(by: $0) > figures.drops(by: $1) }
    let order = counts + Cause.familiar.filter { figures.drops(by: $0) == 0 }
    let rows = order.map { cause in
      let drops = figures.drops(by: cause)
      return Row(
        name: "\(cause.traits.letter) \(cause.name)", value: "\(drops)",
        ink: drops > 0 ? .cause(cause) : .plain)
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
      rows: [
        Row(name: "p50", value: Number.text(figures.response(.p50))),
        Row(name: "p99", value: Number.text(figures.response(.p99))),
        Row(name: "max", value: Number.text(figures.response(.max))),
        Row(
          name: "late", value: figures.responses == nil ? "–" : "\(figures.responsesLate)",
          ink: figures.responsesLate > 0 ? .poor : .plain),
      ])
  }

  /// Where more than one frame is on its way to the screen.
  private var screen: [Group] {
    guard let flight = figures.inFlight else { return [] }
    let missed = figures.frames.deadlinesMissed
    return [
      Group(
        title: "SCREEN",
        rows: [
          Row(name: "in flight", value: "\(flight.frames) of \(flight.buffers)"),
          Row(name: "present p95", value: "\(Number.text(figures.presentTime(.p95))) ms"),
          Row(name: "deadline missed", value: "\(missed)", ink: missed > 0 ? .poor : .plain),
          Row(name: "stuffed", value: "\(figures.frames.stuffed)"),
        ])
    ]
  }

  private var machine: Group {
    Group(
      title: "THREADS",
      rows: [
        Row(name: "main cpu", value: Number.percent(figures.mainPercent)),
        Row(name: "others' cpu", value: Number.percent(figures.backgroundPercent)),
        Row(name: "lock wait", value: "\(Number.text(figures.lockWait.inMilliseconds)) ms"),
        Row(name: "longest", value: "\(Number.text(figures.longestLockWait.inMilliseconds)) ms"),
      ])
  }
}

extension Figures {
  var droppedInk: Ink { frames.dropped > 0 ? .poor : .good }

  func drops(by cause: Cause) -> Int { frames.drops[Int(cause.rawValue)] }
}
