/// Whatever feeds the view: an engine, or a recorded run.
public protocol LiveSource {
  /// Does what a key asks for.
  mutating func perform(_ command: Command, on model: inout LiveModel)
  /// Brings the model up to now.
  mutating func update(_ model: inout LiveModel)
}
