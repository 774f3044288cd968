internal import Parsing

extension ToolError {
  /// What `body` reads; what is wrong with an input is the tool's error.
  static func reading<Value: ~Copyable>(
    _ body: () throws(InputError) -> Value
  ) throws(ToolError) -> Value {
    do throws(InputError) {
      return try body()
    } catch {
      throw ToolError(error)
    }
  }

  /// The same of the file at `path`, with a bar that shows meanwhile how much of it is read.
  static func reading<Value: ~Copyable>(
    _ path: String, showing bar: ReadingBar?,
    _ body: (ByteSource.Progress?) throws(InputError) -> Value
  ) throws(ToolError) -> Value {
    defer { bar?.wipe() }
    return try reading { () throws(InputError) in try body(bar?.progress(of: path)) }
  }
}
