import FrameBudget
import Testing

@Suite struct ArrangementTests {
  private let scenario = Scenario.with(
    [.files(steps: [.cpu(1, service: 0), .cpu(1, service: 1), .cpu(1, service: 0)])],
    reads: [UIRead(service: 0, cpu: .none)])

  private func twoLanes(_ change: (inout Arrangement) -> Void = { _ in }) -> Arrangement {
    var arrangement = Arrangement(
      lanes: [.main, Lane(name: "files", carrier: .scheduler)],
      locks: [Lock(name: "lock", kind: .fair)], placement: [.home(1), .home(1)], entry: [.main],
      reading: .snapshot(.perFrame))
    change(&arrangement)
    return arrangement
  }

  private func expect(
    _ message: String?, _ arrangement: Arrangement, at location: SourceLocation = #_sourceLocation
  ) {
    do {
      try arrangement.validate(for: scenario)
      #expect(message == nil, sourceLocation: location)
    } catch {
      #expect(error.description == message, sourceLocation: location)
    }
  }

  @Test func `a step runs where its service lives, a guarded one where the item is`() {
    #expect(twoLanes().lanes(of: 0, in: scenario) == [1, 1, 1])
    let mixed = twoLanes { $0.placement = [.home(.main), .guarded(0)] }
    #expect(mixed.lanes(of: 0, in: scenario) == [0, 0, 0])
    let calling = twoLanes { $0.placement = [.guarded(0), .home(1)] }
    #expect(calling.lanes(of: 0, in: scenario) == [0, 1, 1], "the last one stays on lane 1")
    let entering = twoLanes { ($0.placement, $0.entry) = ([.guarded(0), .guarded(0)], [1]) }
    #expect(entering.lanes(of: 0, in: scenario) == [1, 1, 1])
  }

  @Test func `results run where items end only if that is main`() {
    #expect(!twoLanes().endsOnMain(scenario))
    #expect(twoLanes { $0.placement = [.home(.main), .home(1)] }.endsOnMain(scenario))
    #expect(twoLanes().endsOnMain(.with([.files(steps: [])])), "no step leaves main")
  }

  @Test func `the UI can read only services that it can reach`() {
    expect(nil, twoLanes())
    expect(nil, twoLanes { ($0.reading, $0.placement) = (.direct, [.home(.main), .home(1)]) })
    expect(nil, twoLanes { ($0.reading, $0.placement) = (.locked, [.guarded(0), .home(1)]) })
    expect(nil, twoLanes { ($0.reading, $0.placement) = (.locked, [.home(.main), .home(1)]) })
    expect(
      "reads 'service0' directly, but it does not run on main", twoLanes { $0.reading = .direct })
    expect(
      "reads 'service0' under a lock, but no lock guards it", twoLanes { $0.reading = .locked })
    expect(
      "reads a snapshot of 'service0', but it has no lane to publish one",
      twoLanes { $0.placement = [.guarded(0), .home(1)] })
  }

  @Test func `only the first lane is main`() {
    expect(
      "has a lane 'files' on carrier main; only the first lane can be",
      twoLanes { $0.lanes[1].carrier = .main })
  }

  @Test(arguments: CarrierKind.allCases.filter { $0 != .main })
  func `priorities need a carrier that supports overtaking`(carrier: CarrierKind) {
    let message =
      carrier.description.canOvertake
      ? nil
      : "lets priorities overtake on lane 'files', which carrier \(carrier.rawValue) cannot do"
    expect(
      message, twoLanes { $0.lanes[1] = Lane(name: "files", carrier: carrier, overtaking: true) })
  }

  @Test func `no service can live on a lane of several threads`() {
    expect(
      "keeps 'service0' on lane 'files', whose 4 threads could be inside it at once; "
        + "guard it with a lock",
      twoLanes { $0.lanes[1] = Lane(name: "files", carrier: .dispatch, width: 4) })
    expect(
      nil,
      twoLanes {
        $0.lanes[1] = Lane(name: "files", carrier: .dispatch, width: 4)
        ($0.placement, $0.entry, $0.reading) = ([.guarded(0), .guarded(0)], [1], .locked)
      })
  }

