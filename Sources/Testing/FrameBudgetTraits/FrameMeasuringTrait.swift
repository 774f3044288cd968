internal import FrameBudgetTesting
public import Testing

/// Makes tests that measure frames wait for their turn among parallel tests.
///
/// ```swift
/// @Test(.measuresFrames) @MainActor func `adding photos drops no frame`() async throws {
///   let report = try await measureFrames(for: .seconds(3)) { app in … }
///   #expect(report.verdict(.droppedFrames, atMost: 0) == .met)
/// }
/// ```
///
/// A test with this trait begins when no other one with it runs, no measurement runs, and the main actor has been quiet. It
/// does not keep other tests from beginning meanwhile: if they use the main actor, the verdict is unsure and says so.
public struct FrameMeasuringTrait: TestTrait, SuiteTrait, TestScoping {
  private static let tests = Turns()
  /// Whether a trait of an outer suite has the turn already.
  @TaskLocal private static var hasTurn = false

  let patience: Duration

  /// A suite with the trait gives it to its tests.
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    if Self.hasTurn { return try await function() }
    await Self.tests.acquire()
    defer { Self.tests.release() }
    await MainActorUse.untilQuiet(patience: patience)
    try await Self.$hasTurn.withValue(true) { try await function() }
  }
}

extension Trait where Self == FrameMeasuringTrait {
  /// Makes a test wait for its turn, and at most a minute for other tests that use the main actor.
  public static var measuresFrames: Self { measuresFrames(patience: .seconds(60)) }

  /// Makes a test wait for its turn.
  ///
  /// - Parameter patience: the longest wait for other tests that use the main actor; then the test begins all the same.
  /// - Returns: the trait.
  public static func measuresFrames(patience: Duration) -> Self { Self(patience: patience) }
}
