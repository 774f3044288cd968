/// Stops the process because of a mistake in the program, and says on standard error what and where.
///
/// Unlike `precondition`, whose message a release build leaves out.
package func require(
  _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) {
  if !condition { fatalError(message(), file: file, line: line) }
}
