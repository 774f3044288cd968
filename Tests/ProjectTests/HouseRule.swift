import Testing

/// A rule of the house that a machine can keep.
struct HouseRule: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The places of a file that break it.
  let violations: @Sendable (SourceFile) -> [String]
  /// Files that break it once each.
  let samples: [String]

  static let all = [
    HouseRule(
      testDescription: "no file is longer than 500 lines",
      violations: { $0.lines.count > 500 ? ["\($0.path): \($0.lines.count) lines"] : [] },
      samples: [String(repeating: "\n", count: 500)]),
    HouseRule(
      testDescription: "no body of a function or a variable is longer than 70 lines",
      violations: Self.longBodies,
      samples: ["func long()", "private(set) static var long: Int"].map(Self.body)),
    HouseRule(
      testDescription: "no throwing call is forced",
      violations: { $0.lines(matching: [#"\btry!"#]) },
      samples: ["let text = try! read()"]),
    HouseRule(
      testDescription: "no cast is forced",
      violations: { $0.lines(matching: [#"\bas!"#]) },
      samples: ["let text = value as! String"]),
    HouseRule(
      testDescription: "nothing is left to do",
      violations: { $0.lines(matching: [#"\b(TO"# + #"DO|FIX"# + #"ME)\b"#], raw: true) },
      samples: ["// TO" + "DO: later"]),
    HouseRule(
      testDescription: "locks are those that the thread sanitizer knows",
      violations: { $0.lines(matching: [#"\bMutex[<(]"#]) },
      samples: ["let state = Mutex(0)"]),
    HouseRule(
      testDescription: "nothing formats by a locale, whose data the installed program lacks",
      violations: { file in
        file.path.hasPrefix("Tests/")
          ? [] : file.lines(matching: [#"Formatter\(\)"#, #"\.formatted\("#, #"FormatStyle\b"#])
      },
      samples: ["let format = DateFormatter()"]),
    HouseRule(
      testDescription: "what the compiler cannot check is explained where it stands",
      violations: { file in
        file.numbers(matching: [#"@unchecked\b"#, #"nonisolated\(unsafe\)"#])
          .filter { !file.hasComment(above: $0) }.map { "\(file.path):\($0 + 1)" }
      },
      samples: ["struct Box: @unchecked Sendable {}"]),
  ]

  @Sendable private static func longBodies(of file: SourceFile) -> [String] {
    file.functions.filter { $0.length > 70 }.map { "\(file.path):\($0.line): \($0.length) lines" }
  }

  private static func body(of declaration: String) -> String {
    "  \(declaration) {\n" + String(repeating: "    work()\n", count: 69) + "  }\n"
  }
}
