internal import FrameBudget

/// A line that GitHub shows beside a build: what its toolkit calls a workflow command.
struct GitHubAnnotation {
  enum Level: String { case error, warning, notice }

  let level: Level
  let title: String
  let text: String

  init(_ level: Level, _ title: String, _ text: String) {
    (self.level, self.title, self.text) = (level, title, text)
  }

  /// With its end.
  var line: String {
    "::\(level.rawValue) title=\(TextPlace.annotationProperty.escaped(title))"
      + "::\(TextPlace.annotation.escaped(text))\n"
  }
}
