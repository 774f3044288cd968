internal import ArgumentParser
internal import Glibc
internal import Reports

/// `--shard I/N`: which of the runs are made here, those whose place in the total order, from 1, is I modulo N.
struct Shard: Hashable, Sendable {
  let number: Int
  let count: Int

  static let whole = Shard(number: 1, count: 1)

  private init(number: Int, count: Int) {
    self.number = number
    self.count = count
  }

  /// For the argument parser.
  static func parse(_ text: String) throws -> Shard { try Shard(text, environment: variable) }

  /// `auto` goes by what Slurm tells the tasks of a job array.
  init(_ text: String, environment: (String) -> Int?) throws(ValidationError) {
    guard text == "auto" else {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
        let shard = Shard(checked: number, of: count)
      else {
        throw ValidationError(
          "allowed is I/N, I from 1 to N, N at most \(SweepManifest.mostShards), or auto")
      }
      self = shard
      return
    }
    guard let task = environment("SLURM_ARRAY_TASK_ID"),
      let first = environment("SLURM_ARRAY_TASK_MIN"),
      let count = environment("SLURM_ARRAY_TASK_COUNT")
    else {
      throw ValidationError(
        "auto is for a Slurm job array, which sets SLURM_ARRAY_TASK_ID, _MIN and _COUNT; "
          + "elsewhere say I/N")
    }
    guard let shard = Shard(checked: task - first + 1, of: count) else {
      throw ValidationError(
        "task \(task) is none of \(count) from \(first) on; submit --array=1-N without a step")
    }
    self = shard
  }

  private init?(checked number: Int, of count: Int) {
    guard (1...SweepManifest.mostShards).contains(count), (1...count).contains(number) else {
      return nil
    }
    self.init(number: number, count: count)
  }

  private static func variable(_ name: String) -> Int? {
    unsafe getenv(name).flatMap { Int(unsafe String(cString: $0)) }
  }
}
