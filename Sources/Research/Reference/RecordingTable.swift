internal import Foundation
internal import FrameBudget
internal import FrameBudgetLearning
internal import FrameBudgetCaptures
internal import FrameBudgetReports

/// The quality of replays of, and predictions from, recordings of other apps.
///
/// The recordings are not part of the project.
struct RecordingTable {
  /// A recording, and its name in the table.
  struct Entry: Sendable {
    let file: String
    let title: String
  }

  static let entries = [
    Entry(file: "chrome_lr_60hz.json.gz", title: "page load, Chrome, 60 Hz"),
    Entry(file: "chrome_animation_120hz.json.gz", title: "animation, Chrome, 120 Hz"),
    Entry(file: "chrome_blocking_time_120hz.json.gz", title: "long tasks, Chrome, 120 Hz"),
    Entry(file: "chrome_web_dev_60hz.json.gz", title: "web.dev, Chrome, 60 Hz"),
    Entry(file: "chrome-72-percent-dropped.json.gz", title: "blog, Chrome, mostly dropped"),
    Entry(file: "chrome-no-devtools-categories.json.gz", title: "Chrome, few categories"),
    Entry(file: "chromium-attached.json.gz", title: "Chromium, compositor's categories"),
    Entry(file: "chrome_android_page_loads.pftrace", title: "page loads, Chrome, Perfetto"),
    Entry(file: "chrome_windows.pftrace", title: "Chrome on Windows, Perfetto"),
    Entry(file: "flutter_timeline_2022.json", title: "Flutter, 60 Hz"),
    Entry(file: "flutter_ios_2024.pftrace", title: "Flutter, app start, Perfetto"),
    Entry(file: "android_atrace_small.txt", title: "Android, atrace, 60 Hz"),
    Entry(
      file: "android_nowinandroid_compose.perfetto-trace", title: "Android, Perfetto, 120 Hz"),
    Entry(
      file: "android_api32_startup_warm.perfetto-trace", title: "Android, app start, 60 Hz"),
    Entry(file: "android_sched_frametimeline.pftrace", title: "Android, frames without slices"),
    Entry(file: "android_list_jank.systrace.html.zip", title: "Android list, systrace, 60 Hz"),
    Entry(
      file: "android_launcher_scroll_smooth.systrace.html.zip",
      title: "Android launcher, systrace, 60 Hz"),
    Entry(
      file: "android_launcher_90hz.systrace.html.zip", title: "Android launcher, systrace, 90 Hz"),
    Entry(file: "firefox-153.json.gz", title: "page, Firefox"),
    Entry(file: "gtk-app-main.ftrace.gz", title: "GTK program, ftrace"),
  ]

  private static let head = [
    "recording", "dropped, recorded", "replayed", "frame p95, ms, recorded", "replayed",
    "vsyncs that agree", "*always shown* agrees", "*always dropped* agrees", "Cohen's kappa",
    "late episodes found",
    "replayed ones recorded", "lengths differ by, vsyncs", "second half dropped, %, recorded",
    "predicted", "called",
  ]

  /// The page; its other parts are written by hand.
  static func page(in project: URL) -> URL {
    project.appending(components: "results", "learned", "README.md")
  }

  /// The table of the recordings in `folder`.
  static func markdown(_ folder: URL, of entries: [Entry] = entries) throws -> String {
    MarkdownTable.text(head, try entries.map { try cells(of: $0, in: folder) })
  }

  /// The table's line for one recording.
  static func line(of entry: Entry, in folder: URL) throws -> String {
    MarkdownTable.line(try cells(of: entry, in: folder))
  }

  private static func cells(of entry: Entry, in folder: URL) throws -> [String] {
    let path = folder.appending(component: entry.file).path
    let recording = try RecordingFile.read(path: path)
    guard let learned = LearnedScenario(recording, name: "recording", source: entry.file) else {
      throw NothingLearned(file: entry.file)
    }
    let comparison = ReplayComparison(learned, try LearnedReplay(learned).runAsRecorded())
    let half = try HalfPrediction(path: path, of: learned, length: recording.length)
    return [entry.title + (comparison.isObserved ? "" : " *")] + own(comparison)
      + (half.map { [figure($0.recorded, 1), figure($0.predicted, 1)] } ?? ["too short", ""])
      + [called(comparison)]
  }

  private static func called(_ comparison: ReplayComparison) -> String {
    let reasons = [comparison.tooShortReason].compactMap(\.self) + comparison.faults
    let word = comparison.replay.rawValue
    return reasons.isEmpty ? word : "\(word): \(reasons.joined(separator: "; "))"
  }

  private static func own(_ comparison: ReplayComparison) -> [String] {
    let (counts, episodes) = (comparison.counts, comparison.episodes)
    let (recorded, replayed) = (comparison.recorded, comparison.replayed)
    return [
      drops(recorded.dropped, of: recorded.wanted), drops(replayed.dropped, of: replayed.wanted),
      figure(recorded.p95, 1), figure(replayed.p95, 1),
      part(counts.agreeing, of: counts.all), part(counts.alwaysShown, of: counts.all),
      part(counts.alwaysDropped, of: counts.all), counts.kappa.map { figure($0, 2) } ?? "none",
      part(episodes.found, of: episodes.recorded),
      part(episodes.confirmed, of: episodes.replayed),
      episodes.lengthError.map { figure($0, 1) } ?? "none",
    ]
  }

  private static func drops(_ dropped: Double?, of all: Double?) -> String {
    guard let dropped, let all else { return "not known" }
    return part(Int(dropped), of: Int(all))
  }

  private static func part(_ count: Int, of all: Int) -> String {
    all == 0 ? "none" : "\(count) of \(all) (\(figure(100 * Double(count) / Double(all), 1)) %)"
  }

  static func figure(_ value: Double?, _ places: Int) -> String {
    value.map { Decimal.text($0, places: places) } ?? "not known"
  }

  struct NothingLearned: Error, CustomStringConvertible {
    let file: String
    var description: String { "\(file) has no slices of a UI thread" }
  }
}

/// A prediction that was learned from the first half of a recording, compared with the second half.
struct HalfPrediction {
  /// Dropped frames of the second half, in percent.
  let recorded: Double
  let predicted: Double

  /// The least number of vsyncs that want a frame in each half, so that one dropped frame is at most a point.
  static let fewest = 100

  /// Nil if the recording is too short.
  init?(path: String, of whole: LearnedScenario, length: TimeSpan) throws {
    guard whole.wantedFrames >= 2 * Self.fewest else { return nil }
    let middle = TimeSpan(nanoseconds: length.nanoseconds / 2)
    guard let first = Self.learn(path, RecordingChoice(to: middle)),
      let second = Self.learn(path, RecordingChoice(from: middle)),
      first.wantedFrames >= Self.fewest, second.wantedFrames >= Self.fewest
    else { return nil }
    recorded = 100 * Double(second.droppedFrames) / Double(second.wantedFrames)
    let replay = try LearnedReplay(first).runAsRecorded()
    predicted = RunMetrics(replay).frames.droppedPercent ?? 0
  }

  /// Nil if the part holds nothing of the process, which began in the other half.
  private static func learn(_ path: String, _ choice: RecordingChoice) -> LearnedScenario? {
    guard let part = try? RecordingFile.read(path: path, choosing: choice) else { return nil }
    return LearnedScenario(part, name: "half", source: "a half")
  }
}
