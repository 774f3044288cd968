internal import FrameBudget
internal import FrameBudgetCaptures

/// The change to an app between two recordings of it, as far as an arrangement can express it.
public struct AppChange: Hashable, Sendable {
  /// The services that left the main thread, grouped by their new thread.
  public let moved: [[String]]
  /// Whether tasks of the main thread yield after each step now.
  public let yields: Bool
  /// The name of the arrangement that makes the change, if it has one, or the change to the page.
  private let given: String?

  /// The names of the strategies of a learned scenario that change nothing, and that yield.
  private static let unchanged = LearnedReplay.asRecorded
  private static let yielding = "yielding"
  /// Separates the names of changes that were made together.
  private static let separator: Character = "+"

  /// A service has left the main thread if its time there is below this share of what it was.
  private static let maxRemainder = 0.1
  /// A service below this share of the load of all services, from 0 to 1, is too small to tell that it has left.
  private static let minShare = 0.01
  /// A service that ran less often may be absent by chance: of calls that come at random, three are expected and none comes in
  /// e⁻³ = 5 % of recordings.
  private static let minCalls = 3.0
  /// Tasks yield if the number of calls per task is below this share of what it was.
  private static let shorter = 0.75

  /// Infers the change between the recordings of `before` and `after`. `after` must have the services of `before`, by
  /// `LearnedScenario.serviceRules`.
  public init(from before: LearnedScenario, to after: LearnedScenario) {
    var moved: [(thread: Int?, services: [String])] = []
    var stayed: Set<String> = []
    let all = before.choice.namesOnMain.reduce(0) { $0 + before.mainThreadLoad(of: $1).load }
    for (index, name) in before.choice.names.enumerated()
    where before.movable.contains(before.services[index]) {
      let loadBefore = before.mainThreadLoad(of: name)
      let loadAfter = after.mainThreadLoad(of: name)
      guard loadAfter.load < Self.maxRemainder * loadBefore.load else {
        stayed.insert(name)
        continue
      }
      guard loadBefore.load >= Self.minShare * all else { continue }
      let thread = after.otherThread(with: name)
      let calls = loadBefore.calls * min(before.seconds, after.seconds)
      guard thread != nil || calls.rounded() >= Self.minCalls else { continue }
      if let thread, let known = moved.firstIndex(where: { $0.thread == thread }) {
        moved[known].services.append(before.services[index])
      } else {
        moved.append((thread, [before.services[index]]))
      }
    }
    self.moved = moved.map(\.services)
    given = nil
    let callsBefore = before.callsPerTask(of: stayed)
    yields =
      !before.screen.isFrameLoop && callsBefore > 1
      && after.callsPerTask(of: stayed) < Self.shorter * callsBefore
  }

  /// The change with this name: strategies of the learned scenario, separated by `+`.
  ///
  /// Nil if the name is unknown; `names(of:)` lists the known ones.
  public init?(named name: String, of before: LearnedScenario) {
    var services: [String] = []
    var yields = false
    for part in name.split(separator: Self.separator).map(String.init) {
      if part == Self.yielding, Self.canYield(before) {
        yields = true
      } else if let service = before.movable.first(where: {
        LearnedScenario.moveStrategyName($0) == part
      }) {
        if !services.contains(service) { services.append(service) }
      } else if part != Self.unchanged {
        return nil
      }
    }
    guard !name.isEmpty else { return nil }
    moved = services.map { [$0] }
    self.yields = yields
    given = nil
  }

  /// The change that an arrangement makes.
  public init(arrangement name: String, moved: [[String]], yields: Bool) {
    (given, self.moved, self.yields) = (name, moved, yields)
  }

  /// A change to a page.
  public init(_ change: PageChange) {
    (given, moved, yields) = (change.text, [], false)
  }

  /// The names of all possible changes.
  public static func names(of before: LearnedScenario) -> [String] {
    [unchanged] + (canYield(before) ? [yielding] : [])
      + before.services.filter(before.movable.contains).map(LearnedScenario.moveStrategyName)
  }

  private static func canYield(_ learned: LearnedScenario) -> Bool {
    !learned.screen.isFrameLoop && !learned.items.workloads.isEmpty
  }

  /// The name that `init(named:of:)` accepts, that of the arrangement, or the change to the page.
  public var name: String {
    if let given { return given }
    let parts =
      moved.flatMap(\.self).map(LearnedScenario.moveStrategyName)
      + (yields ? [Self.yielding] : [])
    return parts.isEmpty ? Self.unchanged : parts.joined(separator: "\(Self.separator)")
  }

