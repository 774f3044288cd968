internal import FrameBudgetAdvice
internal import Foundation
internal import FrameBudget
internal import FrameBudgetLearning
internal import FrameBudgetParsing
internal import FrameBudgetCaptures
internal import FrameBudgetSimulation

/// The output of `make browser` for a folder of recordings: tables in that folder, the advice, and a text for the terminal. Pages
/// without recordings there keep what was published of them.
struct PageResults {
  private let folder: URL
  private let published: URL
  /// All of them, in their order.
  private let pages: [String]
  private let series: [PageSeries]
  private let variants: [PageVariant]

  static let adviceFile = "advice.txt"
  /// The table that says how well the first recording of each variant is replayed.
  static let replaysFile = "replays.md"
  /// As `variants.txt` has those that are there without advice.
  static let advisedFile = "advised.txt"

  init(_ project: URL, _ folder: URL) throws {
    self.folder = folder
    published = project.appending(components: "results", "browser")
    let all = PageVariant.byPage(try PageVariant.all(in: project))
    pages = all.map(\.page)
    let recorded = all.filter { $0.variants.first?.isRecorded(in: folder) ?? false }
    variants = recorded.flatMap(\.variants)
    series = try recorded.map { try PageSeries(folder, $0.page, $0.variants) }
  }

  func write() throws {
    let own = series.flatMap(\.rows)
    let rows = inOrder(
      try PageFile.rows(published.appending(component: PageFile.name)), own, page: \.page)
    try write(PageFile.text(rows), to: PageFile.name)
    print(PageTable(rows).markdown)
    print(PageWorkersTable(rows).markdown)
    var (words, advised) = ("", "")
    for series in series {
      guard let advice = series.advice else { continue }
      let text = advice.words.joined(separator: "; ")
      words += "\(series.page): \(text)\n"
      if let placement = advice.placement {
        advised += "\(series.page) \(PageVariant.advised) \(placement.query)\n"
      } else {
        print("advice for \(series.page): \(text.isEmpty ? "" : "\(text); ")\(advice.reason)")
      }
    }
    words = inOrder(
      try publishedLines(Self.adviceFile), Self.lines(words), page: { $0.prefix { $0 != ":" } }
    ).joined()
    try write(words, to: Self.adviceFile)
    let replays = Self.lines(
      try RecordingTable.markdown(folder, of: variants.map(\.firstRecording)))
    let earlier = try publishedLines(Self.replaysFile)
    let replayed = inOrder(
      earlier.dropFirst(2), replays.dropFirst(2), page: { $0.dropFirst(2).prefix { $0 != "," } })
    guard earlier.prefix(2) == replays.prefix(2) || replayed.count == replays.count - 2 else {
      throw OtherColumns(file: Self.replaysFile)
    }
    try write((replays.prefix(2) + replayed).joined(), to: Self.replaysFile)
    try write(advised, to: Self.advisedFile)
    print(PageAdviceTable(rows, words: Self.words(words)).markdown)
  }

  /// `own`, and what was published of pages without recordings, in the order of pages.
  private func inOrder<Row, Rows: Sequence<Row>, Page: StringProtocol>(
    _ published: Rows, _ own: Rows, page: (Row) -> Page
  ) -> [Row] {
    let recorded = Set(series.map(\.page))
    let rows = published.filter { !recorded.contains(String(page($0))) } + own
    return pages.flatMap { name in rows.filter { page($0) == name } }
  }

  private func publishedLines(_ name: String) throws -> ArraySlice<String> {
    let file = published.appending(component: name)
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    return Self.lines(try String(contentsOf: file, encoding: .utf8))
  }

  /// With their line feeds.
  private static func lines(_ text: String) -> ArraySlice<String> {
    text.split(separator: "\n").map { "\($0)\n" }[...]
  }

  /// By page, the advice.
  private static func words(_ text: String) -> [String: String] {
    let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let words = line[line.index(after: colon)...].drop { $0 == " " }
      return (String(line[..<colon]), String(words))
    }
    return Dictionary(pairs, uniquingKeysWith: { $1 })
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appending(component: name), options: .atomic)
  }

  /// The tables of what was published, by their markers; empty where nothing was.
  static func published(in folder: URL) throws -> [String: String] {
    let rows = try PageFile.rows(folder.appending(component: PageFile.name))
    let file = folder.appending(component: adviceFile)
    let words = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return [
      PageTable.marker: PageTable(rows).markdown,
      PageTable.workersMarker: PageWorkersTable(rows).markdown,
      PageTable.adviceMarker: PageAdviceTable(rows, words: Self.words(words)).markdown,
    ]
  }
}

extension PageResults {
  /// What was published of pages that are not recorded is in a table with other columns.
  struct OtherColumns: Error, CustomStringConvertible {
    let file: String
    var description: String { "\(file) was published with other columns: record all pages" }
  }
}

extension PageVariant {
  fileprivate func isRecorded(in folder: URL) -> Bool {
    let file = folder.appending(component: firstRecording.file)
    return FileManager.default.fileExists(atPath: file.path)
  }

  fileprivate var firstRecording: RecordingTable.Entry {
    RecordingTable.Entry(file: "\(page)-\(name)-1.json.gz", title: "\(page), \(name)")
  }
}
