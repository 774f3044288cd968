/// Counts how many events have overtaken others of a lower priority.
///
/// So that events which send others like themselves cannot keep the rest waiting for ever, one of the rest runs after each
/// hundred: many more than what a person does leaves behind, few enough that what waits gets somewhere.
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
