internal import FrameBudget
internal import FrameBudgetCaptures

/// The tasks of a recording as items of workloads. Tasks that call the same services in the same order are items of one
/// workload.
struct LearnedItems: Sendable {
  /// The cost of a step, in nanoseconds: its processor time, and how long it blocked its thread.
  struct Cost: Sendable {
    var cpu: Int64 = 0
    var wait: Int64 = 0

    var length: Int64 { cpu + wait }

    mutating func add(_ other: Cost) {
      cpu += other.cpu
      wait += other.wait
    }
  }

  struct Item: Sendable {
    /// In nanoseconds on the scenario's clock.
    var arrival: Int64
    var costs: [Cost]
  }

  struct Workload: Sendable {
    var name: String
    /// Whether its items are callbacks of timers.
    let isTimer: Bool
    /// Whether its items are inputs, behind which other tasks wait for a frame.
    let isInput: Bool
    /// Whether only the newest of its items matters, after the change.
    let isLimited: Bool
    /// By step: the index of its service; nil for work outside of services.
    let steps: [Int?]
    var items: [Item] = []
  }

  private(set) var workloads: [Workload] = []
  /// By service: its time in all items together, in nanoseconds.
  private(set) var totals: [Int64]
  /// By frame of the screen: its drawing time, in nanoseconds.
  private(set) var drawing: [Int64]
  /// The time that a change to the page affects, in nanoseconds.
  private(set) var changedTime: Int64 = 0
  /// The parts of drawing; the one with the most time in late frames comes first.
  let parts: [Part]

  /// A service of the app in frames.
  struct Part: Sendable {
    let service: Int
    /// By frame of the screen: its time, and the longest of its slices, in nanoseconds.
    let times: [Int64]
    let longest: [Int64]

    /// Whether some frame has several slices of it.
    var hasPieces: Bool { zip(times, longest).contains { $0 > $1 } }
  }

  /// The largest number of workloads, and of steps of an item. Tasks of further kinds join the most similar workload.
  private static let maxWorkloads = 40
  private static let maxSteps = 64

  /// `others` are the items of other threads; `effects` are those of `change`, by slice.
  init(
    _ thread: RecordedThread, _ tasks: [RecordedTask], _ screen: RecordedScreen,
    _ choice: ServiceChoice, others: [RecordedItem] = [], change: PageChange? = nil,
    effects: [PageChange.Effect?]? = nil
  ) {
    totals = Array(repeating: 0, count: choice.names.count)
    var cutter = ItemCutter(thread, screen.frames, choice, effects, workload: change?.workload)
    var items = tasks.flatMap { cutter.items(of: $0) }
    changedTime = cutter.changedTime
    // Time in a frame outside of slices was also drawing, or waiting for something that a replay does not have.
    drawing = zip(cutter.drawn, screen.frames).map { drawn, frame in
      drawn + frame.work.reduce(0) { $0 + Int64($1.count) }
    }
    if screen.isFrameLoop {
      Arrivals.assignInFrames(&items, &drawing, screen)
    } else {
      if screen.joinsSlices { items = Arrivals.joined(items, screen) }
      Arrivals.assign(&items, &drawing, screen)
    }
    parts = Self.parts(of: drawing, cutter.parts, late: screen.lateFrames)
    if !others.isEmpty {
      items = HandOvers.chains(of: items + others, main: thread.number, screen.grid)
    }
    sort(items, choice, limited: change?.workload)
  }

  /// Those of `parts`, by service, that take enough of `drawing` in the frames that were late, or in all if none was.
  private static func parts(
    of drawing: [Int64], _ parts: [Int: DrawnPart], late: [Int]
  ) -> [Part] {
    let frames = late.isEmpty ? Array(drawing.indices) : late
    func sum(_ times: [Int64]) -> Int64 { frames.reduce(0) { $0 + times[$1] } }
    let least = max(1, ServiceChoice.minShare * Double(sum(drawing)))
    return parts.map { Part(service: $0.key, times: $0.value.times, longest: $0.value.longest) }
      .filter { Double(sum($0.times)) >= least }
      .sorted { (sum($1.times), $0.service) < (sum($0.times), $1.service) }
  }

