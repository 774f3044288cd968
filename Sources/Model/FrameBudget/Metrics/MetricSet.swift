/// The platforms whose tools print their own numbers.
public enum MetricSet: String, CaseIterable, Sendable {
  /// Xcode, Instruments and MetricKit; AndroidX and Android vitals; Chrome and Lighthouse; Flutter's driver; PresentMon and
  /// CapFrameX.
  case apple, android, chrome, flutter, games

  /// The name in texts.
  public var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  /// Those whose numbers screens of these platforms suggest.
  package static func suggested(by platforms: Set<ScreenPlatform>) -> [MetricSet] {
    allCases.filter { set in platforms.contains { $0.metrics == set } }
  }

  /// Its numbers, in the order in which views show them.
  public var metrics: [PlatformMetric] { PlatformMetric.all.filter { $0.set == self } }
}

extension [MetricSet] {
  /// `Android's`, or `platforms'` for several; nil without any.
  package var owners: String? {
    first.map { count == 1 ? "\($0.title)'s" : "platforms'" }
  }
}

extension ScreenPlatform {
  /// The numbers that its developers know; nil if its tools have none of their own.
  public var metrics: MetricSet? {
    switch self {
    case .ios, .macos: .apple
    case .android: .android
    case .chrome: .chrome
    case .flutter: .flutter
    case .gtk, .qt, .firefox: nil
    }
  }
}

/// A number of a platform's tool, and our metric for it.
public struct PlatformMetric: Sendable {
  /// Its platform.
  public let set: MetricSet
  /// The name in the tool.
  public let theirs: String
  /// Our metric.
  public let metric: Metric
  /// The two lines above its column in tables.
  public let title: [String]
  /// Its definition, with a version.
  public let source: MetricSource
  /// The difference between ours and theirs, and the reason; empty if they are the same.
  public let difference: String

  fileprivate init(
    _ set: MetricSet, _ theirs: String, _ metric: Metric, _ title: [String], _ source: MetricSource,
    _ difference: String = ""
  ) {
    self.set = set
    self.theirs = theirs
    self.metric = metric
    self.title = title
    self.source = source
    self.difference = difference
  }
}

/// A page or a program that defines a number.
public struct MetricSource: Hashable, Sendable {
  /// The name, with the version that is followed.
  public let name: String
  /// The URL.
  public let address: String

  fileprivate static let hitches = MetricSource(
    name: "Explore UI animation hitches and the render loop, WWDC20",
    address: "https://developer.apple.com/videos/play/tech-talks/10855/")
  fileprivate static let hangs = MetricSource(
    name: "Analyze hangs with Instruments, WWDC23",
    address: "https://developer.apple.com/videos/play/wwdc2023/10248/")
  fileprivate static let frameTiming = MetricSource(
    name: "AndroidX Macrobenchmark, FrameTimingMetric from API 31 on",
    address:
      "https://developer.android.com/reference/kotlin/androidx/benchmark/macro/FrameTimingMetric")
  fileprivate static let jankStats = MetricSource(
    name: "AndroidX JankStats 1.0",
    address: "https://developer.android.com/reference/androidx/metrics/performance/JankStats")
  fileprivate static let vitals = MetricSource(
    name: "Android vitals, slow frames and frozen frames",
    address: "https://developer.android.com/topic/performance/vitals/tracking_jank")
  fileprivate static let interactions = MetricSource(
    name: "web-vitals 5.3, onINP with attribution",
    address:
      "https://github.com/GoogleChrome/web-vitals/blob/v5.3.0/src/attribution/onINP.ts")
  fileprivate static let longTasks = MetricSource(
    name: "W3C Long Tasks API",
    address: "https://www.w3.org/TR/longtasks-1/")
  fileprivate static let blocking = MetricSource(
    name: "Lighthouse 13.0, Total Blocking Time",
    address:
      "https://developer.chrome.com/docs/lighthouse/performance/lighthouse-total-blocking-time")
  fileprivate static let flutter = MetricSource(
    name: "Flutter 3, FrameTimingSummarizer",
    address: "https://docs.flutter.dev/perf/metrics")
  fileprivate static let capFrameX = MetricSource(
    name: "CapFrameX 1.7.9, metrics by time (integral)",
    address:
      "https://www.capframex.com/blog/post/Explanation%20of%20different%20performance%20metrics")
  fileprivate static let presentMon = MetricSource(
    name: "PresentMon 2.3.1, MsAnimationError",
    address: "https://github.com/GameTechDev/PresentMon/blob/v2.3.1/README-ConsoleApplication.md")
}

extension PlatformMetric {
  /// All of them, by platform, in the order in which views show them.
  public static let all: [PlatformMetric] = apple + android + chrome + flutter + games

  private static let apple: [PlatformMetric] = [
    PlatformMetric(
      .apple, "hitch time ratio", .hitchRatio, ["hitch", "ms/s"], .hitches,
      "counts each vsync that wanted a frame and got no new one; Apple counts the delay of frames. The bands are those for scrolling; the Organizer's bands for all animations are 10, 25, 50"
    ),
    PlatformMetric(
      .apple, "Microhang", .microhangs, ["micro-", "hangs"], .hangs, Difference.hang),
    PlatformMetric(.apple, "Hang", .fullHangs, ["", "hangs"], .hangs, Difference.hang),
    PlatformMetric(
      .apple, "Severe Hang", .severeHangs, ["severe", "hangs"], .hangs, Difference.hang),
  ]

  /// The percentiles of frames that Macrobenchmark prints.
  static let percentiles: [Quantile] = [.p50, .p90, .p95, .p99]

