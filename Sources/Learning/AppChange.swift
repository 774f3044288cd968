internal import FrameBudget
internal import Recordings

/// How an app was changed between two recordings of it, as far as an arrangement can say that.
public struct AppChange: Hashable, Sendable {
  /// The services that left the main thread, those of one thread together.
  public let moved: [[String]]
  /// Whether tasks of the main thread end behind each step now.
  public let yields: Bool

  /// As the strategies of a learned scenario are called that change nothing, and that yield.
  private static let unchanged = "as-recorded"
  private static let yielding = "yielding"
  /// Between the names of changes that were made together.
  private static let separator: Character = "+"

  /// A service is gone that takes less than this part of its time on the main thread.
  private static let least = 0.1
  /// Tasks yield if they make less than this part of their calls.
  private static let shorter = 0.75

  /// The change from what `before` was learned from to what `after` was, which has the services of `before` by
  /// `Learner.ownServices`.
  public init(from before: Learner, to after: Learner) {
    var moved: [(thread: Int?, services: [String])] = []
    var stayed: Set<String> = []
    for (place, name) in before.choice.names.enumerated()
    where before.movable.contains(before.services[place]) {
      let (was, remains) = (before.use(of: name).load, after.use(of: name).load)
      guard remains < Self.least * was else {
        stayed.insert(name)
        continue
      }
      let thread = after.otherThread(with: name)
      if let thread, let known = moved.firstIndex(where: { $0.thread == thread }) {
        moved[known].services.append(before.services[place])
      } else {
        moved.append((thread, [before.services[place]]))
      }
    }
    self.moved = moved.map(\.services)
    let (was, now) = (before.callsPerTask(of: stayed), after.callsPerTask(of: stayed))
    yields = !before.screen.isFrameLoop && was > 1 && now < Self.shorter * was
  }

  /// The change of that name: strategies of the scenario that was learned, with `+` between them.
  ///
  /// Nil where that is no name of one. Then `names` has those that there are.
  public init?(named name: String, of before: Learner) {
    var services: [String] = []
    var yields = false
    for part in name.split(separator: Self.separator).map(String.init) {
      if part == Self.yielding, Self.canYield(before) {
        yields = true
      } else if let service = before.movable.first(where: { Learner.move($0) == part }) {
        if !services.contains(service) { services.append(service) }
      } else if part != Self.unchanged {
        return nil
      }
    }
    guard !name.isEmpty else { return nil }
    moved = services.map { [$0] }
    self.yields = yields
  }

  /// What can be changed, by name.
  public static func names(of before: Learner) -> [String] {
    [unchanged] + (canYield(before) ? [yielding] : [])
      + before.services.filter(before.movable.contains).map(Learner.move)
  }

  private static func canYield(_ learner: Learner) -> Bool {
    !learner.screen.isFrameLoop && !learner.items.workloads.isEmpty
  }

  /// As `init(named:of:)` takes it.
  public var name: String {
    let parts = moved.flatMap(\.self).map(Learner.move) + (yields ? [Self.yielding] : [])
    return parts.isEmpty ? Self.unchanged : parts.joined(separator: "\(Self.separator)")
  }

  /// What the arrangement is called that `strategy` declares.
  public static let strategyName = "after-the-change"

  /// A strategy for a scenario's file that runs what was learned as it is after the change.
  public var strategy: String {
    var lines = ["  - as: \(Self.strategyName)"]
    if !moved.isEmpty {
      let lanes = moved.map { "\($0[0])-thread" }
      let homes = zip(moved, lanes).flatMap { services, lane in services.map { "\($0): \(lane)" } }
      lines += [
        "    lanes: {\(lanes.map { "\($0): {}" }.joined(separator: ", "))}",
        "    services: {\(homes.joined(separator: ", "))}",
      ]
    }
    if yields {
      let yielding = Yielding()
      lines.append("    yield: {every: \(yielding.grain), resumes: \(yielding.resumes.rawValue)}")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Learner {
  /// Rules by which another recording of the same app has this one's services, whatever takes most time there.
  public var ownServices: [NameRule] {
    choice.names.map { name in NameRule(.service(name)) { SliceName.folded($0) == name } }
  }

  /// What something takes of the main thread beside frames.
  struct Use: Sendable {
    /// Calls in a second.
    var calls: Double
    /// Milliseconds in a second.
    var load: Double

    /// What a call takes in the mean, in milliseconds; nil without any.
    var each: Double? { calls > 0 ? load / calls : nil }
  }

  /// What a service takes, by the name that its slices have.
  func use(of name: String) -> Use {
    guard let place = choice.names.firstIndex(of: name) else { return Use(calls: 0, load: 0) }
    let calls = items.workloads.reduce(0) { sum, workload in
      sum + workload.items.count * workload.steps.count { $0 == place }
    }
    return Use(
      calls: Double(calls) / seconds, load: Double(items.totals[place]) / 1e6 / seconds)
  }

  /// What items take that is in none of `names`.
  func use(outside names: [String]) -> Use {
    let places = Set(names.compactMap(choice.names.firstIndex))
    var (calls, time) = (0, Int64(0))
    for workload in items.workloads {
      for (number, step) in workload.steps.enumerated() {
        guard step.map({ !places.contains($0) }) ?? true else { continue }
        calls += workload.items.count
        time += workload.items.reduce(0) { $0 + $1.costs[number].cpu + $1.costs[number].wait }
      }
    }
    return Use(calls: Double(calls) / seconds, load: Double(time) / 1e6 / seconds)
  }

  /// What the drawing of frames takes.
  var drawing: Use {
    Use(
      calls: Double(items.drawing.count) / seconds,
      load: Double(items.drawing.reduce(0, +)) / 1e6 / seconds)
  }

  private var seconds: Double { max(1e-9, recording.length.inSeconds) }

  /// How many calls of `names` a task makes that makes any, in the mean.
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

  /// The place of the other thread of the process on which slices of a service run longest; nil where none does.
  fileprivate func otherThread(with name: String) -> Int? {
    guard let place = choice.names.firstIndex(of: name) else { return nil }
    let times = recording.threads.enumerated().dropFirst().map { number, thread in
      (
        number,
        thread.slices.reduce(0) { time, slice in
          choice.role(of: slice) == .service(place) ? time + slice.length.nanoseconds : time
        }
      )
    }
    return times.filter { $0.1 > 0 }.max { $0.1 < $1.1 }?.0
  }

  /// What that thread is called; nil where the recording does not show one.
  func thread(with name: String) -> RecordedThread? {
    otherThread(with: name).map { recording.threads[$0] }
  }
}
