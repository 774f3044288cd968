/// What was asked for on the command line.
struct CommandOptions {
  enum Format: String, CaseIterable { case table, json, markdown, junit, github }

  private(set) var packagePath = "."
  private(set) var scratch: String?
  private(set) var output: String?
  private(set) var baseline: String?
  private(set) var updatesBaseline = false
  private(set) var filters: [String] = []
  private(set) var format = Format.table
  /// For `swift test`.
  private(set) var testArguments: [String] = []
  private(set) var wantsHelp = false

  init(_ arguments: [String]) throws(CommandError) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" {
        testArguments = Array(rest)
        break
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      try read(String(parts[0]), given: parts.count == 2 ? String(parts[1]) : nil, &rest)
    }
    if updatesBaseline && baseline == nil {
      throw CommandError(.usage, "--update-baseline needs --baseline DIR, the folder to write to")
    }
  }

  private mutating func read(
    _ name: String, given: String?, _ rest: inout ArraySlice<String>
  ) throws(CommandError) {
    func value() throws(CommandError) -> String {
      guard let value = given ?? rest.popFirst(), !value.isEmpty else {
        throw CommandError(.usage, "\(name) needs a value; --help says which")
      }
      return value
    }
    switch name {
    case "--package-path": packagePath = try value()
    case "--scratch-path": scratch = try value()
    case "-o", "--output": output = try value()
    case "--baseline": baseline = try value()
    case "--filter": filters.append(try value())
    case "--format": format = try Self.format(try value())
    case "--update-baseline" where given == nil: updatesBaseline = true
    case "-h" where given == nil, "--help" where given == nil: wantsHelp = true
    default:
      throw CommandError(
        .usage,
        "'\(name)' is not an option; --help says what is allowed, and -- hands on to swift test")
    }
  }

  private static func format(_ word: String) throws(CommandError) -> Format {
    guard let format = Format(rawValue: word) else {
      let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandError(.usage, "'\(word)' is not a format; allowed: \(names)")
    }
    return format
  }

  /// Where tests are built, and results put unless `-o` says otherwise.
  var workFolder: String { scratch ?? "\(packagePath)/.build/frame-budget" }

  static let help = """
    Runs the tests of a package that measure frames, in release mode, and says what they come to.

    USAGE: swift package frame-budget [OPTIONS] [-- ARGUMENTS OF swift test]
           swift run frame-budget [OPTIONS] [-- ARGUMENTS OF swift test]

    Tests with the tag frameBudget are run; where there is none, those of all test targets that depend on
    FrameBudgetTesting. Results are in .build/frame-budget/results: summary.csv, workloads.csv, frames.csv, run.json,
    trace.json, the page frames.html, and for each measurement its scenario.

      --filter REGEX       run these tests instead, as swift test does; may stand several times
      --baseline DIR       compare what closures took with the baselines there, a file for each test
      --update-baseline    write them instead
      --format FORMAT      table (unless said otherwise), json, markdown, junit, github
      -o, --output DIR     put the results there; must not exist yet, or be empty
      --package-path DIR   the package; the working directory unless said otherwise
      --scratch-path DIR   where to build; .build/frame-budget unless said otherwise

    Exit status 0: all is met, nothing became slower. 1: a limit is missed, a closure became slower, or a test failed.
    2: something is unsure, too noisy to say. 64: wrong usage. 65, 66: bad or missing input. 73, 74: results cannot be
    written. 'swift package' itself ends with 1 for all but 0; 'swift run frame-budget' ends with these.

    """
}
