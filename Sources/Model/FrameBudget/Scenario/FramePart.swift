/// A part of drawing with a name: work that a frame does on the main thread before it draws, such as binding the rows of a list.
public struct FramePart: Hashable, Sendable {
  /// The name; unique in a scenario.
  public var name: String
  /// Its duration in each frame.
  public var cpu: DurationDistribution
  /// How many frames earlier its input is known, as a list that scrolls knows its next rows; nil: not before its frame.
  public var ahead: Int?
  /// The longest of its pieces in each frame, such as a row of a list: in a frame it is as many of these as there are, then a rest.
  /// Nil: it is one piece.
  public var unit: DurationDistribution?

  /// The shortest unit; what is drawn below it counts as this.
  public static let shortestUnit = TimeSpan.microseconds(100)
  /// The range of `ahead`.
  public static let aheads = 1...120

  /// - Parameters:
  ///   - name: the name; unique in a scenario.
  ///   - cpu: its duration in each frame.
  ///   - ahead: how many frames earlier its input is known; nil: not before its frame.
  ///   - unit: the longest of its pieces in each frame; nil: it is one piece.
  public init(
    name: String, cpu: DurationDistribution, ahead: Int? = nil, unit: DurationDistribution? = nil
  ) {
    self.name = name
    self.cpu = cpu
    self.ahead = ahead
    self.unit = unit
  }
}

/// The processor time of a part of drawing in one frame.
public struct FramePartTime: Hashable, Sendable {
  /// The name of the part.
  public let name: String
  /// Its processor time.
  public let span: TimeSpan

  /// - Parameters:
  ///   - name: the name of the part.
  ///   - span: its processor time.
  public init(name: String, span: TimeSpan) {
    self.name = name
    self.span = span
  }
}