  /// By frame: its drawing without its parts.
  var restOfDrawing: [Int64] {
    drawing.indices.map { frame in parts.reduce(drawing[frame]) { $0 - $1.times[frame] } }
  }

  private mutating func sort(
    _ items: [RecordedItem], _ choice: ServiceChoice, limited: String?
  ) {
    let items = items.map { $0.halved(untilAtMost: Self.maxSteps) }
    var times: [RecordedItem.Signature: Int64] = [:]
    for item in items { times[item.signature, default: 0] += item.length }
    let kept =
      times.sorted { ($1.value, $0.key.text) < ($0.value, $1.key.text) }
      .prefix(Self.maxWorkloads).map(\.key)
    // Computed once for all items with the same signature.
    var shapes = Dictionary(uniqueKeysWithValues: kept.map { ($0, Optional($0)) })
    var indices: [RecordedItem.Signature: Int] = [:]
    for item in items {
      let shape = shapes[item.signature] ?? item.signature.nearest(of: kept)
      shapes[item.signature] = .some(shape)
      // A kind fits none only if there are more kinds than workloads.
      let item = shape.flatMap { item.shaped(as: $0) } ?? item.spread(over: totals.indices)
      if indices[item.signature] == nil {
        indices[item.signature] = workloads.count
        workloads.append(
          Workload(
            name: name(of: item.signature, choice), isTimer: item.signature.isTimer,
            isInput: item.signature.isInput,
            isLimited: limited != nil && item.signature.workload == limited,
            steps: item.signature.steps))
      }
      guard let index = indices[item.signature] else { continue }
      workloads[index].items.append(Item(arrival: item.arrival, costs: item.costs))
      for (service, cost) in zip(item.signature.steps, item.costs) {
        if let service { totals[service] += cost.length }
      }
    }
  }

  /// A workload's name: that of its first service, with a number if it is taken.
  private func name(of signature: RecordedItem.Signature, _ choice: ServiceChoice) -> String {
    let services = signature.steps.compactMap(\.self)
    let named = services.first { !choice.laneRemainders.contains($0) } ?? services.first
    let first = named.map { choice.names[$0].lowercased() } ?? "other"
    return ServiceChoice.unused(signature.workload ?? first, workloads.map(\.name))
  }
}

/// Removes the drawing of frames from tasks, and cuts the rest into the steps of items.
struct ItemCutter {
  private let slices: [RecordedSlice]
  private let number: Int
  private let choice: ServiceChoice
  /// The intervals in which frames were drawn, in order, with the frame's index.
  private let works: [(range: Range<Int64>, frame: Int)]
  private var next = 0
  /// By slice: the slice that determines its role, which is itself or an enclosing one.
  private let owners: [Int?]
  /// By slice: the service that its time in a frame belongs to, and its outermost slice around it; nil for the rest of drawing.
  private let drawers: [(service: Int, slice: Int)?]
  /// By frame: when it was requested.
  private let requests: [Int64]
  /// By slice: the effect of a change to the page; nil without a change.
  private let effects: [PageChange.Effect?]?
  /// The workload of what the change limits.
  private let limited: String?
  private(set) var changedTime: Int64 = 0
  /// By frame: the time before its request in which slices drew for it, without what other threads took from it, in
  /// nanoseconds.
  private(set) var drawn: [Int64]
  /// By service. All of their time is drawing.
  private(set) var parts: [Int: DrawnPart] = [:]

  /// `frames` are those that the thread draws.
  init(
    _ thread: RecordedThread, _ frames: [RecordedScreen.Frame], _ choice: ServiceChoice,
    _ effects: [PageChange.Effect?]? = nil, workload: String? = nil
  ) {
    (self.effects, limited) = (effects, workload)
    slices = thread.slices
    number = thread.number
    self.choice = choice
    works = frames.enumerated().flatMap { frame in
      frame.element.work.map { ($0, frame.offset) }
    }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    requests = frames.map(\.requestedAt)
    drawn = Array(repeating: 0, count: frames.count)
    owners = Self.inherited(thread.slices) { index, outer in
      choice.role(of: thread.slices[index]) == .none ? outer : index
    }
    drawers = Self.inherited(thread.slices) { index, outer in
      let service = choice.part(of: thread.slices[index], in: outer?.service)
      return service.map { $0 == outer?.service ? outer : ($0, index) } ?? nil
    }
  }

