internal import FrameBudget

/// A piece of what V8's profiler recorded of a thread. A class, because all events are copied and few have one.
final class ProfilePiece: Sendable {
  /// A function that was called by that of another node; the function is nil if it is the browser's own.
  struct Node: Sendable {
    var number: Int64
    var caller: Int64?
    var function: PageFunction?
  }

  let nodes: [Node]
  /// The nodes in which the thread was, and for each the time since the one before, in nanoseconds.
  let samples: [Int64]
  let steps: [Int64]

  init(nodes: [Node], samples: [Int64], steps: [Int64]) {
    (self.nodes, self.samples, self.steps) = (nodes, samples, steps)
  }

  var count: Int { nodes.count + samples.count }
}

/// The samples of V8's profiler: which functions ran in calls for which the browser names none, or one of a library.
///
/// A framework's scheduler or event handler is the function that the browser calls, whatever it calls in turn. What runs after an
/// `await`, or in a promise's callback, is in no call at all: it follows the call of the timer or event, or the task.
struct PageProfiles {
  private struct Node {
    let caller: Int?
    let function: Int?
  }

  private struct Profile {
    let thread: Int
    let begin: Int64
    var now: Int64
    /// In an order in which each node follows its caller.
    var nodes: [Node] = []
    var places: [Int64: Int] = [:]
    var samples: [(at: Int64, node: Int)] = []
  }

  private var profiles: [UInt64: Profile] = [:]
  private var functions: [PageFunction] = []
  private var places: [String: Int] = [:]
  /// The number of kept values.
  private(set) var count = 0

  mutating func take(_ event: ChromeEvent) {
    if event.kind == .profile {
      // Its argument `startTime` is on a clock that the format does not name.
      profiles[event.identity] = Profile(
        thread: event.thread, begin: event.instant, now: event.instant)
      count += 1
    } else if event.kind == .profilePiece, let piece = event.profile,
      var profile = profiles.removeValue(forKey: event.identity)
    {
      add(piece, to: &profile)
      profiles[event.identity] = profile
      count += piece.count
    }
  }

  /// When the first profile of a thread began; nil without one.
  func begin(on thread: Int) -> Int64? {
    profiles.values.lazy.filter { $0.thread == thread }.map(\.begin).min()
  }

  private mutating func add(_ piece: ProfilePiece, to profile: inout Profile) {
    for node in piece.nodes where profile.places[node.number] == nil {
      let caller = node.caller.flatMap { profile.places[$0] }
      profile.places[node.number] = profile.nodes.count
      profile.nodes.append(Node(caller: caller, function: node.function.map { place(of: $0) }))
    }
    for (sample, step) in zip(piece.samples, piece.steps) {
      profile.now = profile.now &+ step
      if let node = profile.places[sample] { profile.samples.append((profile.now, node)) }
    }
  }

  private mutating func place(of function: PageFunction) -> Int {
    let key = "\(function.site ?? "") \(function.isOfLibrary) \(function.name)"
    if let known = places[key] { return known }
    places[key] = functions.count
    functions.append(function)
    return functions.count - 1
  }

  /// By thread, what ran on it when, in a page of `site`.
  func threads(site: String?) -> [Int: ProfiledThread] {
    let isOfLibrary = functions.map { $0.isOfLibrary(in: site) }
    var threads: [Int: ProfiledThread] = [:]
    for profile in profiles.values {
      var outermost: [ProfiledThread.Outermost] = []
      for node in profile.nodes {
        var found = node.caller.map { outermost[$0] } ?? ProfiledThread.Outermost()
        found.any = found.any ?? node.function
        if let function = node.function, !isOfLibrary[function] {
          found.app = found.app ?? function
        }
        outermost.append(found)
      }
      let samples = profile.samples.map { (at: $0.at, ran: outermost[$0.node]) }
      threads[profile.thread, default: ProfiledThread(functions)].add(samples)
    }
    return threads
  }
}

/// The samples of a thread.
struct ProfiledThread {
  /// Of the functions on a stack.
  struct Outermost {
    var any: Int?
    /// That of the app.
    var app: Int?
  }

  /// A slice in which the browser calls the page.
  struct Call {
    enum Function {
      /// The browser does not name it, or it is a library's, or the app's.
      case unnamed, library, app
    }

    let span: Range<Int64>
    let function: Function
  }

  private let functions: [PageFunction]
  private var samples: [(at: Int64, ran: Outermost)] = []

  init(_ functions: [PageFunction]) { self.functions = functions }

  mutating func add(_ more: [(at: Int64, ran: Outermost)]) {
    samples += more
    samples.sort { $0.at < $1.at }
  }

  /// For each call, which are in no order, the name of the app's function that ran for at least half of its time outside of calls
  /// in it: the outermost one, however many of a library are around it. Without one, an unnamed call has that of any function.
  /// Nil for calls that are already the app's, and without such a function.
  func names(of calls: [Call]) -> [String?] {
    zip(calls, samples(of: calls)).map { call, ran in
      let found: Int? =
        switch call.function {
        case .unnamed: Self.most(ran.map(\.app)) ?? Self.most(ran.map(\.any))
        case .library: Self.most(ran.map(\.app))
        case .app: nil
        }
      return found.map { functions[$0].name }
    }
  }

  /// For each call, the samples in it and in no call within it.
  private func samples(of calls: [Call]) -> [[Outermost]] {
    var ran = [[Outermost]](repeating: [], count: calls.count)
    let order = calls.indices.sorted {
      let (first, second) = (calls[$0].span, calls[$1].span)
      return (first.lowerBound, second.upperBound) < (second.lowerBound, first.upperBound)
    }
    var open: [Int] = []
    var next = 0
    for sample in samples {
      while next < order.count, calls[order[next]].span.lowerBound <= sample.at {
        open.append(order[next])
        next += 1
      }
      while let last = open.last, calls[last].span.upperBound <= sample.at { open.removeLast() }
      if let last = open.last { ran[last].append(sample.ran) }
    }
    return ran
  }

  /// What at least half of the values are; the first of two.
  private static func most(_ values: [Int?]) -> Int? {
    var counts: [Int: Int] = [:]
    for case let value? in values { counts[value, default: 0] += 1 }
    let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return most.flatMap { 2 * $0.value >= values.count ? $0.key : nil }
  }
}
