internal import Concurrency
internal import Dispatch
internal import FrameBudget
internal import RealTime

/// Hands runs from the view's thread to the process's main thread, where the frame loop must run.
final class MainStage: Sendable {
  struct Piece: Sendable {
    let plan: RunPlan
    let watch: RunWatch
  }

  private struct Content {
    var pieces: [Piece?] = []
    var problem: String?
    /// Why a run could not be made at all.
    var failure: ToolError?
    var error: ToolError?
  }

  private let content = Locked(Content())
  private let available = DispatchSemaphore(value: 0)

  // MARK: For the view's thread

  /// Asks for a run, after the one before it has been stopped.
  func ask(for piece: Piece) { append(piece) }

  /// No run follows, perhaps because of what kept the view from its end.
  func close(after error: ToolError? = nil) {
    content.withLock { $0.error = error }
    append(nil)
  }

  private func append(_ piece: Piece?) {
    content.withLock { $0.pieces.append(piece) }
    available.signal()
  }

  /// What went wrong since the last call.
  func takeProblem() -> String? { content.withLock { $0.problem.take() } }

  /// Why the newest run that could not be made could not; nobody who only looks on can help that.
  var failure: ToolError? { content.withLock { $0.failure } }

  // MARK: For the main thread

  /// Makes one run after another until the view closes the stage.
  func perform(_ options: RealEngine.Options) throws(ToolError) {
    while let piece = next() {
      do {
        let log = try RealEngine(options, carriers: .ofThisBuild)
          .run(piece.plan, watch: piece.watch)
        if let violation = log.violations.first { fail("the run is invalid: \(violation)") }
      } catch {
        content.withLock { $0.failure = ToolError(error, of: piece.plan.strategy.label) }
        fail("\(error)")
      }
    }
    if let error = content.withLock({ $0.error }) { throw error }
  }

  private func next() -> Piece? {
    available.wait()
    return content.withLock { $0.pieces.removeFirst() }
  }

  private func fail(_ problem: String) { content.withLock { $0.problem = problem } }
}