  /// By slice: `value` of its place and of the value of the enclosing slice.
  static func inherited<Value>(
    _ slices: [RecordedSlice], _ value: (_ slice: Int, _ outer: Value?) -> Value?
  ) -> [Value?] {
    var open: [Value?] = []
    return slices.indices.map { index in
      open.removeLast(max(0, open.count - Int(slices[index].depth)))
      let own = value(index, open.last ?? nil)
      open.append(own)
      return own
    }
  }

  /// The items of `task` without its drawing. What ran before a frame and what ran after it are separate items, and so is what
  /// a change limits.
  mutating func items(of task: RecordedTask) -> [RecordedItem] {
    var items: [RecordedItem] = []
    var current: Int?
    var frame = works.count
    var event: Int?
    for piece in task.pieces {
      let effect = effects?[piece.slice]
      let parts = cut(piece, effect)
      if let effect {
        changedTime += piece.length
        if case .limited(let new) = effect {
          add(parts, of: new, isNew: new != event, of: task, to: &items)
          event = new
        }
        continue
      }
      let owner = owners[piece.slice]
      let role = owner.map { choice.role(of: slices[$0]) } ?? .none
      for part in parts where role != .render {
        let behind = worksEnded(by: part.begin)
        if items.isEmpty || behind != frame || event != nil {
          let isFirst = items.isEmpty || event != nil && (frame == works.count || behind == frame)
          items.append(
            RecordedItem(
              begin: part.begin, end: part.end, posted: isFirst ? task.posted : nil,
              thread: number, handOff: items.isEmpty ? task.handOff : nil,
              signature: RecordedItem.Signature(
                workload: nil, isTimer: isFirst && task.isTimer,
                isInput: isFirst && task.isInput, steps: [nil]),
              costs: [LearnedItems.Cost()]))
          (frame, current, event) = (behind, nil, nil)
        }
        let isNewCall = current != owner && !isContinuation(owner, in: items[items.count - 1])
        if case .service = role { current = owner }
        items[items.count - 1].add(part, role, isNewCall: isNewCall)
      }
      if role == .render { drawOutside(piece) }
    }
    return items.filter { $0.length > 0 }.map { $0.withoutShortSteps(of: choice.platforms) }
  }

  /// Adds what the listeners of an event did, as an item. Of listeners that ran in a frame, it arrives right before the frame's
  /// vsync, so that the frame waits for it.
  private mutating func add(
    _ parts: [RecordedTask.Piece], of event: Int, isNew: Bool, of task: RecordedTask,
    to items: inout [RecordedItem]
  ) {
    for (place, part) in parts.enumerated() {
      let next = worksEnded(by: part.begin)
      let isInFrame = next < works.count && works[next].range.lowerBound <= part.begin
      let begin =
        isInFrame
        ? min(requests[works[next].frame], works[next].range.lowerBound) - 1 : part.begin
      if isNew, place == 0 {
        items.append(
          RecordedItem(
            begin: begin, end: begin,
            posted: isInFrame ? nil : task.handOff?.instant ?? task.posted, thread: number,
            // Another thread does not wait for it, and does its work whether the item runs or not.
            handOff: nil,
            signature: RecordedItem.Signature(workload: limited, steps: [nil]),
            costs: [LearnedItems.Cost()]))
      }
      let last = items.count - 1
      let end = items[last].end
      items[last].add(part, .none, isNewCall: false)
      if isInFrame { items[last].end = end }
    }
  }

  /// Whether the slice continues the call that is the item's last step.
  private func isContinuation(_ owner: Int?, in item: RecordedItem) -> Bool {
    guard let owner, slices[owner].continues, let last = item.signature.steps.last, last != nil
    else { return false }
    return choice.role(of: slices[owner]) == last.map { .service($0) }
  }

