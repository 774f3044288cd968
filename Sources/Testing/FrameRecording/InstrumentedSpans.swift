internal import SchedulableThreads
internal import Foundation
internal import FrameBudget
internal import Synchronization
#if canImport(CFrameBudgetLinux)
  internal import CFrameBudgetLinux
#endif

/// Runs intervals and frames in functions with names of their own, by which `framebudget measure` counts their instructions.
///
/// Each combination of a span with those around it has a function, so that the instructions of a span can be told from those of
/// spans inside it. A file has a line for each function that was used: its number, that of the function around it, and the name.
/// A + before the number marks the rest of spans that have begun in another function: it is no other call. A line `timed` says
/// that the program works for a time.
package enum InstrumentedSpans {
  /// The name of frames.
  package static let frame = Scenario.renderName

  private static let isOn = Atomic(false)
  private static let table = Locked<Table?>(nil)

  private struct Table {
    let file: FileHandle
    var functions: [Key: Int32] = [:]
    var next: Int32
  }

  private struct Key: Hashable {
    let name: String
    let outer: Int32
    let isRest: Bool
  }

  /// Counts from now on if the command that started this process wants it; returns whether it does. `isTimed` says that the
  /// number of calls depends on how long they take.
  package static func begin(isTimed: Bool = false) throws(FrameRecorderError) -> Bool {
    #if canImport(CFrameBudgetLinux)
      guard !isOn.load(ordering: .relaxed) else { throw .isWatched }
      if !table.withLock({ $0 != nil }) {
        guard let path = ProcessInfo.processInfo.environment["FRAMEBUDGET_SPANS"],
          !FileManager.default.fileExists(atPath: path)
        else { return false }
        do {
          try Data().write(to: URL(filePath: path), options: .withoutOverwriting)
          let file = try FileHandle(forWritingTo: URL(filePath: path))
          table.withLock { $0 = Table(file: file, next: clinux_first_span()) }
        } catch {
          throw .file(path, problem: "\(error)")
        }
      }
      if isTimed { table.withLock { try? $0?.file.write(contentsOf: Data("timed\n".utf8)) } }
      isOn.store(true, ordering: .relaxed)
      return true
    #else
      return false
    #endif
  }

  /// Counts no longer; returns whether it did.
  @discardableResult
  package static func end() -> Bool { isOn.exchange(false, ordering: .relaxed) }

  /// Runs `work` as a span, or the rest of one that a suspension has interrupted.
  package static func run<Value, Failure: Error>(
    _ name: @autoclosure () -> String, isRest: Bool = false, _ work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    #if canImport(CFrameBudgetLinux)
      guard isOn.load(ordering: .relaxed), let function = function(for: name(), isRest) else {
        return try work()
      }
      var outcome: Result<Value, Failure>?
      call(function) {
        do throws(Failure) { outcome = .success(try work()) } catch { outcome = .failure(error) }
      }
      guard let outcome else { preconditionFailure("the function of a span did not run its work") }
      return try outcome.get()
    #else
      return try work()
    #endif
  }

  #if canImport(CFrameBudgetLinux)
    private struct Work {
      let run: () -> Void
    }

    private static func call(_ function: Int32, _ run: () -> Void) {
      withoutActuallyEscaping(run) { run in
        var work = Work(run: run)
        unsafe withUnsafeMutablePointer(to: &work) { work in
          unsafe clinux_run_span(function, work) { context in
            unsafe context?.assumingMemoryBound(to: Work.self).pointee.run()
          }
        }
      }
    }

    /// The function for a span with that name inside those of this thread; nil if there are too many different ones.
    private static func function(for name: String, _ isRest: Bool) -> Int32? {
      let outer = clinux_current_span()
      return table.withLock { table in
        let given = Key(name: name, outer: outer, isRest: isRest)
        if let known = table?.functions[given] { return known }
        // As readers of recordings do; such names are not kept, because there may be any number of them.
        let letters = name.filter { !$0.isNumber }
        let key = Key(name: letters, outer: outer, isRest: isRest)
        if let known = table?.functions[key] { return known }
        guard let next = table?.next, next <= clinux_last_span() else { return nil }
        table?.functions[key] = next
        table?.next = next + 1
        let shown = String(letters.map { $0.isNewline ? " " : $0 })
        let line = "\(isRest ? "+" : "")\(next) \(outer) \(shown)\n"
        // The command reports a missing line.
        try? table?.file.write(contentsOf: Data(line.utf8))
        return next
      }
    }
  #endif
}
