internal import FrameBudget

/// Who waited for whom for ever: what the pictures of such a run cannot say.
struct DeadlockSection {
  let files: [RunFile]

  /// A sentence for each strategy, engine and set of changes with a deadlock; empty without any.
  var markup: Markup {
    let items: [Markup] = files.flatMap(sentences).map { "<li>\($0)</li>" }
    return items.isEmpty ? "" : "<ul class=\"deadlocks\">\(items)</ul>\n"
  }

  private func sentences(_ file: RunFile) -> [String] {
    var names: [String] = []
    for run in file.runs where !run.deadlocks.isEmpty && !names.contains(run.name) {
      names.append(run.name)
    }
    return names.map { name in
      let runs = file.runs.filter { $0.name == name }
      let stuck = runs.filter { !$0.deadlocks.isEmpty }
      let count = runs.count > 1 ? " in \(stuck.count) of \(runs.count) runs" : ""
      return "\(name): deadlock\(count), \(stuck[0].deadlocks.joined(separator: "; "))."
    }
  }
}

extension RunFile.Run {
  /// What all its repetitions are called.
  fileprivate var name: String {
    [subject.label, subject.changes, subject.engine].filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
