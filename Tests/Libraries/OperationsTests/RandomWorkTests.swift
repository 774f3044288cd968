import Dispatch
import Foundation
import TestSupport
import Testing

@testable import SchedulableOperations

/// Random combinations of groups, dependencies, cancellation and exclusion, drawn from a seed.
@Suite struct RandomWorkTests {
  private static let categories = ["database", "network", "alert"]

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `with random cancellation, all finish once and no two of a category run at once`(
    seed: UInt64
  ) async throws {
    var random = RandomNumbers(seed: seed)
    let (exclusion, ends) = (Exclusion(), Recorder<String>())
    let inside = Dictionary(uniqueKeysWithValues: Self.categories.map { ($0, Running()) })
    let queues = [queue(), queue(width: 2), queue(width: 1)]
    var (all, targets): ([WorkOperation], [WorkOperation]) = ([], [])
    for number in 0..<150 {
      let wanted = Set(Self.categories.filter { _ in random.next(below: 3) == 0 })
      let places = wanted.compactMap { inside[$0] }
      let members = (0...random.next(below: 3)).map { member in
        Self.work("\(number).\(member)", random.next(below: 3), places: member == 0 ? places : [])
      }
      let top: WorkOperation =
        random.next(below: 2) == 0 ? members[0] : WorkGroup("\(number)", members)
      let parts = top === members[0] ? [top] : [top] + members
      for part in parts {
        part.add(WorkObserver(ended: { work, _ in ends.add(work.name ?? "") }))
      }
      if let earlier = targets.randomElement(using: &random), random.next(below: 3) == 0 {
        try earlier --> top
      }
      (all, targets) = (all + parts, targets + [top])
      try exclusion.add(top, to: queues[random.next(below: 3)], categories: wanted)
      if random.next(below: 4) == 0, let victim = all.randomElement(using: &random) {
        DispatchQueue.global().async { victim.cancel() }
      }
    }
    let expected = all
    #expect(await eventually { expected.allSatisfy(\.isFinished) }, "seed \(seed)")
    #expect(await eventually { ends.all.count >= expected.count }, "seed \(seed)")
    #expect(ends.all.sorted() == expected.compactMap(\.name).sorted(), "seed \(seed)")
    for (category, running) in inside {
      #expect(running.most <= 1, "seed \(seed): \(category)")
    }
  }

  /// Ends on its worker, fails there, or ends later on another one.
  private static func work(_ name: String, _ kind: Int, places: [Running]) -> Work<Int> {
    Work(name) { completion in
      let stay = Stay(in: places)
      switch kind {
      case 0:
        stay.end()
        completion.succeed(1)
      case 1:
        stay.end()
        completion.fail(Broken(number: 1))
      default:
        // Until its end or its cancellation, whichever is first.
        completion.onCancel { stay.end() }
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(200)) {
          stay.end()
          completion.succeed(2)
        }
      }
    }
  }
}
