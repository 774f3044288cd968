internal import FrameBudgetCaptures

/// Decides which slices are services, and the role of all others.
struct ServiceChoice: Sendable {
  /// The role of a slice.
  enum Role: Hashable, Sendable {
    /// Part of the service at this index of `names`.
    case service(Int)
    /// Work of the workload with this name, on the main thread.
    case workload(String)
    case render
    /// The role of the enclosing slice.
    case none
  }

  /// The names of the services: first those that rules name, then those with the most time, then those of the lanes.
  private(set) var names: [String] = []
  /// The indices of services that are the platform's own work: all their slices have names of the platform, and no rule
  /// names them.
  private(set) var platforms: Set<Int> = []
  /// The names of the lanes: the other threads that have items.
  private(set) var lanes: [String] = []
  /// The lane index of each service that belongs to a lane. These services come last in `names`.
  private(set) var homes: [Int: Int] = [:]
  /// The services that stand for a lane's time outside of services.
  private(set) var laneRemainders: Set<Int> = []
  /// The role of each slice name, in the order of `Recording.names`.
  private var roles: [Role]
  /// For each slice name: whether it is the platform's for work of its own, and no rule says otherwise. Time of such a slice
  /// in a frame is never a part of drawing, whatever encloses it.
  private let isPlatformWork: [Bool]
  /// The share of the relevant time in slices with a specific name, from 0 to 1.
  let namedShare: Double

  /// The largest number of services that are chosen automatically; those that rules name count too.
  static let maxServices = 12
  /// Services are chosen until they explain this share of the relevant time, unless the app has named them itself.
  private static let enough = 0.9
  /// A service must have at least this share of the relevant time.
  static let minShare = 0.01

