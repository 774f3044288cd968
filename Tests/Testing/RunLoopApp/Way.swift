internal import Foundation
internal import Observation

/// A way to put pieces of work on the main thread, with the name that documents use.
enum Way: String, CaseIterable {
  case items = "items of a workload"
  case task = "`Task { @MainActor in … }`"
  case detachedTask = "`Task.detached`, with `MainActor.run`"
  case block = "`DispatchQueue.main.async`"
  case delayedBlock = "`DispatchQueue.main.asyncAfter`"
  case timer = "`Timer`"
  case perform = "`RunLoop.main.perform`"
  case observation = "`withObservationTracking`, with a task for each change"
  case source = "`DispatchSource` of the main queue"
  case notification = "`NotificationQueue`, `.asap`"
  case operation = "`OperationQueue.main`"
  case stream = "`AsyncStream`, consumed on the main actor"
  case chain = "blocks, each of which posts the next"
  case yieldingTask = "a task with `Task.yield()` after each piece"

  /// Whether the loop runs one piece per turn, so that frames come between them.
  var letsFramesBetween: Bool {
    switch self {
    case .operation, .stream, .chain, .yieldingTask: true
    default: false
    }
  }

  /// Whether pieces that are posted at once may come in several turns, as other threads or the kernel hand them over.
  var isHandedOver: Bool { self == .detachedTask || self == .delayedBlock || self == .source }

  @MainActor
  func post(_ count: Int, _ span: Duration) {
    switch self {
    case .items: for _ in 0..<count { burn(span) }
    case .task: for _ in 0..<count { Task { burn(span) } }
    case .detachedTask:
      for _ in 0..<count { Task.detached { await MainActor.run { burn(span) } } }
    case .block: for _ in 0..<count { DispatchQueue.main.async { burn(span) } }
    case .delayedBlock:
      for _ in 0..<count { DispatchQueue.main.asyncAfter(deadline: .now() + 0.05) { burn(span) } }
    case .timer:
      for _ in 0..<count {
        RunLoop.main.add(
          Timer(timeInterval: 0, repeats: false) { _ in burn(span) }, forMode: .default)
      }
    case .perform: for _ in 0..<count { RunLoop.main.perform { burn(span) } }
    case .observation:
      let model = Model()
      for _ in 0..<count {
        withObservationTracking {
          _ = model.value
        } onChange: {
          Task { @MainActor in burn(span) }
        }
      }
      model.value += 1
    case .source:
      for _ in 0..<count {
        let source = DispatchSource.makeUserDataAddSource(queue: .main)
        source.setEventHandler {
          source.cancel()
          burn(span)
        }
        source.activate()
        source.add(data: 1)
      }
    case .notification:
      for _ in 0..<count {
        NotificationQueue.default.enqueue(
          Notification(name: Self.notified, userInfo: ["span": span]), postingStyle: .asap,
          coalesceMask: [], forModes: nil)
      }
    case .operation: for _ in 0..<count { OperationQueue.main.addOperation { burn(span) } }
    case .stream: for _ in 0..<count { Self.spans.yield(span) }
    case .chain: Self.postChain(count, span)
    case .yieldingTask:
      Task {
        for _ in 0..<count {
          burn(span)
          await Task.yield()
        }
      }
    }
  }

  private static func postChain(_ left: Int, _ span: Duration) {
    guard left > 0 else { return }
    DispatchQueue.main.async {
      burn(span)
      postChain(left - 1, span)
    }
  }

  // MARK: Receivers

  private static let (elements, spans) = AsyncStream.makeStream(of: Duration.self)

  private static let notified = Notification.Name("RunLoopApp.work")

  /// Begins to receive, outside of any workload.
  @MainActor
  static func prepare() {
    Task { for await span in elements { burn(span) } }
    _ = NotificationCenter.default.addObserver(forName: notified, object: nil, queue: nil) {
      if let span = $0.userInfo?["span"] as? Duration { burn(span) }
    }
  }
}

@Observable
private final class Model {
  var value = 0
}
