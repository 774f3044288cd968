internal import FrameBudget
internal import FrameBudgetParsing

/// The platform's own timings in a recording, before a part of the recording is chosen.
enum PlatformTimings {
  case surfaces([SurfaceFrame])
  case page(PageTimings)
  /// When tasks began that the platform calls long.
  case longTasks([Int64])

  /// The figures of the frames and events that began at instants inside.
  func figures(where isInside: (Int64) -> Bool) -> [RecordedFigure] {
    switch self {
    case .surfaces(let frames): SurfaceFrame.figures(of: frames.filter { isInside($0.begin) })
    case .page(let page): page.figures(where: isInside)
    case .longTasks(let begins): [RecordedFigure(.longTasks, .count(begins.count(where: isInside)))]
    }
  }
}

/// A frame of a surface, as Android's FrameTimeline records it.
struct SurfaceFrame {
  /// When it began, in nanoseconds.
  var begin: Int64
  /// The bits of `JankType`.
  var jank: UInt64
  /// Its actual end minus the expected one, in nanoseconds; nil if either is missing.
  var overrun: Int64?

  /// The figures of all frames; empty if there are none.
  static func figures(of frames: [SurfaceFrame]) -> [RecordedFigure] {
    guard !frames.isEmpty else { return [] }
    let overruns = Percentiles(
      frames.compactMap(\.overrun).filter(InputTime.isWithinFrame))
    return JankType.allCases.map { type in
      RecordedFigure(.jank(type), .count(frames.count { type.applies(to: $0.jank) }))
    }
      + RecordedMetric.overruns.compactMap { share, metric in
        overruns.quantile(share).map { RecordedFigure(metric, .real($0 / 1e6)) }
      }
  }
}
