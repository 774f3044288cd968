/// A scenario file under the name by which `run` and its siblings know it.
public struct ShippedScenario: Sendable {
  public let name: String
  public let bytes: [UInt8]

  /// What errors call it.
  public var file: String { "\(name).yaml" }
}
