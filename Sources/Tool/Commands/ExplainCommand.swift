internal import Advice
internal import ArgumentParser
internal import FrameBudget
internal import RealTime
internal import Reports

/// Says which parts of an app its dropped frames come from, or which part brought new ones.
struct ExplainCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say which part of an app its dropped frames come from, or its new ones.",
    discussion: """
      With one scenario: dropped frames without each service, each workload and drawing, and with each alone. With two: \
      the parts of the second are put into the first, in every order, and each accounts for what it adds on average \
      (Shapley values). The shares of services, drawing, arrivals, arrangement and settings add up to the difference; of \
      more than eight parts that differ, orders are drawn, and an interval says how sure that is.

      Both are run in virtual time under their first strategy, or that of --strategy.

      EXAMPLES:
        framebudget explain camera-upload
        framebudget explain before.yaml after.yaml
        framebudget explain before.yaml after.yaml --format csv -o shares.csv
      """)

  @Argument(help: .scenario)
  var scenario: String

  @Argument(help: "A later version of it, to say what brought the difference.")
  var after: String?

  @OptionGroup var subject: ScenarioOptions

  @Option(parsing: .unconditional, help: .jobs, transform: WholeNumber.jobs)
  var jobs: Int?

  @OptionGroup var output: OutputOptions<OutputFormat>

  @OptionGroup var target: FileOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let first = try AdvisedSubject(scenario, subject, on: console)
    let second = try after.map { path throws(ToolError) in
      try AdvisedSubject(path, subject, on: console)
    }
    var place = try target.open(on: console, quiet: output.quiet)
    Interruption.install()
    let bar = output.quiet ? nil : RunCountBar(on: console)
    let maker = ConcurrentRuns(jobs: jobs, showing: bar)
    let account =
      if let second {
        Explanation(
          before: first.scenario, under: first.today, after: second.scenario, under: second.today,
          costs: first.costs, maker: maker
        ).map { ExplainedDrops($0, first, second) }
      } else {
        Inventory(of: first.scenario, under: first.today, costs: first.costs, maker: maker)
          .map { ExplainedDrops($0, first) }
      }
    bar?.wipe()
    guard let account else { return .interrupted(by: Interruption.signal ?? 2) }
    switch output.format {
    case .table:
      try place.write(account.text(width: place.width, isColored: place.isColored(output.color)))
    case .csv: try place.write(account.table.csv)
    case .json: try place.write(account.table.json)
    }
    return .success
  }
}
