internal import FrameBudget
internal import Parsing

/// What a recording has of the platform's own numbers, before the part is chosen that they are of.
enum PlatformTimings {
  case surfaces([SurfaceFrame])
  case page(PageTimings)

  /// The numbers of what began at an instant that is inside.
  func figures(where isInside: (Int64) -> Bool) -> [RecordedFigure] {
    switch self {
    case .surfaces(let frames): SurfaceFrame.figures(of: frames.filter { isInside($0.begin) })
    case .page(let page): page.figures(where: isInside)
    }
  }
}

/// A frame of a surface, as Android's FrameTimeline has it.
struct SurfaceFrame {
  /// When it began, in nanoseconds.
  var begin: Int64
  /// The bits of `JankType`.
  var jank: UInt64
  /// Its actual end less the expected one, in nanoseconds; nil where either is missing.
  var overrun: Int64?

  /// What the frames come to; nothing without a frame.
  static func figures(of frames: [SurfaceFrame]) -> [RecordedFigure] {
    guard !frames.isEmpty else { return [] }
    let overruns = Percentiles(
      frames.compactMap(\.overrun).filter(OutsideTime.isWithinFrame))
    return JankType.allCases.map { type in
      RecordedFigure(.jank(type), .count(frames.count { type.applies(to: $0.jank) }))
    }
      + RecordedMetric.overruns.compactMap { share, metric in
        overruns.quantile(share).map { RecordedFigure(metric, .real($0 / 1e6)) }
      }
  }
}
