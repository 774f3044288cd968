internal import FrameBudget
public import FrameBudgetParsing

/// Reads recordings of apps from any supported tool; the content determines the format.
///
/// A file is read twice, first for the index and then for the chosen part, in memory that grows only with the chosen process.
/// The content of a pipe is kept, up to 256 MB in its compressed form.
public enum RecordingFile {
  /// The index of the recording at `path`; `-` is standard input. `progress` is called occasionally during reading.
  public static func index(
    path: String, progress: ByteSource.Progress? = nil
  ) throws(InputError) -> RecordingIndex {
    try open(path: path, progress: progress).index
  }

  /// The recording at `path`, of which the index was read; `-` is standard input. `progress` is called occasionally during
  /// reading, then and later.
  public static func open(
    path: String, progress: ByteSource.Progress? = nil
  ) throws(InputError) -> IndexedRecording {
    try IndexedRecording(RecordingInput(path: path, progress: progress))
  }

  /// Reads the part `choosing` of the recording at `path`; `-` is standard input. `progress` is called occasionally during
  /// reading, which happens twice.
  public static func read(
    path: String, choosing: RecordingChoice = RecordingChoice(),
    progress: ByteSource.Progress? = nil
  ) throws(InputError) -> Recording {
    try open(path: path, progress: progress).read(choosing)
  }

  /// The index of the recording in `bytes`.
  public static func index(_ bytes: [UInt8], name: String) throws(InputError) -> RecordingIndex {
    try IndexedRecording(RecordingInput(bytes, name: name)).index
  }

  /// Reads the part `choosing` of the recording in `bytes`.
  public static func read(
    _ bytes: [UInt8], name: String, choosing: RecordingChoice = RecordingChoice()
  ) throws(InputError) -> Recording {
    try IndexedRecording(RecordingInput(bytes, name: name)).read(choosing)
  }

  /// Reads the recordings of several processes of a file one after another, each with the thread that is taken for its UI
  /// thread; of all processes if `processes` is nil. Processes without frames are left out. Each process costs a pass over the
  /// file, so more than `most` are refused.
  package static func forEach(
    of processes: [Int]?, in input: RereadableInput, most: Int,
    _ body: (Recording) throws(InputError) -> Void
  ) throws(InputError) {
    let input = RecordingInput(input)
    let reader = try reader(of: input)
    let found = try reader.index(input)
    let threads = found.index.threads
    let wanted = processes ?? found.index.drawing
    guard wanted.count <= most else { throw InputError("more than \(most) processes") }
    for process in wanted {
      let members = threads.indices.filter { threads[$0].process.number == process }
      guard let chosen = UIThread.choice(of: found.index, among: members)?.first else { continue }
      let gathered = try reader.read(input, process: threads[chosen].process, found)
      guard !gathered.frames.isEmpty else { continue }
      try body(
        gathered.recording(
          uiThread: threads[chosen].number, window: RecordingWindow(RecordingChoice())))
    }
  }

  /// The error on the file at `path` if it is a recording that is not imported, or one that nothing is learned from, for
  /// readers of logs.
  static func isRecording(_ path: String?) -> InputError? {
    guard let path, let input = try? RecordingInput(path: path),
      let reader = try? reader(of: input)
    else { return nil }
    let index: RecordingIndex
    do throws(InputError) {
      index = try reader.index(input).index
    } catch {
      return SystraceRecording.reasons.contains(error) ? error.of(path) : nil
    }
    guard index.choice != nil else { return nil }
    return InputError(
      "is a \(index.format.title) without frames of the screen; 'framebudget learn \(path) -o DIR' makes a scenario of it",
      file: path)
  }

  /// The supported formats, for an error about an unknown file.
  static let known = """
    Chrome trace JSON, Firefox's profiles, Flutter's timeline, Perfetto's protocol buffers, Instruments' xctrace export, \
    sysprof's captures, and ftrace's or systrace's text and HTML, plain, compressed by gzip, or alone in a ZIP archive
    """

