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
}
