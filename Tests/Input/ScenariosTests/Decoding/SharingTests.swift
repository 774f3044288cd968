import Foundation
import FrameBudget
import FrameBudgetScenarios
import FrameBudgetSimulation
import Testing

/// Services without state, suspended items, and resources: how files say it, and what follows.
@Suite struct SharingTests {
  private static func scenario(_ text: String) throws -> Scenario {
    try ScenarioFile.parse(Array(text.utf8), file: "sharing.yaml")
  }

  private static let keys = """
    scenario: keys
    display: {refresh: 60 Hz}
    duration: 1 s
    services: {decoder: {exclusive: false}, index: {}}
    resources: {network: {parallel: 6}, disk: {parallel: 1}}
    workloads:
      - name: image
        arrival: {once: 3}
        steps:
          - {name: load, service: index, suspend: {on: network, for: {uniform: {from: 1 ms, to: 2 ms}}}}
          - {name: pause, service: index, cpu: 1 ms, wait: 2 ms, suspend: 3 ms}
          - {name: decode, service: decoder, cpu: 1 ms}
    strategies:
      - main-thread
      - as: guarded
        locks: {all: {}}
        services: {decoder: {lock: all}}

    """

  @Test func `steps are suspended for a time, on a resource or not`() throws {
    let scenario = try Self.scenario(Self.keys)
    #expect(scenario.resources.map(\.name) == ["network", "disk"])
    #expect(scenario.resources.map(\.parallel) == [6, 1])
    #expect(
      scenario.workloads[0].steps.map(\.suspension) == [
        Suspension(.uniform(from: .milliseconds(1), to: .milliseconds(2)), on: 0),
        Suspension(.constant(.milliseconds(3))), nil,
      ])
    #expect(scenario.workloads[0].steps[0].load == .cpu(.none))
    #expect(scenario.services.map(\.isExclusive) == [false, true])
  }

  @Test func `keys without effect are told`() throws {
    #expect(
      try Self.scenario(Self.keys).sharingWithoutEffect == [
        "resource disk has no effect: no step is suspended on it",
        "exclusive: false of service decoder has no effect: in no strategy does more than one thread run it",
        "guarded: lock all has no effect: it guards only services with exclusive: false",
      ])
  }

  // MARK: After public questions

  /// 64 images of 6.4 ms each (kean/Nuke #962 measured the time for each at widths of 1 to 8).
  private static let decoding = """
    scenario: parallel-decode
    display: {refresh: 120 Hz, render: 2 ms}
    duration: 2 s
    machine: {cores: 16}
    services: {decoder: {exclusive: false}}
    workloads:
      - name: thumbnail
        arrival: {once: 64}
        steps: [{name: decode, service: decoder, cpu: 6.4 ms}]
        result: {cpu: 20 us}
    strategies:
      - as: width-1
        lanes: {q: {carrier: dispatch, width: 1}}
        services: {decoder: q}
      - as: width-2
        lanes: {q: {carrier: dispatch, width: 2}}
        services: {decoder: q}
      - as: width-4
        lanes: {q: {carrier: dispatch, width: 4}}
        services: {decoder: q}
      - as: width-8
        lanes: {q: {carrier: dispatch, width: 8}}
        services: {decoder: q}
      - as: locked-8
        lanes: {q: {carrier: dispatch, width: 8}}
        locks: {decoder: {}}
        services: {decoder: {lock: decoder}}
        entry: {thumbnail: q}

    """

  private static func makespans(_ scenario: Scenario, costs: Costs) -> [TimeSpan] {
    scenario.strategies.map { strategy in
      let log = VirtualEngine(costs: costs).run(RunPlan(scenario, under: strategy))
      #expect(log.status == .complete, "\(strategy.label): \(log.violations)")
      return TimeSpan(nanoseconds: log.items[0].completions.max() ?? 0)
    }
  }

  @Test func `a service without state runs on all threads of its lane`() throws {
    let scenario = try Self.scenario(Self.decoding)
    // 64 x 6.4 ms / width; a lock is not taken.
    #expect(
      Self.makespans(scenario, costs: .none)
        == [409_600, 204_800, 102_400, 51_200, 51_200].map { .microseconds($0) })
    let milliseconds = Self.makespans(scenario, costs: .standard).map(\.inMilliseconds)
    #expect(milliseconds.map { $0.rounded() } == [410, 205, 102, 51, 51])
  }

  @Test func `a service with state runs on one thread at a time, however wide its lane`() throws {
    let text = Self.decoding.replacing("exclusive: false", with: "")
    #expect(throws: ScenarioError.self) { try Self.scenario(text) }
    let locked = try #require(text.components(separatedBy: "  - as: locked-8").last)
    let head = try #require(text.components(separatedBy: "  - as: width-1").first)
    let scenario = try Self.scenario(head + "  - as: locked-8" + locked)
    #expect(Self.makespans(scenario, costs: .none) == [.microseconds(409_600)])
  }

  /// Twenty images are requested at once; each answer takes 200 ms and needs no thread on its way.
  private static let downloads = """
    scenario: async-downloads
    display: {refresh: 60 Hz, render: 4 ms}
    duration: 6 s
    machine: {cores: 4}
    services: {network: {}}
    resources: {connections: {parallel: 6}}
    workloads:
      - name: image
        arrival: {once: 20, start: 100 ms}
        steps: [{name: download, service: network, cpu: 0.1 ms, suspend: 200 ms}]
        result: {cpu: 0.2 ms}
        respond_within: 1 s
    strategies:
      - main-thread
      - as: thread
        lanes: {net: {carrier: thread}}
        services: {network: net}
      - as: actor
        lanes: {net: {carrier: actor}}
        services: {network: net}
      - as: pool-of-20
        lanes: {net: {carrier: dispatch, width: 20}}
        locks: {network: {}}
        services: {network: {lock: network}}
        entry: {image: net}

    """

  @Test func `an asynchronous wait takes no thread, service or lock`() throws {
    let scenario = try Self.scenario(Self.downloads)
    for strategy in scenario.strategies {
      let log = VirtualEngine().run(RunPlan(scenario, under: strategy))
      #expect(log.status == .complete, "\(strategy.label): \(log.violations)")
      let done = log.items[0].completions.map { Double($0) / 1e6 - 100 }
      // On the main thread they continue in the frame at 316.7 ms, with 20 results of 0.2 ms.
      let latest = strategy.label == "main-thread" ? 221.0 : 203
      #expect(done.allSatisfy { (200...latest).contains($0) }, "\(strategy.label): \(done)")
      // The frames at 316.7 and 333.3 ms take the results.
      let shown = log.items[0].responses.map { Double($0) / 1e6 - 100 }
      #expect(shown.allSatisfy { (230...251).contains($0) }, "\(strategy.label): \(shown)")
    }
  }

  @Test func `at most as many wait for a resource as it serves`() throws {
    let text = Self.downloads.replacing(
      "suspend: 200 ms", with: "suspend: {on: connections, for: 200 ms}")
    let scenario = try Self.scenario(text)
    for strategy in scenario.strategies.dropFirst() {
      let log = VirtualEngine(costs: .none).run(RunPlan(scenario, under: strategy))
      let ends = log.items[0].completions.map { (Double($0) / 1e6 - 100) / 200 }.map {
        $0.rounded(.down)
      }
      let counts = [1.0, 2, 3, 4].map { round in ends.count { $0 == round } }
      #expect(counts == [6, 6, 6, 2], "\(strategy.label): \(ends)")
    }
  }
}
