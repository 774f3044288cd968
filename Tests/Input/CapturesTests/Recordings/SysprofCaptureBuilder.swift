/// Writes captures of sysprof. Times are in microseconds since the capture's begin.
struct SysprofCaptureBuilder {
  static let process = 10
  private static let begin: Int64 = 100_000_000_000

  private(set) var bytes: [UInt8] = []
  /// Whether names of GTK's marks begin with a capital, as in newer versions.
  var isNewer = false

  init(isFinished: Bool = true) {
    bytes = Self.integer(0xFDCA_975E, 4) + [1, 1, 0, 0]
    bytes += Self.text("2026-01-01T00:00:00Z", 64) + Self.integer(Self.begin, 8)
    bytes += Self.integer(isFinished ? Self.begin + 1 : 0, 8) + [UInt8](repeating: 0, count: 168)
  }

  static func integer(_ value: Int64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> Int64(8 * $0)) }
  }

  private static func text(_ text: String, _ count: Int) -> [UInt8] {
    Array((Array(text.utf8) + [UInt8](repeating: 0, count: count)).prefix(count))
  }

  /// A record with any content, which is filled up to whole words as sysprof does.
  mutating func add(
    _ kind: UInt8, _ content: [UInt8], at time: Int, process: Int = Self.process
  ) {
    let padding = [UInt8](repeating: 0, count: (8 - content.count % 8) % 8)
    bytes += Self.integer(Int64(24 + content.count + padding.count), 2) + Self.integer(1, 2)
    bytes += Self.integer(Int64(process), 4) + Self.integer(Self.begin + Int64(time) * 1000, 8)
    bytes += [kind, 0, 0, 0, 0, 0, 0, 0] + content + padding
  }

  mutating func mark(
    _ name: String, _ message: String = "", from begin: Int, to end: Int? = nil,
    group: String = "gtk", process: Int = Self.process
  ) {
    let length = Self.integer(Int64((end ?? begin) - begin) * 1000, 8)
    let name = isNewer && group == "gtk" ? name.prefix(1).uppercased() + name.dropFirst() : name
    add(
      10, length + Self.text(group, 24) + Self.text(name, 40) + Array(message.utf8) + [0],
      at: begin, process: process)
  }

  mutating func command(_ command: String, process: Int = Self.process) {
    add(4, Array(command.utf8) + [0], at: 0, process: process)
  }

  mutating func sample(thread: Int = Self.process, at time: Int) {
    add(2, Self.integer(1, 4) + Self.integer(Int64(thread), 4) + Self.integer(64, 8), at: time)
  }

  private mutating func wayland(_ event: String, at time: Int) {
    if isNewer { mark("wayland \(event)", from: time) } else { mark("wayland", event, from: time) }
  }

  /// A call of the compositor that the app hears of at `time`. GTK computes a time of presentation from the compositor's time
  /// `called`, whose clock is 200 ms behind.
  mutating func call(at time: Int, called: Int? = nil) {
    wayland("frame event", at: time)
    mark("frameclock frozen", from: time - 5000, to: time)
    if let called { mark("presented window", from: called + 16_000 - 200_000) }
  }

  /// A cycle of the frame clock, which takes 3 ms and commits after 2.7.
  mutating func cycle(at time: Int, commits: Bool = true, renders: Bool = true) {
    mark("frameclock layout", from: time + 200, to: time + 1200)
    if commits { wayland("surface commit", at: time + 2700) }
    if renders { mark("widget render", from: time + 1500, to: time + 2800) }
    mark("frameclock paint", from: time + 1200, to: time + 2900)
    mark("frameclock cycle", from: time, to: time + 3000)
  }

  /// The compositor calls every 16 ms, and the app draws. At 100 ms `load` of the app takes 50 ms, so the call of 112 ms is
  /// heard at 150.2. The app wants no frame at 160 ms, but draws for a click at 180. Another thread decodes meanwhile.
  static func app(
    _ builder: Self = Self(), drawing: (inout Self, Int) -> Void = { $0.cycle(at: $1) }
  ) -> Self {
    var app = builder
    app.command("/usr/bin/app --new")
    app.mark("icon load (thread)", "a.png", from: 5000, to: 9000)
    for vsync in 0..<7 {
      app.call(at: 16_000 * vsync + 200, called: 16_000 * vsync)
      drawing(&app, 16_000 * vsync + 300)
    }
    app.mark("decode", from: 20_000, to: 60_000, group: "app")
    app.mark("load", "a file", from: 100_000, to: 150_000, group: "app")
    app.call(at: 150_200, called: 112_000)
    drawing(&app, 150_300)
    app.call(at: 160_200, called: 160_000)
    drawing(&app, 180_000)
    app.mark("g_main_context_iteration", from: 183_000, to: 200_000, group: "speedtrack")
    return app
  }
}
