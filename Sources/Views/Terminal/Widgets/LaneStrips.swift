internal import FrameBudget

/// Rows under the chart's columns: the main thread's time in each frame by phase, how many items were suspended at the end of
/// each step that suspends, and how busy the other threads were.
struct LaneStrips {
  let columns: ArraySlice<VsyncColumn>
  let run: RunModel
  /// The number of the run in the columns.
  let number: Int
  let gutter: Int

  init(_ pane: Pane, _ columns: ArraySlice<VsyncColumn>, gutter: Int) {
    (self.columns, run, number) = (columns, pane.run, pane.timeline.run)
    self.gutter = gutter
  }

  /// The number of rows of `run` of `height` rows for them and the chart: `share` of these, and up to two more for suspended items.
  static func height(of run: RunModel, in height: Int, share: Int) -> Int {
    let room = max(share, min(share + min(2, run.waits.count), height - 4))
    return min(1 + run.waits.count + run.lanes.count, room)
  }

  func draw(on screen: inout Screen, in area: Area) {
    var rest = area
    let main = rest.takeTop(1)
    guard main.height > 0 else { return }
    name("main", on: &screen, in: main)
    each(in: main) { column, x in
      if column.shape == .blank { return }
      let cause = column.phase?.cause ?? column.cause
      screen.put(
        cause?.traits.smallLetter ?? "·", x, main.row, Style(cause.map(ColorRole.cause) ?? .quiet))
    }
    let (waits, lanes) = (run.waits, run.lanes)
    let rows = waits.count + lanes.count
    let fitting = rows <= rest.height ? rows : max(0, rest.height - 1)
    for wait in waits.prefix(fitting) { draw(wait, on: &screen, in: rest.takeTop(1)) }
    for lane in lanes.prefix(max(0, fitting - waits.count)) {
      draw(lane, on: &screen, in: rest.takeTop(1))
    }
    if fitting < rows && rest.height > 0 {
      let text = "… \(rows - fitting) more \(fitting < waits.count ? "rows" : "threads")"
      screen.write(text, rest.column, rest.row, width: rest.width, .quiet)
    }
  }

  private func draw(_ lane: LaneHistory, on screen: inout Screen, in area: Area) {
    name(lane.name, on: &screen, in: area)
    each(in: area) { column, x in
      guard column.run == number, let use = lane.use(at: column.vsync) else { return }
      let (sign, role) = sign(of: use, in: lane)
      screen.put(sign, x, area.row, Style(role))
    }
  }

  private func draw(_ wait: WaitHistory, on screen: inout Screen, in area: Area) {
    name(wait.name, on: &screen, in: area)
    each(in: area) { column, x in
      guard column.run == number, let count = wait.count(at: column.vsync) else { return }
      screen.put(Self.digit(count), x, area.row, Style(count > 0 ? .mark : .quiet))
    }
  }

  private static func digit(_ count: Int) -> Unicode.Scalar {
    let digits: [Unicode.Scalar] = ["·", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
    return digits.indices.contains(count) ? digits[count] : "+"
  }

  /// Whether some column has a suspended item.
  var showsWaits: Bool {
    columns.contains { column in
      column.run == number && run.waits.contains { $0.count(at: column.vsync) ?? 0 > 0 }
    }
  }

  /// A bar for its share of a period; a letter if it mostly waited for a lock.
  private func sign(of use: LaneUse, in lane: LaneHistory) -> (Unicode.Scalar, ColorRole) {
    let (busy, waiting) = (lane.share(use.busy), lane.share(use.waiting))
    if waiting > busy && waiting > 0.1 { return (Cause.lock.traits.smallLetter, .cause(.lock)) }
    let eighths = Int((busy * 8).rounded())
    return eighths == 0 ? ("·", .quiet) : (Glyphs.eighths[eighths], .mark)
  }

  private func each(in area: Area, _ body: (VsyncColumn, Int) -> Void) {
    for (offset, column) in columns.enumerated() {
      body(column, area.column + area.width - columns.count + offset)
    }
  }

  private func name(_ text: String, on screen: inout Screen, in area: Area) {
    guard gutter > 1 else { return }
    let shown = min(text.unicodeScalars.count, gutter - 1)
    screen.write(
      text, area.column + gutter - 1 - shown, area.row, width: gutter - 1, .quiet)
  }
}

/// The history of a lane's threads, by vsync.
struct LaneHistory: Sendable {
  let name: String
  private let refresh: RefreshRate
  private var uses = VsyncHistory(blank: LaneUse())