  /// The services of `slices`, the slices of a thread. The relevant time is that in `windows`, the intervals in which frames
  /// were late, in order; all time if there are none.
  init(
    _ recording: Recording, _ slices: [RecordedSlice], _ tasks: [RecordedTask],
    windows: [Range<Int64>], rules: [NameRule]
  ) {
    let fitting = recording.names.map { name in rules.first { $0.matches(name) } }
    // Frames are not part of items.
    let given = zip(recording.names, fitting).map { name, rule -> NameRule.Target? in
      let isFrame = recording.format == .framebudget && OwnTrace.isFrame(name)
      return rule?.target ?? (isFrame ? .ignore : nil)
    }
    var roles = [Role](repeating: .none, count: recording.names.count)
    var places: [String: Int] = [:]
    var names: [String] = []
    func serviceIndex(_ name: String) -> Int {
      if let known = places[name] { return known }
      names.append(name)
      places[name] = names.count - 1
      return names.count - 1
    }
    var times = [Int64](repeating: 0, count: recording.names.count)
    var all: Int64 = 0
    for (piece, length) in Self.pieces(of: tasks, in: windows) {
      let name = Int(slices[piece.slice].name)
      all += length
      if !SliceName.isGeneric(recording.names[name]) { times[name] += length }
    }
    namedShare = all == 0 ? 0 : Double(times.reduce(0, +)) / Double(all)
    for (name, target) in given.enumerated() {
      switch target {
      case .service(let service): roles[name] = .service(serviceIndex(SliceName.folded(service)))
      case .workload(let workload): roles[name] = .workload(SliceName.folded(workload))
      case .render: roles[name] = .render
      case .ignore, nil: break
      }
    }
    let free = times.indices.filter { given[$0] == nil && times[$0] > 0 }
    var folded: [String: Int64] = [:]
    for name in free { folded[SliceName.folded(recording.names[name]), default: 0] += times[name] }
    let total = folded.values.reduce(0, +)
    var left = Double(total) * Self.enough
    // Sorted by name if times are equal, so that the same file gives the same services.
    for (name, time) in folded.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      guard names.count < Self.maxServices, left > 0 || recording.format == .framebudget,
        Double(time) >= Self.minShare * Double(total)
      else { break }
      _ = serviceIndex(name)
      left -= Double(time)
    }
    let isPlatforms = Self.platformNames(of: recording)
    var apps: Set<Int> = []
    for (name, rule) in fitting.enumerated() {
      guard let rule, let service = rule.target.service,
        let index = places[SliceName.folded(service)]
      else { continue }
      if !rule.keepsOwner || !isPlatforms[name] { apps.insert(index) }
    }
    for name in recording.names.indices where given[name] == nil {
      guard !SliceName.isGeneric(recording.names[name]),
        let service = places[SliceName.folded(recording.names[name])]
      else { continue }
      roles[name] = .service(service)
      if !isPlatforms[name] { apps.insert(service) }
    }
    platforms = Set(names.indices).subtracting(apps)
    isPlatformWork = recording.names.indices.map {
      isPlatforms[$0] && given[$0] == nil && !AppCalls.contains(recording.names[$0])
    }
    self.names = names
    self.roles = roles
  }

  /// By slice name: whether it is the platform's, or that of a phase in a trace of ours.
  private static func platformNames(of recording: Recording) -> [Bool] {
    let platform = PlatformRules(recording.format)
    let isOwn = recording.format == .framebudget
    return recording.names.map {
      (isOwn ? OwnTrace.isPhase($0) : platform.names($0)) && !recording.ownNames.contains($0)
    }
  }

  /// The role of the slice itself, without regard to the enclosing ones.
  func role(of slice: RecordedSlice) -> Role { roles[Int(slice.name)] }

  /// The service that is the part of drawing which time of the slice in a frame belongs to; nil for the rest of drawing.
  /// `outer` is that of the enclosing slice.
  func part(of slice: RecordedSlice, in outer: Int?) -> Int? {
    if isPlatformWork[Int(slice.name)] { return nil }
    return switch role(of: slice) {
    case .service(let service): platforms.contains(service) ? nil : service
    case .none: outer
    case .workload, .render: nil
    }
  }

  /// Whether slices with the name at this index of `Recording.names` are a service that is not the platform's own.
  func isOfApp(name: Int) -> Bool {
    if case .service(let service) = roles[name] { !platforms.contains(service) } else { false }
  }

  /// The services of the main thread come first.
  var namesOnMain: ArraySlice<String> { names.dropLast(homes.count) }

  /// Whether neither strategies nor advice move the service: it is the platform's own, or on another thread already.
  func stays(_ service: Int) -> Bool { platforms.contains(service) || homes[service] != nil }

  /// Adds a lane for the thread called `thread`, and returns its index.
  mutating func addLane(_ thread: String) -> Int {
    let base = thread.isEmpty ? "thread" : SliceName.folded(thread)
    lanes.append(Self.unused(base, lanes + names.map { "\($0)-thread" } + ["main"]))
    return lanes.count - 1
  }

  /// Adds a service of a lane, and returns its index. Without a name it is the lane's time outside of services.
  mutating func addService(_ name: String?, on lane: Int) -> Int {
    let own = String("\(lanes[lane])-\(name ?? "other")".prefix(Self.longestName))
    names.append(
      Self.unused(name.map { names.contains($0) ? own : $0 } ?? own, names))
    homes[names.count - 1] = lane
    if name == nil { laneRemainders.insert(names.count - 1) }
    return names.count - 1
  }

  /// In characters; leaves room for a number after the name.
  private static let longestName = 60

  /// The name, with a number if it is taken.
  static func unused(_ name: String, _ taken: [String]) -> String {
    guard taken.contains(name) else { return name }
    var number = 2
    while taken.contains("\(name)-\(number)") { number += 1 }
    return "\(name)-\(number)"
  }

  /// The pieces that overlap `windows`, with the length of the overlap.
  private static func pieces(
    of tasks: [RecordedTask], in windows: [Range<Int64>]
  ) -> [(RecordedTask.Piece, Int64)] {
    var found: [(RecordedTask.Piece, Int64)] = []
    var next = 0
    for piece in tasks.lazy.flatMap(\.pieces) {
      guard !windows.isEmpty else {
        found.append((piece, piece.length))
        continue
      }
      while next < windows.count, windows[next].upperBound <= piece.begin { next += 1 }
      guard next < windows.count else { break }
      let from = max(piece.begin, windows[next].lowerBound)
      let to = min(piece.end, windows[next].upperBound)
      if to > from { found.append((piece, to - from)) }
    }
    return found
  }
}
