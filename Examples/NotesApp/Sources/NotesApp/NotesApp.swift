import Dispatch
import FrameRecording
import SchedulableObjects

/// Notes with photos, at 60 frames a second: typing, pictures that arrive, a search index, a cloud, and a file.
///
///     NotesApp TRACE
///
/// All five services live on the main thread, unless FRAMEBUDGET_ARRANGEMENT says otherwise:
///
///     FRAMEBUDGET_ARRANGEMENT='background nice=10: thumbnail, search' NotesApp TRACE
@main
struct NotesApp {
  @MainActor
  static func main() throws {
    try FrameRecorder.start(to: CommandLine.arguments.dropFirst().first ?? "notes.json")
    let homes = try ServiceHomes(.fromEnvironment())
    Task {
      let app = try await App(homes)
      let timers = app.timers
      try await Task.sleep(for: .seconds(3600))
      withExtendedLifetime(timers) {}
    }
    dispatchMain()
  }
}

/// What happens on the main thread. It does not know where its services live.
@MainActor
private final class App {
  private let thumbnails: ServiceObject<Thumbnails>
  private let index: ServiceObject<Index>
  private let spelling: ServiceObject<Spelling>
  private let cloud: ServiceObject<Cloud>
  private let file: ServiceObject<NotesFile>

  init(_ homes: ServiceHomes) async throws {
    thumbnails = try await homes.service("thumbnail") { _ in Thumbnails() }
    index = try await homes.service("search") { _ in Index() }
    spelling = try await homes.service("spelling") { _ in Spelling() }
    cloud = try await homes.service("sync") { _ in Cloud() }
    file = try await homes.service("autosave") { _ in NotesFile() }
  }

  var timers: [any DispatchSourceTimer] {
    [
      timer(every: .nanoseconds(16_666_667)) { FrameRecorder.frame { compute(milliseconds: 4) } },
      timer(every: .milliseconds(230)) { [spelling] in spelling.schedule { $0.check() } },
      timer(every: .milliseconds(410)) { [index] in index.schedule { $0.update() } },
      timer(every: .milliseconds(1130)) { [cloud] in cloud.schedule { $0.merge() } },
      timer(every: .milliseconds(1730)) { [file] in file.schedule { $0.write() } },
      timer(every: .milliseconds(2110)) { [thumbnails] in
        // An interval, since only it shows that the calls are one task.
        FrameRecorder.interval("import") {
          for _ in 0..<24 { thumbnails.schedule { $0.add() } }
        }
      },
    ]
  }

  private func timer(
    every period: DispatchTimeInterval, _ event: @escaping @MainActor () -> Void
  ) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + period, repeating: period, leeway: .nanoseconds(0))
    timer.setEventHandler { MainActor.assumeIsolated(event) }
    timer.activate()
    return timer
  }
}
