internal import ArgumentParser
internal import Reports

/// Validates scenario files.
struct CheckCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Validate scenario files.",
    discussion: """
      Says in one line what each scenario is, names workloads whose nested locks can leave them waiting for each other for \
      ever and a second stage that takes longer than a period, and with --sketch draws who runs where under each of its strategies. Errors go to standard error, each with its line and column; \
      the exit status is that of the first.

      EXAMPLES:
        framebudget check my.yaml
        framebudget check scenarios/*.yaml
        framebudget check - < my.yaml
        framebudget check --sketch my.yaml
        framebudget check scenarios/*.yaml --format json -o checked.json
      """)

  @Argument(help: "Paths, - for standard input, or names of shipped scenarios.")
  var scenarios: [String]

  @Flag(help: "Draw each strategy: threads, locks, and the way that items take.")
  var sketch = false

  @OptionGroup var output: OutputOptions<OutputFormat>

  @OptionGroup var target: FileOptions

  func validate() throws {
    guard !sketch || output.format == .table else {
      throw ValidationError("--sketch draws for people; leave out --format")
    }
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    var place = try target.open(on: console, quiet: output.quiet)
    var checked: [CheckedScenario] = []
    var status = ExitStatus.success
    for argument in scenarios {
      do throws(ToolError) {
        let scenario = try ScenarioSource(argument, on: console).scenario()
        checked.append(CheckedScenario(name: argument, outcome: .success(scenario)))
      } catch {
        if [.cannotWrite, .unread].contains(error.status) { throw error }
        console.complain(error.message)
        if status == .success { status = error.status }
        checked.append(CheckedScenario(name: argument, outcome: .failure(error)))
      }
    }
    switch output.format {
    case .table: try place.write(checked.map { $0.text(sketch: sketch) }.joined())
    case .csv: try place.write(CheckedScenario.table(checked).csv)
    case .json: try place.write(CheckedScenario.table(checked).json)
    }
    return status
  }
}