  init(name: String, refresh: RefreshRate) {
    self.name = name
    self.refresh = refresh
  }

  /// The use between the vsync and the next one; nil if unknown.
  func use(at vsync: Int) -> LaneUse? { uses.value(at: vsync) }

  /// The share of a period, from 0 to 1, which a lane of several threads can fill more than once.
  func share(_ span: TimeSpan) -> Double {
    min(1, span.inMilliseconds / refresh.milliseconds(ofPeriods: 1))
  }

  /// Distributes the time that the threads have spent over the vsyncs between two instants.
  ///
  /// It is reported when a step ends; time that exceeds the interval was spent before it.
  mutating func add(_ use: LaneUse, from: Instant, to: Instant) {
    let last = refresh.vsyncs(through: to)
    guard to > from, last >= uses.first else { return }
    uses.extend(to: last)
    var left = use
    for vsync in stride(from: last, through: uses.first, by: -1) {
      let begin = refresh.vsync(vsync)
      let isBefore = begin < from
      let overlap = min(to, refresh.vsync(vsync + 1)) - max(from, begin)
      let part =
        isBefore && overlap <= .zero
        ? unassigned(in: vsync, left) : share(of: use, overlap, to - from)
      let taken = LaneUse(
        busy: min(left.busy, part.busy), waiting: min(left.waiting, part.waiting))
      uses[vsync].busy += taken.busy
      uses[vsync].waiting += taken.waiting
      left = left - taken
      if isBefore && left.busy <= .zero && left.waiting <= .zero { return }
    }
  }

  /// The part of `use` for `overlap`, if it is spread evenly over `whole`.
  private func share(of use: LaneUse, _ overlap: TimeSpan, _ whole: TimeSpan) -> LaneUse {
    func part(_ span: TimeSpan) -> TimeSpan {
      let fraction = Double(overlap.nanoseconds) / Double(whole.nanoseconds)
      let even = Int64((Double(span.nanoseconds) * fraction).rounded(.up))
      return TimeSpan(nanoseconds: min(even, overlap.nanoseconds))
    }
    return LaneUse(busy: part(use.busy), waiting: part(use.waiting))
  }

  /// The unassigned time in the period of `vsync`.
  private func unassigned(in vsync: Int, _ left: LaneUse) -> LaneUse {
    let known = uses[vsync]
    let room = max(.zero, refresh.period - known.busy - known.waiting)
    let busy = min(room, left.busy)
    return LaneUse(busy: busy, waiting: min(room - busy, left.waiting))
  }
}

/// How many items wait suspended at the end of a step, by vsync.
struct WaitHistory: Sendable {
  /// The step's.
  let name: String
  /// How many do now.
  private(set) var now = 0
  private let refresh: RefreshRate
  private var counts = VsyncHistory(blank: 0)

  init(name: String, refresh: RefreshRate) {
    self.name = name
    self.refresh = refresh
  }

  /// The most that were seen between the vsync and the next one; nil if unknown.
  func count(at vsync: Int) -> Int? { counts.value(at: vsync) }

  /// Records that `count` items wait at `to`, for all vsyncs since the observation at `from`.
  mutating func add(_ count: Int, from: Instant, to: Instant) {
    now = count
    let last = refresh.vsyncs(through: to)
    guard last >= counts.first else { return }
    counts.extend(to: last)
    let first = min(last, refresh.vsyncs(through: from) + 1)
    for vsync in max(first, counts.first)...last { counts[vsync] = max(counts[vsync], count) }
  }
}

/// Values by vsync, as far as the view looks back.
struct VsyncHistory<Value: Sendable>: Sendable {
  private let blank: Value
  private var values: [Value] = []
  /// The first vsync with a value.
  private(set) var first = 0
  private var kept: Int { 2048 }

  init(blank: Value) { self.blank = blank }

  /// Nil if unknown.
  func value(at vsync: Int) -> Value? {
    values.indices.contains(vsync - first) ? values[vsync - first] : nil
  }

  /// The value at a known vsync.
  subscript(vsync: Int) -> Value {
    get { values[vsync - first] }
    set { values[vsync - first] = newValue }
  }

  /// Makes all vsyncs up to this one known.
  mutating func extend(to vsync: Int) {
    if vsync - first > 2 * kept {
      values = Array(values.suffix(kept))
      first = max(first, vsync - values.count)
      if vsync - first > 2 * kept { (values, first) = ([], vsync) }
    }
    while first + values.count <= vsync { values.append(blank) }
  }
}
