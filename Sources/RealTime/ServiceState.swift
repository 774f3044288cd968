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
  private var publication: Publication
  var memory: WorkMemory

  /// `isPublished` is whether there is a snapshot of it as it is.
  init(records count: Int, memory bytes: Int, isPublished: Bool = false) {
    records = (0..<count).map(Record.init)
    publication = Publication(isPublished: isPublished)
    memory = WorkMemory(bytes: bytes)
  }

  /// How many changes there were.
  var version: Int { publication.version }

  /// A snapshot of the present state.
  var snapshot: Snapshot { Snapshot(records: records, version: version) }

  /// Changes the record of `item` and returns how long copying took, if a snapshot shared the state.
  mutating func change(for item: Int, clock: RunClock) -> TimeSpan {
    let copies = publication.copies()
    publication.change()
    guard !records.isEmpty else { return .zero }
    let began = copies ? clock.now : .zero
    records[item % records.count].revision += 1
    return copies ? clock.now - began : .zero
  }

  /// The snapshot to be published in the frame that began at `vsync`; nil if `rule` allows none or all is published.
  mutating func publish(_ rule: Reading.PublishRule?, in vsync: Int) -> Snapshot? {
    publication.publishes(rule, in: vsync) ? snapshot : nil
  }
}
