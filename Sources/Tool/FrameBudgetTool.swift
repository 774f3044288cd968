internal import FrameBudget
internal import Glibc
internal import RealTime
internal import SchedulableObjects
internal import Terminal
internal import Synchronization

@main
struct FrameBudgetTool {
  static func main() {
    Interruption.install()
    let ms = { (x: Int64) in DurationDistribution.constant(.microseconds(x)) }
    let scenario = Scenario(name: "camera-upload", display: Display(refresh: RefreshRate(60), render: ms(10000)), duration: .seconds(3600), warmup: .milliseconds(100),
      services: [Service(name: "gallery"), Service(name: "hasher"), Service(name: "catalogue", records: 20000), Service(name: "uploader")],
      workloads: [Workload(name: "add-file", arrival: .once(1000, start: .seconds(2)), steps: [
         Step(name: "stat", service: 0, load: .cpu(ms(300))), Step(name: "hash", service: 1, load: .cpu(ms(1200))), Step(name: "insert", service: 2, load: .cpu(ms(800))), Step(name: "enqueue", service: 3, load: .cpu(ms(300)))], result: ms(1)),
         Workload(name: "tap", arrival: .batch(1, every: .seconds(1), start: .milliseconds(1500)), steps: [Step(name: "tap", service: 2, load: .cpu(ms(100)))], priority: .user, respondWithin: .milliseconds(100))],
      reads: [UIRead(service: 2, cpu: ms(20))])
    let strategies = StrategyCatalog.all.compactMap { try? StrategyCatalog.strategy($0.name, for: scenario) }
    let stage = MainStage()
    guard let view = try? ThreadScheduler(name: "view", nice: 10) else { return }
    view.schedule {
      defer { stage.close() }
      do throws(TerminalProblem) {
        var terminal = try CursesTerminal()
        var model = LiveModel(.init(scenario: "camera-upload", strategies: strategies.map(\.label), refresh: RefreshRate(60), batch: 1000))
        var source = EngineSource(scenario, strategies: strategies, stage: stage) { _ in "saved" }
        source.perform(.start([0], RefreshRate(60), .real), on: &model)
        terminal.watch(&model, fedBy: &source) { Interruption.signal == nil }
        source.stop()
      } catch { print(error) }
    }
    stage.perform()
    view.shutdownAndWait(.drain)
  }
}
