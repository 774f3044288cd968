internal import FrameBudget

/// A record of a service's state, of the shape that a photo or a file has in an app: a few numbers, and strings
/// too long to be stored inline, so that copying one counts a reference up for each.
struct Record: Codable, Sendable {
  let id: Int
  let name: String
  let album: String
  let path: String
  let checksum: String
  var revision: Int

  init(id: Int) {
    self.id = id
    name = "a photo of a long summer, number \(id)"
    album = "the album of month \(id / 100)"
    path = "/photos/of/a/long/summer/\(id).jpeg"
    checksum = "checksum-\(UInt64(bitPattern: Int64(id)) &* 0x9e37_79b9_7f4a_7c15)"
    revision = 0
  }
}

/// An immutable copy of a service's state; cheap to make, the next change pays for it.
struct Snapshot: Sendable {
  let records: [Record]
  /// How many changes it contains.
  let version: Int
}

/// What only the thread inside a service may touch.
struct ServiceState: Sendable {
  private var records: [Record]
  private(set) var version = 0
  var memory: WorkMemory
  /// Whether there are changes that no snapshot has.
  private(set) var isUnpublished = false
  /// Whether a snapshot shares the records, so that the next change copies them.
  private var isShared = false
  private var publishedIn: Int?

  init(records count: Int, memory bytes: Int) {
    records = (0..<count).map(Record.init)
    memory = WorkMemory(bytes: bytes)
  }

  /// Changes the record of `item` and returns how long copying took, if a snapshot shared the state.
  mutating func change(for item: Int, clock: RunClock) -> TimeSpan {
    version += 1
    isUnpublished = true
    guard !records.isEmpty else { return .zero }
    guard isShared else {
      records[item % records.count].revision += 1
      return .zero
    }
    let began = clock.now
    records[item % records.count].revision += 1
    isShared = false
    return clock.now - began
  }

  /// Whether nothing was published yet in the frame that began at `vsync`.
  func mayPublish(in vsync: Int) -> Bool { isUnpublished && publishedIn != vsync }

  /// A snapshot of the present state, to be published in the frame that began at `vsync`.
  mutating func publish(in vsync: Int) -> Snapshot {
    isUnpublished = false
    isShared = true
    publishedIn = vsync
    return Snapshot(records: records, version: version)
  }
}
