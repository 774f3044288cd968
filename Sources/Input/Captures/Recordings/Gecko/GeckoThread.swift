internal import FrameBudget
internal import FrameBudgetParsing

/// A thread in a profile of Firefox, with its markers.
struct GeckoThread {
  private(set) var name = ""
  private(set) var process = RecordedProcess(number: 0, name: "")
  private(set) var number = 0
  /// The markers that have a begin and an end.
  private(set) var intervals: [GeckoMarker] = []
  /// The vsyncs that it heard of.
  private(set) var vsyncs: [Int64] = []
  /// When the thread or its process has ended, in nanoseconds since the begin of the process; nil if it has not.
  private var ended: Int64?
  /// The number of tasks whose begin or end the profile lacks.
  private(set) var cutTasks = 0
  /// By the number in markers: that in the profile's names; empty if all threads share one table.
  private var strings: [Int32] = []
  /// The markers as they are in the file.
  private var markers: [GeckoMarker] = []

  private static let keys = JSONKeys([
    "name", "processName", "pid", "tid", "markers", "stringTable", "stringArray",
    "unregisterTime", "processShutdownTime",
  ])

  init(_ reader: inout JSONReader, _ names: inout InternedNames) throws(InputError) {
    try reader.beginObject()
    while let key = try reader.nextMember(of: Self.keys) {
      switch (key, try reader.kind()) {
      case (0, .string): name = try reader.string()
      case (1, .string): process.name = try reader.string()
      case (2, _): process.number = try Self.number(&reader, &names)
      case (3, _): number = try Self.number(&reader, &names)
      case (4, .object): try readMarkers(&reader, &names)
      case (5, .array), (6, .array): strings = try Self.strings(&reader, &names)
      case (7, .number), (8, .number):
        let time = try reader.fixedPoint(places: 6).value(in: GeckoMarker.instants)
        ended = [ended, time].compactMap(\.self).min()
      default: try reader.skip()
      }
    }
  }

  /// A process's or thread's number. Another text, such as `2.1` of a second process 2, has one of its own above all others.
  private static func number(
    _ reader: inout JSONReader, _ names: inout InternedNames
  ) throws(InputError) -> Int {
    let most = Int(Int32.max)
    let text = try reader.kind() == .string ? reader.string() : nil
    guard let text else {
      return Int(try reader.fixedPoint(places: 0).value(in: 0...Int64(most)) ?? 0)
    }
    if let number = InputNumber.whole(text, in: 0...most) { return number }
    return most + 1 + names.intern(text)
  }

  /// The numbers in `names` of the strings in an array.
  static func strings(
    _ reader: inout JSONReader, _ names: inout InternedNames
  ) throws(InputError) -> [Int32] {
    var strings: [Int32] = []
    try reader.beginArray()
    while try reader.nextElement() {
      strings.append(Int32(try reader.string(in: &names)))
      if let excess = RecordingLimits.excess(kept: strings.count, names: names.size) {
        throw reader.failure(excess)
      }
    }
    return strings
  }

  // MARK: Markers

  private static let tables = JSONKeys(GeckoMarker.Field.allCases.map(\.rawValue) + ["schema"])

  /// Reads rows, which Gecko writes under `data`, or columns, which the processed format has.
  private mutating func readMarkers(
    _ reader: inout JSONReader, _ names: inout InternedNames
  ) throws(InputError) {
    var columns: [GeckoMarker.Field?] = [.name, .startTime, .endTime, .phase, nil, .data]
    var isRows = false
    try reader.beginObject()
    while let key = try reader.nextMember(of: Self.tables) {
      switch (key, try reader.kind()) {
      case (GeckoMarker.Field.allCases.count, .object):
        isRows = true
        columns = try Self.columns(&reader)
      case (_, .array) where isRows: try readRows(&reader, columns, &names)
      case (_, .array): try readColumn(GeckoMarker.Field.allCases[key], &reader, &names)
      default: try reader.skip()
      }
    }
  }

  /// The fields in a row, by their places.
  private static func columns(
    _ reader: inout JSONReader
  ) throws(InputError) -> [GeckoMarker.Field?] {
    var columns = [GeckoMarker.Field?](repeating: nil, count: 16)
    try reader.beginObject()
    while let key = try reader.nextMember(of: tables) {
      let place = try reader.fixedPoint(places: 0).value(in: 0...Int64(columns.count - 1))
      guard let place, key < GeckoMarker.Field.allCases.count else { continue }
      columns[Int(place)] = GeckoMarker.Field.allCases[key]
    }
    return columns
  }

