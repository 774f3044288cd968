import SchedulableObjects

/// The first step: all on the main thread, in one go.
@MainActor
package final class MainThreadPhotos {
  private let album = Album()

  package init() {}

  package func add(_ photos: [Photo]) { for photo in photos { album.add(photo) } }
  package func select(_ number: Int) { album.select(number) }
}

/// The second: on the main thread still, which others get after each photo.
@MainActor
package final class SlicedPhotos {
  private let album = Album()

  package init() {}

  package func add(_ photos: [Photo]) async {
    for photo in photos {
      album.add(photo)
      await Task.yield()
    }
  }
  package func select(_ number: Int) { album.select(number) }
}

/// The third: an actor. The main thread is free, and a tap waits for the photos before it.
package actor ActorPhotos {
  private let album = Album()

  package init() {}

  package func add(_ photos: [Photo]) { for photo in photos { album.add(photo) } }
  package func select(_ number: Int) { album.select(number) }
}

/// The fourth: a schedulable object, an event for each photo, and taps that overtake them.
package struct ScheduledPhotos: Sendable {
  private let scheduler: ThreadScheduler
  private let album: SchedulableObject<Album>

  package init() async throws {
    scheduler = try ThreadScheduler(name: "photos", nice: 10)
    album = try await scheduler.assemble { here in here.bind(Album()) }
  }

  package func add(_ photos: [Photo]) {
    for photo in photos { album.schedule { $0.add(photo) } }
  }
  package func select(_ number: Int) async throws {
    try await album.call(priority: .user) { $0.select(number) }
  }
  package func close() async { await scheduler.shutdown(.drop) }
}
