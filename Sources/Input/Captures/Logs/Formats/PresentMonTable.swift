import FrameBudget
import FrameBudgetParsing

/// PresentMon's CSV, versions 1, 2 and current (GameTechDev/PresentMon, `README-ConsoleApplication.md`), and that of OCAT
/// (GPUOpen-Tools/ocat), which adds columns about the machine that only the first row fills.
///
/// Version 1 marks a present that was replaced before it was shown by `Dropped` = 1; later versions write `NA` as its display
/// time. `MsBetweenDisplayChange` is the time since the previous image; for the first one that is before the recording, so it
/// is skipped. `DisplayedTime` is the time until the next image. Either way each image has one interval, and an image of 0 ms
/// was never on the screen.
struct PresentMonTable: LogTable {
  // Separate from the tallies, so that a row is counted in its tally without a copy.
  private let columns: Columns
  private let refresh: RefreshRate?
  private var streams = StreamTable()

  init?(_ header: LogHeader, refresh: RefreshRate?) {
    guard let columns = Columns(header) else { return nil }
    self.columns = columns
    self.refresh = refresh
  }

  mutating func row(
    _ fields: CSVFields, _ line: Span<UInt8>, number: Int
  ) throws(InputError) {
    try fields.require(columns.width)
    let stream = try streams.index(
      of: columns.key, in: fields, line, refresh: refresh, clock: .screen, key: columns.streamKey)
    try columns.read(fields, line, number, into: &streams.tallies[stream])
  }

  consuming func finish() -> [ImportedFrames] {
    // A log in which nothing was ever shown has no display times; that says nothing about its presents.
    let hasTimes = columns.dropped != nil || streams.tallies.contains { $0.displayChanges > 0 }
    return streams.imported(showsDisplay: columns.display != nil && hasTimes) {
      GameFigures($0).figures
    }
  }

  private struct Columns {
    /// The number of columns that every row has.
    let width: Int
    /// Application, process, swap chain.
    let key: [Int]
    let frameTime: TimeColumn
    let display: TimeColumn?
    /// Whether the column is the time since the previous image, not until the next one.
    let looksBack: Bool
    /// When the present was shown. The first one has this time, but no previous image.
    let latency: TimeColumn?
    let dropped: Int?
    let tearing: Int?
    let instant: TimeColumn?
    let animationError: TimeColumn?

    init?(_ header: LogHeader) {
      guard let process = header.column("application"),
        let identifier = header.column("processid"),
        let swapChain = header.column("swapchainaddress"),
        let frameTime = header.time(("msbetweenpresents", 6), ("frametime", 6))
      else { return nil }
      width = header.column("motherboard") ?? header.names.count
      key = [process, identifier, swapChain]
      self.frameTime = frameTime
      display = header.time(("msbetweendisplaychange", 6), ("displayedtime", 6))
      looksBack = header.column("msbetweendisplaychange") != nil
      latency = header.time(("msuntildisplayed", 6), ("displaylatency", 6)) ?? display
      dropped = header.column("dropped")
      animationError = header.time(("msanimationerror", 6), ("animationerror", 6))
      tearing = header.column("allowstearing")
      // Performance counters count 10 MHz on Windows 10 and later; with `-date_time` it is a date and time.
      instant = header.time(
        ("timeinseconds", 9), ("cpustarttime", 6), ("cpustartqpc", 2), ("timeinqpc", 2),
        ("timeindatetime", 9), ("cpustartdatetime", 9), ("cpustartqpctime", 6), ("timeinms", 6),
        ("timeinqpctime", 6))
    }

    func streamKey(_ fields: CSVFields, _ line: Span<UInt8>) -> StreamKey {
      let texts = key.map { fields.text($0, of: line) }
      return StreamKey(process: "\(texts[0]) \(texts[1])", swapChain: texts[2])
    }

    func read(
      _ fields: CSVFields, _ line: Span<UInt8>, _ number: Int, into tally: inout FrameTally
    ) throws(InputError) {
      tally.issues.row()
      if let instant { try tally.note(instant: fields.instant(instant, of: line)) }
      let time = try fields.time(frameTime, of: line)
      if let span = tally.span(time, frameTime, fields, line, number: number), span > 0 {
        tally.frame(span)
      } else if time == .missing {
        tally.issues.missed()
      }
      if let animationError, let error = try fields.time(animationError, of: line).value,
        InputTime.isWithinFrame(error)
      {
        tally.moved(wrongBy: error)
      }
      guard let display else { return }
      if try isSuperseded(fields, line) {
        tally.supersede()
      } else {
        let shown = try fields.time(display, of: line)
        let interval = tally.span(shown, display, fields, line, number: number)
        // The first image of the log has no previous one.
        let isFirst = looksBack && tally.displayChanges == 0
        tally.shown(after: isFirst ? nil : interval, waitsForVsync: !allowsTearing(fields, line))
      }
    }

    private func allowsTearing(_ fields: CSVFields, _ line: Span<UInt8>) -> Bool {
      guard let tearing else { return false }
      return FixedPoint.parse(line, fields.range(tearing), places: 0) == .value(1)
    }

    private func isSuperseded(
      _ fields: CSVFields, _ line: Span<UInt8>
    ) throws(InputError) -> Bool {
      guard let dropped else {
        guard let latency else { return false }
        return try fields.time(latency, of: line) == .missing
      }
      switch FixedPoint.parse(line, fields.range(dropped), places: 0) {
      case .value(0): return false
      case .value(1): return true
      default:
        throw InputError(
          "'Dropped' is \(InputError.quoted(fields.text(dropped, of: line))); allowed: 0, 1")
      }
    }
  }
}
