internal import Foundation

/// The tests with the tag `frameBudget`.
///
/// Swift Testing tells tags among the records of the tests that it lists, up to 6.3 only where its environment asks for
/// what is experimental; `swift test --filter tag:` is of later versions. Without the tags nothing is tagged.
struct TaggedTests {
  /// Builds the tests with `arguments` and lists them.
  let filters: [String]

  init(building arguments: [String], in folder: String) throws(CommandError) {
    let file = URL(filePath: folder).appending(component: "tests.jsonl")
    try? FileManager.default.removeItem(at: file)
    let swift = SwiftProcess(environment: ["SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED": "1"])
    let list = ["test", "list", "--event-stream-output-path", file.path] + arguments
    guard try swift.run(list) else { throw CommandError(.failed, "the tests do not build") }
    filters = Self.filters(in: (try? Data(contentsOf: file)) ?? Data())
  }

  /// A pattern for each tagged test in records of Swift Testing, one on each line.
  static func filters(in records: Data) -> [String] {
    records.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let record = try? JSONDecoder().decode(Record.self, from: Data(line)),
        let test = record.payload, let id = test.id,
        ((test.tags ?? []) + (test.earlyTags ?? [])).contains(where: isMeant)
      else { return nil }
      return "^" + NSRegularExpression.escapedPattern(for: withoutPlace(id))
    }
  }

  private static func isMeant(_ tag: String) -> Bool {
    tag.split(separator: ".").last == "frameBudget"
  }

  /// Suites have their name alone; functions have where they stand behind it, which is not theirs.
  private static func withoutPlace(_ id: String) -> String {
    guard let slash = id.lastIndex(of: "/"), id[slash...].contains(".swift:") else { return id }
    return String(id[..<slash])
  }

  private struct Record: Decodable {
    let payload: Test?

    struct Test: Decodable {
      let id: String?
      let tags: [String]?
      let earlyTags: [String]?

      enum CodingKeys: String, CodingKey {
        case id, tags
        case earlyTags = "_tags"
      }
    }
  }
}
