/// A closure on its way from one thread to another.
///
/// `@unchecked`: the closure was sent here, so nobody else has it; it is run once, by whichever thread takes it.
package struct PostedEvent: @unchecked Sendable {
  private let body: () -> Void

  package init(_ body: sending @escaping () -> Void) { self.body = body }

  package func run() { body() }
}
