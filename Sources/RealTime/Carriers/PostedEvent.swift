/// A closure on its way from one thread to another.
///
/// `@unchecked`: the closure was sent here, so nobody else has it; it is run once, by whichever thread takes it.
struct PostedEvent: @unchecked Sendable {
  private let body: () -> Void

  init(_ body: sending @escaping () -> Void) { self.body = body }

  func run() { body() }
}