  private static let android: [PlatformMetric] =
    percentiles.map(overrun) + [
      PlatformMetric(
        .android, "isJank", .jank, ["jank", "frames"], .jankStats,
        "from IntendedVsync, as Android; twice a period; from API 31 JankStats uses twice the time to the deadline"
      ),
      PlatformMetric(
        .android, "slow frames", .slowPercent, ["slow", "%"], .vitals,
        "from IntendedVsync, as Android; longer than a period of the display; vitals uses 16 ms at any rate"
      ),
      PlatformMetric(
        .android, "frozen frames", .frozenPercent, ["frozen", "%"], .vitals,
        "from IntendedVsync, as Android; of one run; vitals counts over sessions"),
    ] + percentiles.map(cpu)

  private static func overrun(_ quantile: Quantile) -> PlatformMetric {
    PlatformMetric(
      .android, "frameOverrunMs \(quantile.rawValue.uppercased())", .frameOverrun(quantile),
      ["overrun", "\(quantile) ms"], .frameTiming,
      "from IntendedVsync, as Android; the deadline is the vsync that should show the frame, Android's is earlier by the time of SurfaceFlinger"
    )
  }

  private static func cpu(_ quantile: Quantile) -> PlatformMetric {
    PlatformMetric(
      .android, "frameDurationCpuMs \(quantile.rawValue.uppercased())", .frameCPU(quantile),
      ["cpu", "\(quantile) ms"], .frameTiming)
  }

  private static let chrome: [PlatformMetric] = [
    PlatformMetric(.chrome, "INP", .inp, ["INP", "ms"], .interactions, Difference.interaction),
    PlatformMetric(
      .chrome, "long tasks", .longTasks, ["long", "tasks"], .longTasks,
      "of the app's model: its frames, and in a loop of events its turns"),
    PlatformMetric(
      .chrome, "Total Blocking Time", .totalBlocking, ["blocking", "ms"], .blocking,
      "of the whole run; Lighthouse sums from the first paint until the page is interactive, and its limits are for that time"
    ),
    PlatformMetric(
      .chrome, "inputDelay", .inputDelay, ["input", "delay ms"], .interactions,
      Difference.interaction),
    PlatformMetric(
      .chrome, "processingDuration", .processing, ["handlers", "ms"], .interactions,
      Difference.interaction),
    PlatformMetric(
      .chrome, "presentationDelay", .presentationDelay, ["present.", "delay ms"], .interactions,
      Difference.interaction),
    PlatformMetric(
      .chrome, "interactionCount", .interactions, ["inter-", "actions"], .interactions),
  ]

  private static let flutter: [PlatformMetric] = [
    build("average", .buildMean, "avg"), build("90th percentile", .build(.p90), "p90"),
    build("99th percentile", .build(.p99), "p99"), build("worst", .build(.max), "max"),
    PlatformMetric(
      .flutter, "missed frame build budget count", .slowBuilds, ["slow", "builds"], .flutter),
    raster("average", .rasterMean, "avg"), raster("90th percentile", .raster(.p90), "p90"),
    raster("99th percentile", .raster(.p99), "p99"), raster("worst", .raster(.max), "max"),
    PlatformMetric(
      .flutter, "missed frame rasterizer budget count", .slowRasters, ["slow", "rasters"],
      .flutter),
  ]

  private static func build(
    _ theirs: String, _ metric: Metric, _ title: String
  ) -> PlatformMetric {
    PlatformMetric(
      .flutter, "\(theirs) frame build time", metric, ["build", "\(title) ms"], .flutter,
      Difference.ofFlutter(theirs))
  }

  private static func raster(
    _ theirs: String, _ metric: Metric, _ title: String
  ) -> PlatformMetric {
    PlatformMetric(
      .flutter, "\(theirs) frame rasterizer time", metric, ["raster", "\(title) ms"],
      .flutter, Difference.ofFlutter(theirs))
  }

  private static let games: [PlatformMetric] = [
    PlatformMetric(
      .games, "average FPS", .averageFPS, ["average", "fps"], .capFrameX, Difference.display),
    PlatformMetric(
      .games, "1 % low (integral)", .low1PercentFPS, ["1 % low", "fps"], .capFrameX,
      Difference.display),
    PlatformMetric(
      .games, "0.1 % low (integral)", .low01PercentFPS, ["0.1 % low", "fps"], .capFrameX,
      Difference.display),
    PlatformMetric(
      .games, "average of MsAnimationError", .animationErrorMean, ["animation", "error ms"],
      .presentMon, Difference.animation),
    PlatformMetric(
      .games, "99th percentile of MsAnimationError", .animationError(.p99),
      ["anim. error", "p99 ms"],
      .presentMon, Difference.animation),
    PlatformMetric(
      .games, "largest MsAnimationError", .animationError(.max), ["anim. error", "max ms"],
      .presentMon, Difference.animation),
  ]

  private enum Difference {
    static let interaction =
      "ends at the vsync that shows the picture, and counts interactions without a picture; web-vitals receives none below 40 ms except the first"
    static let hang =
      "one turn of the loop, or one frame, in which it does not return to its sources; Instruments joins turns without an idle time between them"
    static func ofFlutter(_ name: String) -> String {
      name.hasSuffix("percentile")
        ? "interpolated between two frames; Flutter uses the nearer one" : ""
    }
    static let display =
      "of images on the screen; CapFrameX uses the times between calls of Present()"
    static let animation =
      "a frame shows the moment of its vsync, as apps on phones draw; PresentMon uses the start of its CPU work"
  }
}
