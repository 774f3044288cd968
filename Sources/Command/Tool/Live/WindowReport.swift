internal import FrameBudget
internal import FrameBudgetParsing

/// What is reported of a window's frames: of a page's by `PageScript`, of a Wayland client's by its log. Times are in
/// milliseconds of the reporter's clock.
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
