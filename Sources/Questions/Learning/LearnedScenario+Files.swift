public import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetCaptures

// The scenario's files.
extension LearnedScenario {
  static let framesFile = "frames.csv"

  func itemsFile(_ workload: Int) -> String {
    items.workloads.count == 1 ? "items.csv" : "items-\(self.workload(workload)).csv"
  }

  /// The vsync at which the run ends: after everything recorded, with some room for what is late in another arrangement.
  private var lastVsync: Int {
    let frame = screen.frames.last.map { $0.vsync + screen.deadline } ?? 0
    let end = Instant(nanoseconds: screen.grid.time(of: recording.length.nanoseconds))
    let item =
      items.workloads.compactMap { $0.items.last }.map { item in
        item.arrival + item.costs.reduce(0) { $0 + $1.cpu + $1.wait }
      }.max() ?? 0
    let refresh = screen.grid.refresh
    return max(
      frame, refresh.vsyncs(through: end),
      refresh.firstVsync(atOrAfter: Instant(nanoseconds: item))) + 8
  }

  /// The text of the scenario file.
  public func scenario(replay: Learned.Replay) -> String {
    let duration = screen.grid.refresh.vsync(lastVsync).nanoseconds
    var lines = [
      "# Learned from a recording; README.md beside it says how well it replays that.",
      "scenario: \(name)",
      "about: \(Self.quoted("What was recorded in '\(source)'."))",
      "learned: {source: \(Self.quoted(source)), coverage: \(Decimal.text(coverage, places: 3)), "
        + "replay: \(replay.rawValue)}",
    ]
    lines += display + ui
    lines += [
      "duration: \(Decimal.text(units: duration, places: 6)) ms", "warmup: 0 s",
      "phase: recorded", "machine: {cores: \(cores)}",
    ]
    if !items.workloads.isEmpty { lines += servicesAndWorkloads }
    lines += strategies
    return lines.joined(separator: "\n") + "\n"
  }

  /// Scenario files must not have control characters, not even escaped ones.
  private static func quoted(_ text: String) -> String {
    OutputContext.yaml.escaped(text.printable)
  }

  var cores: Int { recording.assumedCores }

  private var display: [String] {
    var lines = [
      "display:", "  refresh: \(screen.grid.refresh)", "  deadline: \(screen.deadline)",
      "  buffers: \(screen.buffers)",
    ]
    if !screen.isFrameLoop {
      var loop = PlatformRules(recording.format).loop
      if items.workloads.contains(where: \.isInput) { loop.deferral = InputDeferral.limit }
      lines += [
        "  main-loop: \(loop)",
        "  frame-time: \(screen.frameTime.rawValue)",
      ]
    }
    if screen.stage.exists {
      lines.append("  compositor: {recorded: \(Self.framesFile), column: compositor_ms}")
    }
    if screen.frames.isEmpty {
      if !screen.isFrameLoop { lines.append("  frames: on-demand") }
    } else {
      lines.append("  render: {recorded: \(Self.framesFile), column: render_ms}")
      if !screen.isFrameLoop {
        lines.append("  frames: {on-demand: {recorded: \(Self.framesFile), column: request_ms}}")
      }
    }
    return lines
  }

  private var ui: [String] {
    guard !items.parts.isEmpty else { return [] }
    return ["ui:", "  frame:"]
      + parts.enumerated().map { number, part in
        let keys = partColumns(number).map {
          ", \($0.key): {recorded: \(Self.framesFile), column: \($0.name)}"
        }
        return "    - {name: \(part)\(keys.joined())}"
      }
  }

  /// The columns of a part of drawing, for its keys, with their times by frame. The number makes them different from all others.
  private func partColumns(_ number: Int) -> [(key: String, name: String, times: [Int64])] {
    let part = items.parts[number]
    let name = "\(number)-\(parts[number])"
    return [("cpu", "\(name)_ms", part.times)]
      + (part.hasPieces ? [("unit", "\(name)_unit_ms", part.longest)] : [])
  }

  private var servicesAndWorkloads: [String] {
    var lines = ["services:", "  \(service(nil)): {keep: true}"]
    lines += services.enumerated().map { index, service in
      "  \(service): \(choice.stays(index) ? "{keep: true}" : "{}")"
    }
    lines.append("workloads:")
    for (index, workload) in items.workloads.enumerated() {
      let table = itemTable(index)
      // The requests for frames are in frames.csv.
      lines += ["  - name: \(self.workload(index))", "    \(table.arrivals)"]
      if workload.isLimited, let admission = change?.admission {
        // Its items begin at other times than the recorded frames that showed them.
        lines.append("    admission: \(admission)")
      } else {
        lines.append("    shows: false")
      }
      if workload.isTimer { lines.append("    timer: true") }
      if workload.isInput { lines.append("    input: true") }
      if result > 0 { lines.append("    result: {cpu: \(Self.milliseconds(result)) ms}") }
      lines.append("    steps:")
      lines += workload.steps.enumerated().map { number, step in
        "      - {service: \(service(step)), \(table.costs(ofStep: number))}"
      }
    }
    return lines
  }

