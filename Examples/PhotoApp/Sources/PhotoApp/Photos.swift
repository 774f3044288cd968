import SchedulableObjects

/// The app's photos, written once. Where the album lives is data.
package struct Photos: Sendable {
  private let homes: ServiceHomes
  private let album: ServiceObject<Album>

  /// Creates the album where the arrangement places the service `thumbnail`.
  package init(_ arrangement: AppArrangement) async throws {
    homes = try ServiceHomes(arrangement)
    album = try await homes.service("thumbnail") { _ in Album() }
  }

  package func add(_ photos: [Photo]) {
    for photo in photos { album.schedule { $0.add(photo) } }
  }

  package func select(_ number: Int) async throws {
    try await album.call(priority: .user) { $0.select(number) }
  }

  package func close() async { await homes.shutdown(.drop) }
}
