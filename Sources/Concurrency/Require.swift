/// Stops the process because of an error in the program, and prints the error and its place on standard error.
///
/// Release builds keep the message, unlike that of `precondition`.
package func require(
  _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) {
  if !condition { fatalError(message(), file: file, line: line) }
}
