internal import Foundation
internal import FrameBudget

/// Where a page of `make browser` runs its services, as written in its address and in a scenario.
struct PagePlacement: Hashable {
  /// By service: its Worker; services on the main thread are missing. Sorted by name.
  private(set) var workers: [Home] = []
  /// How the main thread makes the part of drawing; nil: in its frames, or it is in a Worker.
  private(set) var frame: Way?
  /// How many frames early, in a Worker or in idle time.
  private(set) var ahead = Self.mostAhead
  /// When tasks on the main thread yield.
  private(set) var yielding: Yielding?

  struct Home: Hashable {
    let service: String
    let worker: String
  }

  /// The services of all pages; no two pages share a name.
  static let services: Set = [
    "catalogue", "hash", "thumbnail", "highlight", "spelling", "saving", "parse", "decode", "index",
    "paths", "world", "totals", "sorting", "formatting", part,
  ]

  /// The part of drawing of the pages with parts.js, and how many frames earlier its input is known there.
  static let part = "bind"
  static let mostAhead = 3

  /// Ways of parts.js, with its figures.
  enum Way: String {
    case idle, spread, cached

    init?(_ rule: FramePartRule) {
      switch rule {
      case .prefetched(_, estimate: .learned): self = .idle
      case .spread(let budget) where budget == .milliseconds(4): self = .spread
      case .cached(let hits) where hits == 0.8: self = .cached
      default: return nil
      }
    }

    /// The rule in a scenario's file, for `ahead` frames.
    func rule(_ ahead: Int) -> String {
      switch self {
      case .idle: "{prefetch: {frames: \(ahead)}}"
      case .spread: "{spread: {budget: 4 ms}}"
      case .cached: "{cache: {hits: 80 %}}"
      }
    }
  }