  private mutating func readRows(
    _ reader: inout JSONReader, _ columns: [GeckoMarker.Field?], _ names: inout InternedNames
  ) throws(InputError) {
    try reader.beginArray()
    while try reader.nextElement() {
      var marker = GeckoMarker()
      var place = 0
      try reader.beginArray()
      while try reader.nextElement() {
        if place < columns.count, let field = columns[place] {
          try marker.read(field, &reader, &names)
        } else {
          try reader.skip()
        }
        place += 1
      }
      try add(marker, reader, names)
    }
  }

  private mutating func readColumn(
    _ field: GeckoMarker.Field, _ reader: inout JSONReader, _ names: inout InternedNames
  ) throws(InputError) {
    var place = 0
    try reader.beginArray()
    while try reader.nextElement() {
      if place == markers.count { try add(GeckoMarker(), reader, names) }
      try markers[place].read(field, &reader, &names)
      place += 1
    }
  }

  private mutating func add(
    _ marker: GeckoMarker, _ reader: borrowing JSONReader, _ names: InternedNames
  ) throws(InputError) {
    markers.append(marker)
    if let excess = RecordingLimits.excess(kept: markers.count, names: names.size) {
      throw reader.failure(excess)
    }
  }

  // MARK: Intervals

  /// Whether the strings are those that all threads share.
  var needsStrings: Bool { strings.isEmpty && !markers.isEmpty }

  /// Joins the markers of begins with those of ends, and moves all by `offset` nanoseconds. `end` is that of the profile. A thread
  /// may have ended before; if neither is known, its last marker is its end.
  mutating func join(by offset: Int64, until end: Int64?, shared: [Int32]) {
    let strings = strings.isEmpty ? shared : strings
    var open: [Int32: [GeckoMarker]] = [:]
    var last = [end, ended.map { $0 + offset }].compactMap(\.self).min() ?? .min
    for var marker in markers where strings.indices.contains(Int(marker.name)) {
      marker.name = strings[Int(marker.name)]
      marker.begin += offset
      marker.end += offset
      last = max(last, marker.begin, marker.end)
      switch marker.phase {
      case .instant: if marker.meaning == .vsync { vsyncs.append(marker.begin) }
      case .interval: add(marker)
      case .begin: open[marker.name, default: []].append(marker)
      case .end:
        guard var begun = open[marker.name]?.popLast() else {
          if marker.isTask, open[marker.name] == nil { cutTasks += 1 }
          open[marker.name] = []
          continue
        }
        begun.end = marker.end
        begun.cpu = marker.cpu ?? begun.cpu
        add(begun)
      }
    }
    markers = []
    // In an order that does not depend on that of the dictionary.
    close(
      open.values.joined().sorted { ($0.begin, $0.name) < ($1.begin, $1.name) }, at: last)
  }

  /// Lets a task that has not ended, and what has begun in it, last until `end`. If the thread has begun another one of that name
  /// since, the end was lost, and it is left out.
  private mutating func close(_ open: [GeckoMarker], at end: Int64) {
    guard !open.isEmpty else { return }
    var newest = NewestBegins()
    for interval in intervals { newest.note(interval.name, interval.begin) }
    // A thread is not awake within being awake.
    for marker in open where marker.meaning == .awake { newest.note(marker.name, marker.begin) }
    var isInTask = false
    for var marker in open {
      let isLast = newest[marker.name] <= marker.begin
      isInTask = isInTask || marker.isTask && isLast
      if marker.isTask, !isLast { cutTasks += 1 }
      guard isInTask, isLast else { continue }
      marker.end = end
      add(marker)
    }
  }

  private mutating func add(_ interval: GeckoMarker) {
    if InputTime.spans.contains(interval.end - interval.begin) { intervals.append(interval) }
  }

  /// When it was busy: its tasks, joined.
  var busy: [Range<Int64>] { intervals.filter(\.isTask).map { $0.begin..<$0.end }.joined }

  /// The intervals within its tasks. It did not run all through others, such as a download.
  var slices: [GeckoMarker] {
    let busy = busy
    return intervals.compactMap { interval in
      let next = busy.partitioningIndex { $0.lowerBound > interval.begin }
      guard interval.meaning != .timing, next > 0,
        interval.end <= busy[next - 1].upperBound + SliceNester.rounding.nanoseconds
      else { return nil }
      var slice = interval
      if interval.isTask, interval.meaning != .tick {
        slice.name = GeckoMarker.Meaning.task.rawValue
      }
      return slice
    }
  }
}
