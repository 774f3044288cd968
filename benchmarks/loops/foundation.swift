// Floods of Swift's main loop beside frames. The main queue is served by the run loop or, with `-D DISPATCH_MAIN`, by
// `dispatchMain`; frames come from a timer of the run loop or, with `-D DISPATCH_TIMER`, of the main queue.
import Foundation

let (stream, items) = AsyncStream.makeStream(of: Item.self)

/// How items reach the main thread.
let ways: [String: @convention(c) (Item?) -> Void] = [
  "main-queue": { item in DispatchQueue.main.async { _ = item?() } },
  "main-queue-after": { item in DispatchQueue.main.asyncAfter(deadline: .now()) { _ = item?() } },
  "main-actor-task": { item in Task { @MainActor in while item?() == true { await Task.yield() } }
  },
  "operation": { item in OperationQueue.main.addOperation { _ = item?() } },
  "perform": { item in RunLoop.main.perform { _ = item?() } },
  "timer": { item in
    RunLoop.main.add(Timer(timeInterval: 0, repeats: false) { _ in _ = item?() }, forMode: .default)
  },
  "stream": { item in if let item { items.yield(item) } },
]

begin(CommandLine.unsafeArgv)
guard let post = ways.first(where: { is_way($0.key) })?.value else { no_such_way() }
post_floods(post)

#if DISPATCH_TIMER || DISPATCH_MAIN
  let frames = DispatchSource.makeTimerSource(queue: .main)
  frames.schedule(
    deadline: .now() + .nanoseconds(Int(next_tick() - now())), repeating: 1 / Double(REFRESH_HZ),
    leeway: .nanoseconds(0))
  frames.setEventHandler { if frame() { end() } }
  frames.resume()
#else
  let frames = Timer(
    fire: Date(timeIntervalSinceNow: Double(next_tick() - now()) / 1e9),
    interval: 1 / Double(REFRESH_HZ), repeats: true
  ) { _ in if frame() { end() } }
  RunLoop.main.add(frames, forMode: .default)
#endif

Task { @MainActor in for await item in stream { _ = item() } }
#if DISPATCH_MAIN
  dispatchMain()
#else
  RunLoop.main.run()
#endif
