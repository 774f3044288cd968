import FrameBudget

@testable import FrameBudgetSimulation

/// Threads that compute, sleep, share locks and post events to one another, drawn from a seed.
struct RandomScripts {
  var scripts: [[Operation]]
  let locks: [Lock.Kind]
  let queues: Int

  init(seed: UInt64, threads: ClosedRange<Int>, spans: ClosedRange<Int>, kinds: [Lock.Kind]) {
    var stream = RandomStream(seed: seed, name: "scripts")
    locks = (0..<2).map { _ in stream.pick(kinds) }
    queues = 2
    scripts = (0..<stream.number(threads)).map { _ in Self.script(&stream, spans) }
  }

  private static func script(
    _ stream: inout RandomStream, _ spans: ClosedRange<Int>
  ) -> [Operation] {
    var script: [Operation] = []
    for _ in 0..<stream.number(1...6) {
      let span = Operation.run(Int64(stream.number(spans)))
      switch stream.number(0...6) {
      case 0: script.append(.sleep(Int64(stream.number(0...(spans.upperBound * 8)))))
      case 1, 2:
        // One lock at a time, so that no two threads wait for one another.
        let lock = LockIndex(stream.number(0...1))
        script += [.lock(lock), span, .unlock(lock)]
      case 3: script.append(.post(QueueIndex(stream.number(0...1))))
      case 4: script.append(.wait(QueueIndex(stream.number(0...1))))
      default: script.append(span)
      }
    }
    return script
  }

  /// All the work in the scripts.
  var work: PerThread<Int64> {
    PerThread(scripts).mapValues { script in
      script.reduce(0) { sum, operation in
        if case .compute(let span) = operation { sum + span.nanoseconds } else { sum }
      }
    }
  }
}
