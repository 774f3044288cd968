import SchedulableObjects

/// Belongs to one scheduler; no lock, not `Sendable`.
final class Gallery {
  private var photos: [String] = []

  func add(_ photo: String) { photos.append(photo) }
  var count: Int { photos.count }
}

@main
struct Client {
  static func main() async throws {
    let scheduler = try ThreadScheduler(name: "gallery")
    let gallery = try await scheduler.assemble { here in here.bind(Gallery()) }
    gallery.schedule { $0.add("IMG_0001.jpg") }
    print("SchedulableObjects:", try await gallery.call { $0.count })
    await scheduler.shutdown()
  }
}