  @Test func `a lane has the widths and options of its carrier`() {
    expect(
      "gives lane 'files' 2 threads, but carrier scheduler has one",
      twoLanes { $0.lanes[1].width = 2 })
    expect(
      "sets 'operations' on lane 'files', but that is not an option of carrier scheduler",
      twoLanes { $0.lanes[1].options[.operations] = .choice("step") })
    expect(
      nil,
      twoLanes {
        $0.lanes[1].carrier = .operationQueue
        $0.lanes[1].options[.operations] = .choice("step")
      })
  }

  @Test(arguments: CarrierKind.allCases.filter { $0 != .main })
  func `lanes can be pinned to existing cores if they own their thread`(
    carrier: CarrierKind
  ) {
    let message =
      carrier.description.canChooseCores
      ? nil
      : "keeps lane 'files' on some of the cores, but carrier \(carrier.rawValue) has no thread of "
        + "its own to keep there"
    func kept(on cores: [Int]) -> Arrangement {
      twoLanes {
        $0.lanes[1] = Lane(name: "files", carrier: carrier)
        $0.lanes[1].cores = CoreSet(cores)
      }
    }
    expect(message, kept(on: [0, 1]))
    expect(
      message ?? "keeps lane 'files' on core 2, but the machine has 2, counted from 0",
      kept(on: [1, 2]))
  }

  @Test func `a core set has at least one core, with numbers from 0 to 63`() throws {
    #expect(CoreSet([]) == nil && CoreSet([64]) == nil && CoreSet([-1]) == nil)
    let some = try #require(CoreSet([3, 1, 3]))
    #expect(some.cores == [1, 3] && "\(some)" == "[1, 3]")
    #expect(some.contains(1) && !some.contains(0) && !some.contains(200))
    #expect(CoreSet.all.contains(200) && CoreSet(Array(0...63)) == .all)
  }

  @Test func `only the main lane can fit work into frames`() {
    expect(
      "fits work into frames, so every step must run on main",
      twoLanes { $0.admission = .fitting(.init()) })
    var main = Arrangement.onMain(scenario)
    main.admission = .fitting(.init())
    expect(nil, main)
  }

  @Test func `lanes of one thread guarantee order, or a carrier that orders each source`() {
    #expect(twoLanes().promisesOrder)
    #expect(!twoLanes { $0.lanes[1].width = 2 }.promisesOrder)
    let ordered = Lane(name: "files", carrier: .ordered, width: 2)
    #expect(twoLanes { $0.lanes[1] = ordered }.promisesOrder)
  }

  @Test func `carriers have names and descriptions`() {
    for kind in CarrierKind.allCases {
      #expect(kind.description.name == kind.rawValue && !kind.description.summary.isEmpty)
    }
  }

  @Test func `the bounds of an expectation are inclusive`() {
    let expectation = { (minimum: Double?, maximum: Double?) in
      Aim("dropped_frames", minimum: minimum, maximum: maximum)
    }
    #expect(
      expectation(390, 390).holds(for: Observation(390))
        && !expectation(390, 390).holds(for: Observation(391)))
    #expect(
      expectation(nil, 0).holds(for: Observation(0))
        && !expectation(nil, 0).holds(for: Observation(0.1)))
    #expect(
      expectation(1, nil).holds(for: Observation(1e9))
        && !expectation(1, nil).holds(for: Observation(0.9)))
    #expect(expectation(nil, nil).holds(for: Observation(0)))
    let bound = Observation(10, isBound: true)
    #expect(!expectation(nil, 5).holds(for: bound) && !expectation(nil, 20).holds(for: bound))
    #expect(expectation(10, nil).holds(for: bound) && !expectation(11, nil).holds(for: bound))
    #expect(!expectation(5, 20).holds(for: bound))
  }
}
