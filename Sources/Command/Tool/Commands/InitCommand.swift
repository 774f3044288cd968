internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetScenarios

/// Writes a scenario file to start from.
struct InitCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a scenario file to start from.",
    discussion: """
      The file has comments. It describes three services, a burst of items, a tap with a time limit for its answer, and the \
      screen. With --from it is a copy of a shipped scenario. Existing files are never overwritten.

      EXAMPLES:
        framebudget init
        framebudget init gallery && framebudget run gallery.yaml --engine virtual
        framebudget init mine --from tap-behind-files
      """)

  @Argument(
    help: "The name of the scenario, whose file is NAME.yaml; or a path.", completion: .file())
  var name = "my-app"

  @Option(
    help: ArgumentHelp("Copy this shipped scenario.", valueName: "scenario"), completion: .shipped)
  var from: String?

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let path = name.hasSuffix(".yaml") ? name : "\(name).yaml"
    let title = String((path.split(separator: "/").last ?? "").dropLast(".yaml".count))
    try NewFile.write(try text(title), to: path, on: console)
    try console.print(
      """
      \(path) is yours to change. Next:
        framebudget check \(path)
        framebudget run \(path) --engine virtual

      """)
    return .success
  }

  private func text(_ title: String) throws(ToolError) -> String {
    let (text, original) = try self.original()
    let renaming = Override(path: "scenario", value: title, flag: "init \(name)")
    _ = try ToolError.reading { () throws(ScenarioError) in
      try ScenarioFile.parse(Array(text.utf8), file: original, overrides: [renaming])
    }
    return from == nil
      ? StarterScenario.text(name: title)
      : text.replacing("scenario: \(original)\n", with: "scenario: \(title)\n", maxReplacements: 1)
  }

  /// The original text and the name of its scenario.
  private func original() throws(ToolError) -> (text: String, name: String) {
    guard let from else { return (StarterScenario.text(name: "my-app"), "my-app") }
    guard let shipped = ShippedScenarios.scenario(from) else {
      let remedy = Spelling.suggestion(for: from, among: ShippedScenarios.all.map(\.name))
      throw ToolError(.usage, "--from: '\(from)' does not come with the tool\(remedy)")
    }
    return (String(decoding: shipped.bytes, as: UTF8.self), shipped.name)
  }
}

/// The scenario that `init` writes: an app that hangs, and five arrangements of it.
enum StarterScenario {
  static func text(name: String) -> String {
    """
    # The work of your app, and its screen. Replace these values with those of your app, then:
    #   framebudget check \(name).yaml                     all errors of this file, with their positions
    #   framebudget run \(name).yaml --engine virtual      the frames that each arrangement drops, at once
    #   framebudget run \(name).yaml                       the same on this machine's threads and clock
    scenario: \(name)
    about: 300 new photos arrive at once while the user keeps tapping.

    # The screen, and how long one frame takes to draw. 60 Hz leaves 16.7 ms for each frame: here 10 ms of
    # drawing leave 6.7 ms for everything else that runs on the main thread.
    display:
      refresh: 60 Hz
      render: 10 ms               # or {normal: {mean: 8 ms, deviation: 1 ms}}, {uniform: {from: 6 ms, to: 12 ms}}
    duration: 5 s
    machine: {cores: 2}           # of the simulated machine; a run on threads uses this machine

    # The app's objects that hold state. A state needs a size if the UI may read a copy of it.
    services:
      gallery: {}
      thumbnails: {}
      catalogue: {state: 5000 records}

    # The work that arrives, and the steps of each item; `cpu` is processor time.
    workloads:
      - name: import
        item: photo                             # the name of an item in sentences
        arrival: {once: 300, start: 1 s}        # or {batch: 20, every: 500 ms}, {rate: 30/s}, {at: [1 s, 2 s]}
        steps:
          - {name: read,   service: gallery,    cpu: 0.4 ms}
          - {name: resize, service: thumbnails, cpu: 1.4 ms}
          - {name: insert, service: catalogue,  cpu: 0.8 ms}
        result: {cpu: 10 us}                    # on the main thread, for each photo that is done: its row in the list
      - name: tap
        arrival: {every: 500 ms, start: 250 ms}
        priority: user                          # may overtake background work if the arrangement allows it
        steps:
          - {service: catalogue, cpu: 0.2 ms}
        respond_within: 100 ms                  # a response that is shown later counts as late

    # The state that the UI reads in every frame.
    ui:
      reads:
        - {service: catalogue, cpu: 20 us}

    # The arrangements to compare; `framebudget list strategies` shows them all. Your own arrangement needs a name and
    # the place of each service:
    #   - as: thumbnails-apart
    #     lanes: {background: {carrier: scheduler}}
    #     services: {thumbnails: background}
    strategies:
      - main-thread
      - time-sliced
      - threads-and-locks
      - schedulable-priorities
      - actors

    # The expected results; a run fails if it misses one. The virtual engine gives the same numbers everywhere.
    expect:
      virtual:
        schedulable-priorities: {dropped_frames: {max: 0}, responses_late: {max: 0}, items_pending: {max: 0}}

    """
  }
}
