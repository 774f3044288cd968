internal import FrameBudget

/// What a run was a run of, whoever measured it.
struct RunSubject: Hashable, Sendable {
  var scenario: String
  /// Strategy with its options.
  var label: String
  var changes: String
  var engine: String

  /// As a trace calls it.
  var name: String {
    [scenario, label, changes, engine].filter { !$0.isEmpty }.joined(separator: " · ")
  }
}

extension ResultRow {
  var subject: RunSubject {
    RunSubject(scenario: scenario, label: label, changes: changes, engine: engine)
  }
}

extension RecordedRun {
  var subject: RunSubject {
    RunSubject(
      scenario: scenario, label: Strategy.label(text(.strategy), text(.options)),
      changes: text(.changes), engine: text(.engine))
  }

  var isFirst: Bool { text(.repetition) == "1" }
}

extension RunFile.Run {
  var subject: RunSubject {
    RunSubject(
      scenario: text(.scenario), label: Strategy.label(text(.strategy), text(.options)),
      changes: text(.changes), engine: text(.engine))
  }
}
