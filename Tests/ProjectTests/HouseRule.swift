import Testing

/// A rule of the project that can be checked automatically.
struct HouseRule: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The places in a file that break it.
  let violations: @Sendable (SourceFile) -> [String]
  /// Examples of files that each break it once.
  let samples: [String]

  static let all = [
    HouseRule(
      testDescription: "no file is longer than 900 lines",
      violations: { $0.lines.count > 900 ? ["\($0.path): \($0.lines.count) lines"] : [] },
      samples: [String(repeating: "\n", count: 900)]),
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
      testDescription: "readers of files take numbers from Parsing, which says what they may be",
      violations: { file in
        file.isOfReaders
          ? file.lines(matching: [
            #"\b(guard|if|while)\b.*\blet \w+ = (Double|U?Int\d*)\((?!exactly|bitPattern|truncating)"#,
            #"\blet \w+ = (Double|U?Int\d*)\((?!exactly|bitPattern|truncating)[^()]*\)(,| else| \{)"#,
            #"\.(flatMap|compactMap) \{ ?(Double|U?Int\d*)\(\$0\)"#,
            #"\b(Double|U?Int\d*)\([^()]*\) (\?\?|[!=]= nil)"#,
            #"\b(JSONDecoder|JSONSerialization|strtod|strtol|atoi)\b"#,
          ]) : []
      },
      samples: [
        "guard let number = Double(text) else { return }", "fields.flatMap { Int($0) }",
        "if Int(text) != nil {}", "let decoder = JSONDecoder()",
      ]),
    HouseRule(
      testDescription: "a missing path is Scratch.nowhere, not one that some machine has",
      violations: {
        $0.lines(matching: [#""/(?:nowhere|nonexistent|missing|no-such)\b"#], raw: true)
      },
      samples: [#"open("/no"# + #"where")"#]),
    HouseRule(
      testDescription: "only OutputContext escapes",
      violations: { file in
        file.path.hasPrefix("Tests/") || file.path.hasSuffix("/OutputContext.swift")
          ? [] : file.lines(matching: [#"&(lt|gt|amp|quot);"#, #""\\\\u""#], raw: true)
      },
      samples: [#"let text = text.replacing("<", with: "&lt;")"#]),
    HouseRule(
      testDescription: "only CellList joins and splits the lists in cells",
      violations: { file in
        // Styles and data of the page; the arrangement of an app, which is no cell.
        let others = [
          "/CellList.swift", "/PageStyle.swift", "/Strip.swift", "/AppArrangement.swift",
        ]
        return file.path.hasPrefix("Tests/") || others.contains(where: file.path.hasSuffix)
          ? [] : file.lines(matching: [#"separator: ";""#], raw: true)
      },
      samples: [#"let cell = names.joined(separator: ";")"#]),
    HouseRule(
      testDescription: "a command calls functions, and no other command by arguments",
      violations: { file in
        file.path.hasPrefix("Tests/") || file.path.hasSuffix("/FrameBudgetTool.swift")
          ? []
          : file.lines(matching: [
            #"FrameBudgetTool\.(run|main|parse)"#, #"\bparseAsRoot\("#, #"Command\.parse\("#,
          ])
      },
      samples: [
        #"let status = FrameBudgetTool.run(["advise", path], on: console)"#,
        #"let command = try RunCommand.parse([path])"#,
      ]),
    HouseRule(
      testDescription: "no output is thrown away: only closed streams become /dev/null",
      violations: { file in
        // Benchmarks start other programs, and throw away the messages of these.
        let others = [
          "Tests/", "Sources/Research/Benchmarks/", "Sources/Command/Tool/Streams/Console.swift",
        ]
        return others.contains(where: file.path.hasPrefix)
          ? [] : file.lines(matching: [#""/dev/null""#], raw: true)
      },
      samples: [#"silent.output = open("/dev/null", O_WRONLY)"#]),
    HouseRule(
      testDescription: "code that the compiler cannot check has an explanation",
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

extension SourceFile {
  /// Whether it belongs to the readers of other programs' files, or is a sample.
  fileprivate var isOfReaders: Bool {
    let folders = ["Views/Reports", "Input/Captures", "Questions/Learning", "Command/Tool/Record"]
    return path == "Sample.swift" || folders.contains { path.hasPrefix("Sources/\($0)/") }
  }
}