  fileprivate static func reader(of input: RecordingInput) throws(InputError) -> any RecordingReader
  {
    var source = try input.open()
    let opening = try source.peek(1 << 12)
    if SysprofCapture.isCapture(opening) { return SysprofRecording() }
    if OwnRecording.isOwn(opening) { return OwnRecording() }
    if XctraceTables.isExport(opening) { return InstrumentsRecording() }
    if GeckoProfile.isProfile(opening) { return GeckoRecording() }
    if JSONReader.isJSON(opening) { return ChromeRecording() }
    if SystraceRecording.isSystrace(opening) { return SystraceRecording() }
    if PerfettoRecording.isPerfetto(opening) { return PerfettoRecording() }
    throw InputError("is not a known recording; supported: \(known)")
  }
}

extension RecordingIndex {
  /// The processes that may have frames; in Firefox, GTK and on Wayland they have counted ones.
  var drawing: [Int] {
    let areCounted = [.firefox, .wayland, .sysprof].contains(format)
    return threads.filter { !areCounted || $0.frames > 0 }.map(\.process.number).distinct()
  }
}

/// A recording whose index was read: reading a part of it reads the file once more, not twice.
public struct IndexedRecording {
  public var index: RecordingIndex { found.index }
  private let input: RecordingInput
  private let reader: any RecordingReader
  private let found: FoundThreads

  /// The error on a log says how to read it.
  init(_ input: RecordingInput) throws(InputError) {
    self.input = input
    do throws(InputError) {
      reader = try RecordingFile.reader(of: input)
      found = try reader.index(input)
    } catch {
      throw (LogFormat.isLog(input.path) ?? error).of(input.name)
    }
  }

  public func read(_ choice: RecordingChoice) throws(InputError) -> Recording {
    do throws(InputError) {
      var input = input
      input.namesFunctions = choice.namesFunctions
      input.namesEvents = choice.namesEvents
      let (thread, _) = try choice.thread(of: found.index)
      let gathered = try reader.read(input, process: found.index.threads[thread].process, found)
      return try gathered.recording(
        uiThread: found.index.threads[thread].number, window: RecordingWindow(choice))
    } catch {
      throw error.of(input.name)
    }
  }
}

/// Reads recordings of one format.
protocol RecordingReader {
  func index(_ input: RecordingInput) throws(InputError) -> FoundThreads
  /// Gathers the data of `process`, one of those in `found`.
  func read(
    _ input: RecordingInput, process: RecordedProcess, _ found: FoundThreads
  ) throws(InputError) -> GatheredRecording
}

/// The result of the first pass.
struct FoundThreads {
  var index: RecordingIndex
  /// The start of the first slice, on the clock of the file.
  var begin: Int64
  /// The process of each thread, in formats with globally unique thread numbers.
  var members: [Int: Int] = [:]

  /// Chooses the UI thread, of the threads with the places `candidates`; nil: of all.
  init(
    _ format: RecordingFormat, _ threads: [RecordingIndex.Thread],
    among candidates: [Int]? = nil, begin: Int64, members: [Int: Int] = [:]
  ) {
    index = RecordingIndex(format: format, threads: threads)
    index.choice = UIThread.choice(of: index, among: candidates)
    (self.begin, self.members) = (begin, members)
  }

  /// The number of slices of each thread of a process.
  func counts(of process: Int) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for thread in index.threads where thread.process.number == process {
      counts[thread.number, default: 0] += thread.slices
    }
    return counts
  }

  /// All threads of a process, including those without slices.
  func threads(of process: Int) -> Set<Int> {
    Set(members.lazy.filter { $0.value == process }.map(\.key))
  }
}

/// The part of a recording's time that is read.
struct RecordingWindow {
  private var from: Int64
  private let to: Int64
  private let hasBegin: Bool

  init(_ choice: RecordingChoice) throws(InputError) {
    from = choice.from?.nanoseconds ?? 0
    hasBegin = choice.from != nil
    to = choice.to?.nanoseconds ?? .max
    guard from < to else {
      throw InputError("the part of the recording ends before it begins")
    }
  }

  /// The same from `instant` on, since the recording's start; nil if another begin was chosen, or if nothing would be left.
  func beginning(at instant: Int64) -> RecordingWindow? {
    guard !hasBegin, 0 < instant, instant < to else { return nil }
    var window = self
    window.from = instant
    return window
  }

  var isAll: Bool { from <= 0 && to == .max }
  /// Since the recording's start, in nanoseconds.
  func contains(_ instant: Int64) -> Bool { from <= instant && instant < to }
  var begin: Int64 { max(0, from) }
  func end(_ length: Int64) -> Int64 { min(to, length) }
}