  /// Reads `hash=a&yield=channel`; an empty text has everything on the main thread.
  init(query: String) throws {
    var grain = Yielding.Grain.step
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard pair.count == 2 else { throw Unknown(what: "'\(part)'") }
      switch pair[0] {
      case "frame":
        guard let way = Way(rawValue: pair[1]) else { throw Unknown(what: "frame=\(pair[1])") }
        frame = way
      case "ahead":
        guard let frames = Int(pair[1]), 1...Self.mostAhead ~= frames
        else { throw Unknown(what: "ahead=\(pair[1])") }
        ahead = frames
      case "yield":
        guard let turn = Turn(rawValue: pair[1]) else { throw Unknown(what: "yield=\(pair[1])") }
        yielding = Yielding(resumes: turn.resumes)
      case "every":
        guard let span = Int64(pair[1]) else { throw Unknown(what: "every=\(pair[1])") }
        grain = .after(.milliseconds(span))
      case let service where Self.services.contains(service):
        workers.append(Home(service: service, worker: pair[1]))
      default: throw Unknown(what: "'\(pair[0])'")
      }
    }
    yielding?.grain = grain
    workers.sort { $0.service < $1.service }
  }

  /// The page that runs its services as `arrangement` does; throws if no page can.
  init(_ arrangement: Arrangement, of scenario: Scenario) throws {
    func need(_ holds: Bool, _ what: String) throws {
      if !holds { throw Unknown(what: what) }
    }
    try need(arrangement.admission == .all, "holding work back")
    try need(arrangement.newest == nil, "starting only the newest items")
    try need(arrangement.presentsLater == 0, "showing frames later")
    try need(arrangement.speedup == 1, "faster code")
    for lane in arrangement.lanes.dropFirst() {
      try need(lane.width == 1, "a Worker of several threads")
      try need(lane.nice == 0 && lane.renices.isEmpty, "a Worker with a lower priority")
    }
    for (service, placement) in zip(scenario.services, arrangement.placement) {
      guard case .home(let lane) = placement else { throw Unknown(what: "a lock") }
      guard lane != .main else { continue }
      try need(Self.services.contains(service.name), "moving \(service.name)")
      workers.append(Home(service: service.name, worker: arrangement.lanes[lane].name))
    }
    for (index, part) in scenario.frameParts.enumerated() {
      let rule = arrangement.rule(ofFramePart: index)
      guard rule != .inFrame else { continue }
      try need(part.name == Self.part, "another way for \(part.name)")
      if rule.framesEarly > 0 { ahead = rule.framesEarly }
      if let lane = rule.lane {
        try need(rule.framesEarly > 0, "preparing \(part.name) in its own frame")
        workers.append(Home(service: part.name, worker: arrangement.lanes[lane].name))
      } else {
        frame = Way(rule)
        try need(frame != nil, rule.words(of: part.name, on: arrangement.lanes) ?? "")
      }
    }
    workers.sort { $0.service < $1.service }
    yielding = arrangement.yielding
    if case .after(let span) = yielding?.grain {
      try need(span.nanoseconds % 1_000_000 == 0, "yielding by parts of a millisecond")
    }
  }

  /// The services that are in Workers here and not in `other`, which has some there; nil if anything else differs.
  func added(to other: PagePlacement) -> [String]? {
    guard !other.workers.isEmpty, yielding == other.yielding,
      Set(other.workers).isStrictSubset(of: workers)
    else { return nil }
    return workers.filter { !other.workers.contains($0) }.map(\.service)
  }

  /// The query after the page's name in its address.
  var query: String {
    var parts = workers.map { "\($0.service)=\($0.worker)" }
    if let frame { parts.append("frame=\(frame.rawValue)") }
    if ahead != Self.mostAhead { parts.append("ahead=\(ahead)") }
    if let yielding {
      parts.append("yield=\(Turn(yielding.resumes).rawValue)")
      if case .after(let span) = yielding.grain {
        parts.append("every=\(span.nanoseconds / 1_000_000)")
      }
    }
    return parts.joined(separator: "&")
  }

  /// The same as a strategy of a scenario's file with the page's names of services. Other services than those in `services`
  /// stay where they are.
  func strategy(named name: String, of services: [String]) -> String {
    let workers = workers.filter { services.contains($0.service) }
    var lines = ["  - as: \(name)"]
    if !workers.isEmpty {
      let lanes = Set(workers.map(\.worker)).sorted().map { "\($0): {}" }
      lines.append("    lanes: {\(lanes.joined(separator: ", "))}")
    }
    let homes = workers.filter { $0.service != Self.part }.map { "\($0.service): \($0.worker)" }
    if !homes.isEmpty { lines.append("    services: {\(homes.joined(separator: ", "))}") }
    let prepared = workers.first { $0.service == Self.part }
      .map { "{prepare: {lane: \($0.worker), frames: \(ahead)}}" }
    if let rule = prepared ?? frame?.rule(ahead) {
      lines.append("    frame: {\(Self.part): \(rule)}")
    }
    if let yielding {
      lines.append("    yield: {every: \(yielding.grain), resumes: \(yielding.resumes.rawValue)}")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// How a page yields, as in `yield` of its address.
  private enum Turn: String {
    case channel, scheduler

    init(_ resumes: Yielding.Resumption) { self = resumes == .inTurn ? .channel : .scheduler }

    var resumes: Yielding.Resumption { self == .channel ? .inTurn : .first }
  }

  struct Unknown: Error, CustomStringConvertible {
    let what: String
    var description: String { "no page of 'make browser' supports \(what)" }
  }
}

/// A named way to run a page.
struct PageVariant: Equatable {
  let page: String
  let name: String
  let placement: PagePlacement

  /// The recorded variants; learning uses the first one of a page.
  static func all(in project: URL) throws -> [PageVariant] {
    let file = project.appending(components: "benchmarks", "browser", "variants.txt")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map { line in
        let words = line.split(separator: " ").map(String.init)
        return PageVariant(
          page: words[0], name: words[1],
          placement: try PagePlacement(query: words.count > 2 ? words[2] : ""))
      }
  }

  /// By page, in the order of the pages.
  static func byPage(_ variants: [PageVariant]) -> [(page: String, variants: [PageVariant])] {
    var pages: [(page: String, variants: [PageVariant])] = []
    for variant in variants {
      if pages.last?.page != variant.page { pages.append((variant.page, [])) }
      pages[pages.count - 1].variants.append(variant)
    }
    return pages
  }

  /// The name of the variant that follows the advice for a page's first variant.
  static let advised = "advised"
}
