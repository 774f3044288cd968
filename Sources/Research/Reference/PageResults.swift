internal import FrameBudgetAdvice
internal import Foundation
internal import FrameBudget
internal import FrameBudgetLearning
internal import FrameBudgetParsing
internal import FrameBudgetCaptures
internal import FrameBudgetSimulation

/// The output of `make browser` for a folder of recordings: tables in that folder, the advice, and a text for the terminal.
struct PageResults {
  private let folder: URL
  private let series: [PageSeries]
  private let variants: [PageVariant]

  static let adviceFile = "advice.txt"
  /// The table that says how well the first recording of each variant is replayed.
  static let replaysFile = "replays.md"
  /// As `variants.txt` has those that are there without advice.
  static let advisedFile = "advised.txt"

  init(_ project: URL, _ folder: URL) throws {
    self.folder = folder
    variants = try PageVariant.all(in: project)
    series = try PageVariant.byPage(variants).map {
      try PageSeries(folder, $0.page, $0.variants)
    }
  }

  func write() throws {
    let rows = series.flatMap(\.rows)
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
    try write(words, to: Self.adviceFile)
    try write(
      RecordingTable.markdown(folder, of: variants.map(\.firstRecording)), to: Self.replaysFile)
    try write(advised, to: Self.advisedFile)
    print(PageAdviceTable(rows, words: Self.words(words)).markdown)
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

extension PageVariant {
  fileprivate var firstRecording: RecordingTable.Entry {
    RecordingTable.Entry(file: "\(page)-\(name)-1.json.gz", title: "\(page), \(name)")
  }
}