  /// The name of the arrangement that `strategy` declares.
  public static let strategyName = "after-the-change"

  /// A strategy of the scenario of `before`, in the syntax of its file, that applies the change.
  public func strategy(of before: LearnedScenario) -> String {
    before.arrangement(Self.strategyName, moving: moved, yields: yields)
      .joined(separator: "\n") + "\n"
  }
}

extension LearnedScenario {
  /// Rules that give another recording of the same app the services of this one, whichever services take the most time
  /// there.
  public var serviceRules: [NameRule] {
    choice.namesOnMain.enumerated().map { index, name in
      NameRule(.service(name), keepsOwner: choice.platforms.contains(index)) {
        SliceName.folded(AppCalls.withoutEvent($0)) == name
      }
    }
  }

  /// Rules that give the listeners that the functions of `file` call the services of the listeners themselves: those functions
  /// have the listeners' names.
  public func listenerRules(calledFrom file: String) -> [NameRule] {
    choice.namesOnMain.map { name in
      NameRule(.service(name)) { slice in
        AppCalls.file(in: slice) == file
          && name.hasPrefix(SliceName.folded(String(slice.prefix { $0 != "(" })) + "-")
      }
    }
  }

  /// The load on the main thread outside of frames.
  struct MainThreadLoad: Sendable {
    /// Calls per second.
    var calls: Double
    /// Milliseconds per second.
    var load: Double

    /// The mean duration of a call in milliseconds; nil if there are none.
    var callDuration: Double? { calls > 0 ? load / calls : nil }
  }

  /// The load of a service, by the folded name of its slices.
  func mainThreadLoad(of name: String) -> MainThreadLoad {
    guard let index = choice.names.firstIndex(of: name) else {
      return MainThreadLoad(calls: 0, load: 0)
    }
    let calls = items.workloads.reduce(0) { sum, workload in
      sum + workload.items.count * workload.steps.count { $0 == index }
    }
    return MainThreadLoad(
      calls: Double(calls) / seconds, load: Double(items.totals[index]) / 1e6 / seconds)
  }

  /// The load of items on the main thread outside of the services `names`.
  func mainThreadLoad(outside names: [String]) -> MainThreadLoad {
    let places = Set(names.compactMap(choice.names.firstIndex)).union(choice.homes.keys)
    var (calls, time) = (0, Int64(0))
    for workload in items.workloads where !workload.isLimited {
      for (number, step) in workload.steps.enumerated() {
        guard step.map({ !places.contains($0) }) ?? true else { continue }
        calls += workload.items.count
        time += workload.items.reduce(0) { $0 + $1.costs[number].cpu + $1.costs[number].wait }
      }
    }
    return MainThreadLoad(calls: Double(calls) / seconds, load: Double(time) / 1e6 / seconds)
  }

  /// The load of drawing frames.
  var drawing: MainThreadLoad {
    MainThreadLoad(
      calls: Double(items.drawing.count) / seconds,
      load: Double(items.drawing.reduce(0, +)) / 1e6 / seconds)
  }

  fileprivate var seconds: Double { max(1e-9, recording.length.inSeconds) }

  /// The mean number of calls of `names` per task, over the tasks that make any.
  fileprivate func callsPerTask(of names: Set<String>) -> Double {
    let places = Set(names.compactMap(choice.names.firstIndex))
    var (calls, tasks) = (0, 0)
    for workload in items.workloads {
      let count = workload.steps.count { $0.map(places.contains) ?? false }
      calls += count * workload.items.count
      tasks += count > 0 ? workload.items.count : 0
    }
    return tasks == 0 ? 0 : Double(calls) / Double(tasks)
  }

  /// The index of the thread, other than the UI thread, on which slices of a service take the most time; nil if there is
  /// none.
  fileprivate func otherThread(with name: String) -> Int? {
    guard let index = choice.names.firstIndex(of: name) else { return nil }
    let times = recording.threads.enumerated().dropFirst().map { number, thread in
      (
        number,
        thread.slices.reduce(0) { time, slice in
          choice.role(of: slice) == .service(index) ? time + slice.length.nanoseconds : time
        }
      )
    }
    return times.filter { $0.1 > 0 }.max { $0.1 < $1.1 }?.0
  }

  /// That thread; nil if the recording does not have it.
  func thread(with name: String) -> RecordedThread? {
    otherThread(with: name).map { recording.threads[$0] }
  }
}