  /// The number of drawing intervals that have ended by `instant`.
  private func worksEnded(by instant: Int64) -> Int {
    works.partitioningIndex { $0.range.upperBound > instant }
  }

  /// The parts of `piece` outside of drawing intervals, and inside, if a change has an effect on it: then it is no drawing.
  private mutating func cut(
    _ piece: RecordedTask.Piece, _ effect: PageChange.Effect?
  ) -> [RecordedTask.Piece] {
    while next < works.count, works[next].range.upperBound <= piece.begin { next += 1 }
    var left: [RecordedTask.Piece] = []
    var rest = piece
    var index = next
    while index < works.count, works[index].range.lowerBound < rest.end {
      let work = works[index].range
      let from = max(rest.begin, work.lowerBound)
      let to = max(from, min(rest.end, work.upperBound))
      let lost = Int64(Double(to - from) * piece.lost)
      drawn[works[index].frame] -= effect == nil ? lost : to - from
      if effect != nil {
        var inside = rest
        (inside.begin, inside.end) = (from, to)
        if inside.length > 0 { left.append(inside) }
      } else if let (service, slice) = drawers[piece.slice] {
        parts[service, default: DrawnPart(frames: drawn.count)].add(
          to - from - lost, of: slice, in: works[index].frame)
      }
      if from > rest.begin {
        var before = rest
        before.end = from
        left.append(before)
      }
      rest.begin = to
      index += 1
    }
    if rest.length > 0 { left.append(rest) }
    return left
  }

  /// Adds a drawing slice outside of all drawing intervals to the next frame. From its request on, the frame waits for it.
  private mutating func drawOutside(_ piece: RecordedTask.Piece) {
    guard next < works.count, piece.end <= works[next].range.lowerBound else { return }
    let frame = works[next].frame
    let length = max(0, min(piece.end, requests[frame]) - piece.begin)
    drawn[frame] += Int64(Double(length) * (1 - piece.lost))
  }
}

/// The time of a service in frames.
struct DrawnPart: Sendable {
  /// By frame: its time, and the longest of its slices, in nanoseconds.
  private(set) var times: [Int64]
  private(set) var longest: [Int64]
  /// The time of its slices in the current frame.
  private var current: (frame: Int, bySlice: [Int: Int64]) = (-1, [:])

  init(frames: Int) {
    times = Array(repeating: 0, count: frames)
    longest = times
  }

  mutating func add(_ time: Int64, of slice: Int, in frame: Int) {
    if current.frame != frame { current = (frame, [:]) }
    current.bySlice[slice, default: 0] += time
    times[frame] += time
    longest[frame] = max(longest[frame], current.bySlice[slice] ?? 0)
  }
}

/// Determines when items arrived: when they were posted or when they began, and always so that they begin in the recorded
/// order.
enum Arrivals {
  /// Joins items of one message. Where frames run before messages, work that began while a frame waited belongs to the
  /// message that was running; otherwise the loop would have begun the frame first.
  static func joined(
    _ items: [RecordedItem], _ screen: RecordedScreen
  ) -> [RecordedItem] {
    var joined: [RecordedItem] = []
    var (next, nextOfLast) = (0, 0)
    for item in items.sorted(by: { $0.begin < $1.begin }) {
      while next < screen.frames.count, screen.frames[next].begin <= item.begin { next += 1 }
      if next < screen.frames.count, next == nextOfLast, let last = joined.last,
        case let due = screen.grid.instant(of: screen.frames[next].requested),
        item.begin >= due, last.end > due
      {
        joined[joined.count - 1].append(later: item)
      } else {
        joined.append(item)
      }
      nextOfLast = next
    }
    return joined
  }

