internal import FrameBudget

/// A row per thread, under the chart's columns: what the main thread spent each frame on, how busy the others were.
struct LaneStrips {
  let columns: ArraySlice<VsyncColumn>
  let lanes: [LaneHistory]
  /// The run that the lanes belong to.
  let run: Int
  let gutter: Int

  func draw(on screen: inout Screen, in area: Area) {
    var rest = area
    let main = rest.takeTop(1)
    guard main.height > 0 else { return }
    name("main", on: &screen, in: main)
    each(in: main) { column, x in
      if column.shape == .blank { return }
      let cause = column.phase?.cause ?? column.cause
      screen.put(
        cause?.traits.smallLetter ?? "·", x, main.row, Style(cause.map(Ink.cause) ?? .quiet))
    }
    let fitting = lanes.count <= rest.height ? lanes.count : rest.height - 1
    for lane in lanes.prefix(max(0, fitting)) { draw(lane, on: &screen, in: rest.takeTop(1)) }
    if fitting < lanes.count && rest.height > 0 {
      let text = "… \(lanes.count - max(0, fitting)) more threads"
      screen.write(text, rest.column, rest.row, width: rest.width, .quiet)
    }
  }

  private func draw(_ lane: LaneHistory, on screen: inout Screen, in area: Area) {
    name(lane.name, on: &screen, in: area)
    each(in: area) { column, x in
      guard column.run == run, let use = lane.use(at: column.vsync) else { return }
      let (sign, ink) = sign(of: use, in: lane)
      screen.put(sign, x, area.row, Style(ink))
    }
  }

  /// A bar for its share of a period; a letter where it mostly waited for a lock.
  private func sign(of use: LaneUse, in lane: LaneHistory) -> (Unicode.Scalar, Ink) {
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

extension VsyncColumn.Shape {
  var isDropped: Bool { if case .dropped = self { true } else { false } }
}

/// What the threads of a lane did, vsync by vsync.
struct LaneHistory: Sendable {
  let name: String
  private let refresh: RefreshRate
  private var uses: [LaneUse] = []
  /// The vsync of `uses[0]`.
  private var first = 0
  private static let kept = 2048

  init(name: String, refresh: RefreshRate) {
    self.name = name
    self.refresh = refresh
  }

  /// What happened between the vsync and the next one; nil if that is not known.
  func use(at vsync: Int) -> LaneUse? {
    uses.indices.contains(vsync - first) ? uses[vsync - first] : nil
  }

  /// The share of a period, from 0 to 1, which a lane of several threads can fill more than once.
  func share(_ span: TimeSpan) -> Double {
    min(1, span.inMilliseconds / refresh.milliseconds(ofPeriods: 1))
  }

  /// Spreads what the threads have done over the vsyncs between two instants.
  ///
  /// It is known when a step ends; what does not fit in between was done before.
  mutating func add(_ use: LaneUse, from: Instant, to: Instant) {
    let last = refresh.vsyncs(through: to)
    guard to > from, last >= first else { return }
    extend(to: last)
    var left = use
    for vsync in stride(from: last, through: first, by: -1) {
      let begin = refresh.vsync(vsync)
      let isBefore = begin < from
      let overlap = min(to, refresh.vsync(vsync + 1)) - max(from, begin)
      let part =
        isBefore && overlap <= .zero ? rest(of: vsync, left) : share(of: use, overlap, to - from)
      let taken = LaneUse(
        busy: min(left.busy, part.busy), waiting: min(left.waiting, part.waiting))
      uses[vsync - first].busy += taken.busy
      uses[vsync - first].waiting += taken.waiting
      left = left - taken
      if isBefore && left.busy <= .zero && left.waiting <= .zero { return }
    }
  }

  /// An even share of `use`, as much as fits into `overlap`.
  private func share(of use: LaneUse, _ overlap: TimeSpan, _ whole: TimeSpan) -> LaneUse {
    func part(_ span: TimeSpan) -> TimeSpan {
      let fraction = Double(overlap.nanoseconds) / Double(whole.nanoseconds)
      let even = Int64((Double(span.nanoseconds) * fraction).rounded(.up))
      return TimeSpan(nanoseconds: min(even, overlap.nanoseconds))
    }
    return LaneUse(busy: part(use.busy), waiting: part(use.waiting))
  }

  /// What the period of `vsync` has room for beside what is known of it.
  private func rest(of vsync: Int, _ left: LaneUse) -> LaneUse {
    let known = uses[vsync - first]
    let room = max(.zero, refresh.period - known.busy - known.waiting)
    let busy = min(room, left.busy)
    return LaneUse(busy: busy, waiting: min(room - busy, left.waiting))
  }

  private mutating func extend(to vsync: Int) {
    if vsync - first > 2 * Self.kept {
      uses = Array(uses.suffix(Self.kept))
      first = max(first, vsync - uses.count)
      if vsync - first > 2 * Self.kept { (uses, first) = ([], vsync) }
    }
    while first + uses.count <= vsync { uses.append(LaneUse()) }
  }
}
