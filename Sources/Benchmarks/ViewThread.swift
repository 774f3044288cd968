internal import CLinux
internal import FrameBudget
internal import RealTime
internal import Synchronization
internal import Terminal

/// The live view on a thread of its own, as `framebudget live` has it, and the processor time that it used.
final class ViewThread: Sendable {
  private let plan: RunPlan
  private let watch: RunWatch
  private let isStopped = Atomic<Bool>(false)
  private let nanoseconds = Atomic<Int64>(0)

  init(plan: RunPlan, watch: RunWatch) {
    self.plan = plan
    self.watch = watch
  }

  func stop() { isStopped.store(true, ordering: .relaxed) }

  var used: TimeSpan { TimeSpan(nanoseconds: nanoseconds.load(ordering: .relaxed)) }

  func show() {
    let began = clinux_thread_cpu()
    guard var terminal = try? CursesTerminal() else { return }
    var source = Source(watch: watch)
    var model = LiveModel(
      LiveModel.Session(
        scenario: plan.scenario.name, strategies: [plan.strategy.label], engines: [.real],
        refresh: plan.scenario.display.refresh, batch: 1))
    model.begin([RunModel(plan, on: .real)], chosen: [0])
    terminal.watch(&model, fedBy: &source) { !isStopped.load(ordering: .relaxed) }
    nanoseconds.store(clinux_thread_cpu() - began, ordering: .relaxed)
  }

  private struct Source: LiveSource {
    let watch: RunWatch
    var glance = RunGlance()

    init(watch: RunWatch) { self.watch = watch }

    mutating func perform(_ command: Command, on model: inout LiveModel) {}

    mutating func update(_ model: inout LiveModel) {
      glance = watch.glance(reusing: glance)
      model.take(glance)
    }
  }
}
