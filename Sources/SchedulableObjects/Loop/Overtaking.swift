/// Counts the events that have overtaken others of a lower priority.
///
/// After each hundred, one lower event runs, so that events which send further ones cannot starve the rest. A hundred is many
/// more than a user's action causes, and few enough for the lower events to progress.
struct Overtaking {
  private static let most: UInt8 = 100
  private var byUser: UInt8 = 0
  private var byNormal: UInt8 = 0

  mutating func userMay() -> Bool { Self.may(&byUser) }
  mutating func normalMay() -> Bool { Self.may(&byNormal) }

  private static func may(_ count: inout UInt8) -> Bool {
    count = count == most ? 0 : count + 1
    return count != 0
  }
}
