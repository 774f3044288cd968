internal import FrameBudget
internal import FrameBudgetParsing

/// What is reported of a window's frames: of a page's by `PageScript`, of a Wayland client's by its log or by probes. Times are
/// in milliseconds of the reporter's clock.
struct WindowReport {
  struct Frame: Equatable {
    /// The vsync for which the app was asked.
    let vsync: Double
    /// When the app began it, and when its drawing had ended.
    let begin: Double
    let end: Double
    /// Whether it is the first after a time of which nothing is known, or in which no frame was wanted.
    let isFirst: Bool
    /// When it was on the screen, if the frame before was there at `vsync`; nil if that is not reported.
    var shown: Double?
    /// What its thread did from the vsync to the begin, and then to the end; nil if that is not reported.
    var before: Spent?
    var drawing: Spent?
  }

  /// What a thread did in a time, in milliseconds, by the switches of its core.
  struct Spent: Equatable {
    var own = 0.0
    /// It slept.
    var waiting = 0.0
    /// It was ready while another app's process, or another thread of its own app, had the core.
    var taken = 0.0
    var shared = 0.0
    /// It was ready, and nobody is known who had the core.
    var starting = 0.0
    /// Who took most of `waiting`, `taken` and `shared`, and for how long. A name is nil for a timer or a device.
    var waker = Longest()
    var taker = Longest()
    var sharer = Longest()
    /// The function with probes that was called for most of the time, and for how long, asleep or not.
    var work = Longest()

    struct Longest: Equatable {
      var name: String?
      var span = 0.0

      mutating func add(_ other: Longest) { if other.span > span { self = other } }
    }

    var all: Double { own + waiting + taken + shared + starting }
  }

  /// A frame that kept the main thread for 50 ms or more, as the browser reports it.
  struct LongFrame: Equatable {
    let start: Double
    /// When drawing began, and when it ended.
    let render: Double
    let end: Double
    /// The longest of its scripts.
    let scripts: [Script]
  }

  struct Script: Equatable {
    let name: String
    let start: Double
    let span: Double

    var end: Double { start + span }
  }

  /// When it was sent.
  let now: Double
  /// Whether no frames are drawn, because the window is not visible or nothing in it changes.
  let isHidden: Bool
  /// The time that the report has taken of the app.
  let cost: TimeSpan
  let frames: [Frame]
  let longFrames: [LongFrame]
  /// What keeps the app from its next frame now, if that is reported.
  var obstacle: Cause?
}

extension WindowReport.Spent {
  static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.own += right.own
    sum.waiting += right.waiting
    sum.taken += right.taken
    sum.shared += right.shared
    sum.starting += right.starting
    sum.waker.add(right.waker)
    sum.taker.add(right.taker)
    sum.sharer.add(right.sharer)
    sum.work.add(right.work)
    return sum
  }
}

extension WindowReport {
  /// Nil if the text is not a report of `PageScript`.
  init?(_ text: String) { self.init(parsing: Array(text.utf8)) }

  init?(parsing bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes), let origin = json["origin"].real,
      let sent = json["now"].real, Self.times.contains(origin + sent),
      let isHidden = json["hidden"].flag,
      let cost = json["cost"].real, (0..<Self.longest).contains(cost)
    else { return nil }
    var frames: [Frame] = []
    for json in json["frames"].elements {
      guard let frame = Frame(json, since: origin),
        (frames.last?.vsync ?? frame.vsync) <= frame.vsync
      else { return nil }
      frames.append(frame)
    }
    var longFrames: [LongFrame] = []
    for json in json["long"].elements {
      guard let frame = LongFrame(json, since: origin) else { return nil }
      longFrames.append(frame)
    }
    self.init(
      now: origin + sent, isHidden: isHidden, cost: TimeSpan(nanoseconds: Int64(cost * 1e6)),
      frames: frames, longFrames: longFrames)
  }

  /// Until the year 2096; in nanoseconds they fit into 64 bits.
  fileprivate static let times = 0..<4e12
  /// In milliseconds: a day.
  fileprivate static let longest = 86_400_000.0
  /// In milliseconds. A frame can begin before its vsync, because the clocks of pages are coarse.
  fileprivate static let early = 50.0
}

extension WindowReport.Frame {
  fileprivate init?(_ json: JSON, since origin: Double) {
    let values = json.elements.compactMap(\.real)
    let times = values.prefix(3).map { origin + $0 }
    guard values.count == 4, times.allSatisfy(WindowReport.times.contains),
      times[0] <= times[1] + WindowReport.early, times[1] <= times[2],
      times[2] - times[0] < WindowReport.longest
    else { return nil }
    self.init(
      vsync: times[0], begin: max(times[0], times[1]), end: max(times[0], times[2]),
      isFirst: values[3] != 0)
  }
}

extension WindowReport.LongFrame {
  fileprivate init?(_ json: JSON, since origin: Double) {
    let parts = json.elements
    let times = parts.compactMap(\.real).map { origin + $0 }
    guard parts.count == 4, times.count == 3, times.allSatisfy(WindowReport.times.contains),
      times[0] <= times[2],
      times[2] - times[0] < WindowReport.longest
    else { return nil }
    var scripts: [WindowReport.Script] = []
    for script in parts[3].elements {
      let values = script.elements
      guard values.count == 3, let name = values[0].text, let start = values[1].real,
        let span = values[2].real, (0..<WindowReport.longest).contains(span)
      else { return nil }
      scripts.append(
        WindowReport.Script(
          name: String(name.printable.prefix(80)), start: origin + start, span: span))
    }
    // Without drawing, a long frame has no start of it.
    let render = times[1] > origin ? min(max(times[1], times[0]), times[2]) : times[2]
    self.init(start: times[0], render: render, end: times[2], scripts: scripts)
  }
}
