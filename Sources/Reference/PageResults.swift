internal import Foundation

/// What `make browser` leaves of a folder of recordings: tables in that folder, what is advised, and what there is to
/// read on a terminal.
struct PageResults {
  private let folder: URL
  private let series: PageSeries

  static let adviceFile = "advice.txt"
  /// As `variants.txt` has those that are there without advice.
  static let advisedFile = "advised.txt"

  init(_ project: URL, _ folder: URL) throws {
    self.folder = folder
    series = try PageSeries(folder, PageVariant.all(in: project))
  }

  func write() throws {
    try write(PageFile.text(series.rows), to: PageFile.name)
    print(PageTable(series.rows).markdown)
    guard let advice = series.advice else { return }
    let words = advice.words.joined(separator: "; ")
    try write(words + "\n", to: Self.adviceFile)
    guard let placement = advice.placement else {
      try? FileManager.default.removeItem(at: folder.appending(component: Self.advisedFile))
      print("advice: \(words.isEmpty ? "" : "\(words); ")\(advice.reason)")
      return
    }
    try write("\(PageVariant.advised) \(placement.query)\n", to: Self.advisedFile)
    print(PageAdviceTable(series.rows, words: words)?.markdown ?? "advice: \(words)")
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appending(component: name), options: .atomic)
  }

  /// The tables of what was published, for the pages on learning and on advice; empty where nothing was.
  static func published(in results: URL) throws -> (variants: String, advised: String) {
    let folder = results.appending(component: "browser")
    let rows = try PageFile.rows(folder.appending(component: PageFile.name))
    let file = folder.appending(component: adviceFile)
    let words = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let table = PageAdviceTable(rows, words: words.split(separator: "\n").joined())
    return (PageTable(rows).markdown, table?.markdown ?? "")
  }
}
