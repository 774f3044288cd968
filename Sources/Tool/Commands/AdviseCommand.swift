internal import Advice
internal import ArgumentParser
internal import FrameBudget
internal import RealTime
internal import Reports

/// Looks for the smallest change after which the frames are kept.
struct AdviseCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "advise",
    abstract: "Find the smallest change after which no frame is dropped.",
    discussion: """
      Tries arrangements in virtual time: services on main, on a lane, behind a lock, alone and with those that they share \
      items with; then rules, such as who overtakes or where tasks yield. Where the app is, is the first strategy of the \
      scenario. What is to be reached is --aim, or the scenario's 'expect: {any: ...}', or no dropped frame, no late \
      response, and no more undone than today.

      Of what reaches it the smallest change comes first (a service moved counts 1, a new lane 1, a new lock 2, a rule 1, \
      a call that now goes to another thread 1), then what costs less. Each has what each of its moves buys, how much costs \
      may grow before an aim is missed, and how often the aims are met with other random numbers and moments. With --prove \
      those come first that 'prove' proves, which holds for all moments.

      Exit status 0: there is advice, or nothing to change; 1: nothing reaches the aims; 130: interrupted, the best so far \
      is printed.

      EXAMPLES:
        framebudget advise camera-upload
        framebudget advise my.yaml --aim "dropped_frames<=0,responses_late<=0" --keep catalogue=main
        framebudget advise my.yaml --most-moved 2 -o advice.yaml && framebudget run advice.yaml --engine real
        framebudget advise my.yaml -o advised/ && framebudget report advised -o advice.html
        framebudget advise my.yaml --prove
        framebudget advise my.yaml --within dispatch,schedulable --set costs.all=1.5
      """)

  @Argument(help: .scenario)
  var scenario: String

  @OptionGroup var subject: ScenarioOptions

  @OptionGroup var question: AdviceOptions

  @Option(parsing: .unconditional, help: .jobs, transform: WholeNumber.jobs)
  var jobs: Int?

  @Option(
    name: .output,
    help: ArgumentHelp(
      "Write a scenario there with today's arrangement and those that are advised; to DIR/, what 'report' draws, too.",
      valueName: "file"))
  var file: String?

  @OptionGroup var output: OutputOptions<OutputFormat>

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let subject = try AdvisedSubject(scenario, subject, on: console)
    var request = AdviceRequest(subject.scenario, today: subject.today)
    request.costs = subject.costs
    request = try question.applied(to: request)
    let files = try file.map { path throws(ToolError) in try AdviceFiles(path, on: console) }
    if !output.quiet { console.warn(of: [subject.scenario]) }
    Interruption.install()
    let bar = output.quiet ? nil : RunCountBar(on: console)
    let advice = Adviser(request, maker: ConcurrentRuns(jobs: jobs, showing: bar)).advice()
    bar?.wipe()
    let named = NamedAdvice(advice)
    let written = Result { () throws(ToolError) in
      try files?.write(named, subject, quiet: output.quiet, on: console)
    }
    try console.print(text(named, on: console))
    try written.get()
    if let signal = Interruption.signal {
      console.note("interrupted; this is the best of what was tried until then")
      return .interrupted(by: signal)
    }
    return advice.verdict == .nothingHelps ? .failed : .success
  }

  private func text(_ advice: NamedAdvice, on console: Console) -> String {
    switch output.format {
    case .table:
      AdviceText(advice, width: console.width, isColored: console.isColored(output.color)).text
    case .csv: advice.table.csv
    case .json: advice.table.json
    }
  }
}
