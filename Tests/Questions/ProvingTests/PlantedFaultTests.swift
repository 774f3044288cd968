import FrameBudget
import Testing

@testable import FrameBudgetAdvice

/// The comparison with every run finds an error in each term of the bound.
@Suite struct PlantedFaultTests {
  /// Most systems cannot show most of the errors, because the rest of the bound is enough.
  private static let mostSystems: UInt64 = 4000

  /// An error, and its change of a bound.
  private struct Fault {
    let name: String
    let broken: (FrameBound, SmallSystem) -> FrameBound
  }

  private static var faults: [Fault] {
    FrameBound.Kind.allCases.map { kind in
      Fault(name: "\(kind) is forgotten") { bound, _ in bound.without { $0.kind == kind } }
    }
      + [FrameBound.Kind.posting, .waking, .logic, .waiting, .results, .blocking].map { kind in
        Fault(name: "\(kind) counts one less") { bound, _ in
          bound.changed { part in
            guard part.kind == kind, part.count > 1 else { return part }
            return FrameBound.Part(
              kind: kind, name: part.name, count: part.count - 1, each: part.each)
          }
        }
      }
      + [
        FrameBound.Kind.queue, .returned, .comingBack, .copying, .slicing, .blocking, .sharing,
      ].map { kind in
        Fault(name: "\(kind) is taken a tenth too short") { bound, _ in
          bound.changed { part in
            guard part.kind == kind else { return part }
            let less = TimeSpan(nanoseconds: part.each.nanoseconds * 9 / 10)
            return FrameBound.Part(kind: kind, name: part.name, count: part.count, each: less)
          }
        }
      }
      + [1, 2].map { place in
        Fault(name: "budget \(place) is forgotten") { bound, _ in
          var broken = bound
          if broken.budgets.indices.contains(place) { broken.budgets[place].parts = [] }
          return broken
        }
      }
      + dropFaults + [
        Fault(name: "costs are taken at their smallest") { _, system in
          FrameBound(system.cheapest, under: system.strategy.arrangement, costs: system.costs)
        },
        Fault(name: "there is a core more") { _, system in
          var machine = system.scenario.machine
          machine.speeds.append(machine.speeds[0])
          return FrameBound(
            system.scenario, under: system.strategy.arrangement, on: machine, costs: system.costs)
        },
      ]
  }

  private static var dropFaults: [Fault] {
    [
      drops("late frames do no more than those on time") { bound, drops in
        guard let frame = bound.frame else { return }
        drops.inARow = Int((frame.nanoseconds - 1) / SmallSystem.period.nanoseconds)
      },
      drops("a late frame ends a period earlier") { _, drops in drops.inARow -= 1 },
      drops("one late frame less") { _, drops in drops.lateFrames -= 1 },
      drops("work of the run leaves one vsync less") { _, drops in drops.byWork -= 1 },
    ]
  }

  private static func drops(
    _ name: String, _ change: @escaping (FrameBound, inout FrameBound.Drops) -> Void
  ) -> Fault {
    Fault(name: name) { bound, _ in
      guard !bound.isKept, var drops = bound.drops else { return bound }
      change(bound, &drops)
      var broken = bound
      broken.drops = drops
      return broken
    }
  }

  // Slow: up to some thousand systems of up to 2500 runs each, until each error has shown.
  @Test func `an error planted in any term is found`() {
    var left = Self.faults
    for seed in 0..<Self.mostSystems where !left.isEmpty {
      let drawn = SmallSystem(seed: seed)
      let system =
        seed % 8 == 7 ? drawn.drawing(.spread(budget: .microseconds(200))) : drawn
      let bound = FrameBound(
        system.scenario, under: system.strategy.arrangement, costs: system.costs)
      let planted = left.map { $0.broken(bound, system) }
      guard planted.contains(where: { $0 != bound }) else { continue }
      let worst = WorstRuns(of: system)
      left = zip(left, planted).filter { !worst.refutes($0.1) }.map(\.0)
    }
    #expect(left.map(\.name) == [])
  }
}

extension FrameBound {
  fileprivate func without(_ isForgotten: (Part) -> Bool) -> FrameBound {
    var bound = self
    for budget in budgets.indices { bound.budgets[budget].parts.removeAll(where: isForgotten) }
    return bound
  }

  fileprivate func changed(_ change: (Part) -> Part) -> FrameBound {
    var bound = self
    for budget in budgets.indices {
      bound.budgets[budget].parts = budgets[budget].parts.map(change)
    }
    return bound
  }
}
