internal import FrameBudgetParsing

/// A recording that can be read repeatedly from its beginning, with its progress.
struct RecordingInput {
  var namesFunctions = false
  var namesEvents = false
  private let input: RereadableInput
  private let progress: ByteSource.Progress?

  init(path: String, progress: ByteSource.Progress? = nil) throws(InputError) {
    input = try RereadableInput(ByteSource(path: path, progress: progress))
    self.progress = progress
  }

  init(_ input: RereadableInput) {
    self.input = input
    progress = nil
  }

  init(_ bytes: [UInt8], name: String) { self.init(RereadableInput(bytes, name: name)) }

  var name: String { input.name }
  /// The path of a file that can be read again; nil for other inputs.
  var path: String? { input.path }

  func open() throws(InputError) -> ByteSource { try input.open(progress) }
}