  private var strategies: [String] {
    var lines = ["strategies:"] + arrangement(LearnedReplay.asRecorded)
    guard !items.workloads.isEmpty else { return lines }
    if !screen.isFrameLoop {
      // The named strategy has everything on the main thread.
      lines += lanes.isEmpty ? ["  - yielding"] : arrangement("as-recorded-yielding", yields: true)
    }
    for service in services where movable.contains(service) {
      lines += arrangement(Self.moveStrategyName(service), moving: [[service]])
    }
    return lines
  }

  /// The lines of an arrangement: what was recorded, and the services of `groups` on a new thread for each group.
  func arrangement(
    _ name: String, moving groups: [[String]] = [], yields: Bool = false
  ) -> [String] {
    let added = groups.map { "\($0[0])-thread" }
    let homes =
      choice.homes.sorted { $0.key < $1.key }.map { "\(services[$0.key]): \(lanes[$0.value])" }
      + zip(groups, added).flatMap { group, lane in group.map { "\($0): \(lane)" } }
    var lines = ["  - as: \(name)"]
    if !homes.isEmpty {
      lines += [
        "    lanes: {\((lanes + added).map { "\($0): {}" }.joined(separator: ", "))}",
        "    services: {\(homes.joined(separator: ", "))}",
      ]
    }
    if yields {
      let yielding = Yielding()
      lines.append("    yield: {every: \(yielding.grain), resumes: \(yielding.resumes.rawValue)}")
    }
    return lines
  }

  /// The app's services that some item uses. An arrangement cannot move work that runs in frames alone.
  var movable: Set<String> {
    let used = items.workloads.flatMap { $0.steps.compactMap(\.self) }
    return Set(used.filter { !choice.stays($0) }.map { services[$0] })
  }

  /// The name of the arrangement that moves `service` to a thread of its own.
  public static func moveStrategyName(_ service: String) -> String { "move-\(service)" }

  // MARK: Columns

  private func itemTable(_ index: Int) -> ItemTable<LearnedItems.Item> {
    let workload = items.workloads[index]
    return ItemTable(
      file: itemsFile(index),
      steps: workload.steps.enumerated().map { "\($0)-\(service($1))" }, workload.items,
      arrival: \.arrival
    ) { ($0.costs[$1].cpu, $0.costs[$1].wait) }
  }

  /// The data files of the scenario, by name.
  public var tables: [(name: String, text: String)] {
    let frames = screen.frames.isEmpty ? [] : [(name: Self.framesFile, text: framesTable)]
    return frames + items.workloads.indices.map { (itemsFile($0), itemTable($0).text) }
  }

  /// The table of frames, with a row for each vsync, because a replay may begin frames at other vsyncs than the recording.
  /// Such a frame covers everything requested by then and has the costs of the newest recorded frame, on the UI thread and
  /// behind it. A frame that was requested behind that one and never drawn is another one: it has the costs of the next recorded
  /// frames, in turn. Otherwise the work of the longest frames, which are the ones that others miss, would count again.
  /// Behind the last recorded frame it has the median costs, and so it has in a loop of frames, which has one at every vsync.
  private var framesTable: String {
    let byDrawing = items.drawing.indices.sorted { items.drawing[$0] < items.drawing[$1] }
    let usual = (byDrawing[byDrawing.count / 2], screen.stage.median)
    var (frame, behind) = usual
    var (newest, missed): (Int?, Int) = (nil, 0)
    let rest = items.restOfDrawing
    // Indexed by the vsync of the request: a replay may begin the frame at any vsync from there to the recorded begin.
    let places = Dictionary(
      zip(screen.frames.map(\.requested), screen.frames.indices), uniquingKeysWith: max)
    let refresh = screen.grid.refresh
    // Early enough that rounding cannot move a request past its vsync.
    let early = refresh.period.nanoseconds / 100
    let wanted = screen.wanted
    let isWanted = Set(wanted)
    let requests = wanted.map { max(0, refresh.vsync($0).nanoseconds - early) }
    let hasStage = screen.stage.exists
    let ofParts = parts.indices.flatMap(partColumns)
    let columns = (hasStage ? ["compositor_ms"] : []) + ofParts.map(\.name)
    var text = (["vsync", "render_ms", "request_ms"] + columns).joined(separator: ",") + "\n"
    for vsync in 0...lastVsync {
      if let index = places[vsync] {
        (newest, missed) = (index, 0)
        (frame, behind) = (index, screen.stage.costs[index])
      } else if screen.isFrameLoop {
        (frame, behind) = usual
      } else if let newest, isWanted.contains(vsync),
        screen.frames[newest].begin < screen.grid.instant(of: vsync)
      {
        missed += 1
        let next = newest + missed
        (frame, behind) = next < screen.frames.count ? (next, screen.stage.costs[next]) : usual
      }
      let request = vsync < requests.count ? Self.milliseconds(requests[vsync]) : ""
      let others = (hasStage ? [behind] : []) + ofParts.map { $0.times[frame] }
      text += "\(vsync),\(Self.milliseconds(rest[frame])),\(request)"
      for span in others { text += ",\(Self.milliseconds(span))" }
      text += "\n"
    }
    return text
  }

  private static func milliseconds(_ span: Int64) -> String { Decimal.text(units: span, places: 6) }
}

extension Recording {
  /// The number of cores on which anything ran; if that was not recorded, 4, which phones and laptops have at least.
  var assumedCores: Int { min(256, max(2, cores ?? 4)) }
}