  /// Work that ran while a frame waited had arrived before that frame; otherwise the loop would have begun the frame first.
  /// If the thread was idle although a frame waited, something else delayed the frame, and does so in the replay. Before an
  /// item, that delay becomes waiting of the item; right before the frame, it counts as drawing.
  static func assign(
    _ items: inout [RecordedItem], _ drawing: inout [Int64], _ screen: RecordedScreen
  ) {
    items.sort { $0.begin < $1.begin }
    var latest = posted(items, screen)
    var free = Int64.min
    var index = 0
    for (number, frame) in screen.frames.enumerated() {
      let due = screen.grid.instant(of: frame.requested)
      // When the loop last checked timers before the frame's event was posted: at the start of what ran then.
      var checked = due
      while index < items.count, items[index].begin < due {
        free = max(free, items[index].end)
        if free >= due { checked = items[index].begin }
        index += 1
      }
      if number > 0, case let last = screen.frames[number - 1], last.end >= due {
        checked = last.begin
      }
      free = max(free, due)
      let waiting = items[index...].prefix { $0.begin < frame.begin }.indices
      for item in waiting {
        items[item].costs[0].wait += max(0, items[item].begin - free)
        free = max(free, items[item].end)
        let behind = Int64(waiting.upperBound - item)
        let vsync = screen.grid.refresh.vsync(frame.requested).nanoseconds
        let limit =
          items[item].signature.isTimer && checked < due ? screen.grid.time(of: checked) : vsync
        latest[item] = min(latest[item], limit - 1000 * behind)
      }
      index = waiting.upperBound
      drawing[number] += max(0, frame.begin - free)
      free = max(free, frame.end)
    }
    arrive(&items, by: latest)
  }

  /// The time from which each item waited for the thread. If the thread was idle after the item had been posted, something
  /// else delayed the item, unless both waited for a frame behind an input.
  private static func posted(_ items: [RecordedItem], _ screen: RecordedScreen) -> [Int64] {
    var (free, busySince, waitEnd) = (Int64.min / 2, Int64.min, Int64.min)
    func run(_ begin: Int64, _ end: Int64) {
      if begin - maxGap > free, begin > waitEnd { busySince = begin }
      free = max(free, end)
    }
    var next = 0
    return items.map { item in
      while next < screen.frames.count, screen.frames[next].begin <= item.begin {
        run(screen.frames[next].begin, screen.frames[next].end)
        next += 1
      }
      run(item.begin, item.end)
      if item.signature.isInput {
        // The frame of the next vsync begins soon behind it.
        let vsync = screen.grid.vsync(atOrAfter: item.end)
        waitEnd = (screen.grid.instant(of: vsync) + screen.grid.instant(of: vsync + 1)) / 2
      }
      return screen.grid.time(of: min(item.begin, max(item.posted ?? item.begin, busySince)))
    }
  }

  /// A thread is busy if no more nanoseconds pass between two tasks.
  private static let maxGap: Int64 = 300_000

  /// Work that ran in a frame had arrived by its vsync: a loop of frames handles everything that has arrived by then.
  static func assignInFrames(
    _ items: inout [RecordedItem], _ drawing: inout [Int64], _ screen: RecordedScreen
  ) {
    items.sort { $0.begin < $1.begin }
    var latest = items.map { screen.grid.time(of: $0.begin) }
    var index = 0
    for (number, frame) in screen.frames.enumerated() {
      drawing[number] += max(0, frame.whole.lowerBound - screen.grid.instant(of: frame.vsync))
      index += items[index...].prefix { $0.begin < frame.whole.lowerBound }.count
      let inside = items[index...].prefix { $0.begin < frame.whole.upperBound }.indices
      // The items arrive in order, after the previous vsync.
      let half = screen.grid.refresh.period.nanoseconds / 2
      let apart = min(1000, half / Int64(max(1, inside.count)))
      for item in inside {
        let behind = Int64(inside.upperBound - item)
        latest[item] = screen.grid.refresh.vsync(frame.vsync).nanoseconds - apart * behind
      }
      index = inside.upperBound
    }
    arrive(&items, by: latest)
  }

  /// The loop runs timers in the order of their due times, and all other items in that of their arrivals.
  private static func arrive(_ items: inout [RecordedItem], by latest: [Int64]) {
    var next: [Bool: Int64] = [:]
    for item in items.indices {
      let isTimer = items[item].signature.isTimer
      items[item].arrival = max(next[isTimer] ?? 0, latest[item])
      next[isTimer] = items[item].arrival + 1
    }
  }
}
