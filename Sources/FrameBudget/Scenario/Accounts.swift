/// Whose data services hold, and which of these accounts the user looks at when.
public struct Accounts: Hashable, Sendable {
  public var names: [String]
  /// In the order of time.
  public var switches: [Switch]

  /// From `at` on the user looks at `account`.
  public struct Switch: Hashable, Sendable {
    public var at: TimeSpan
    public var account: AccountIndex

    public init(at: TimeSpan, to account: AccountIndex) {
      self.at = at
      self.account = account
    }
  }

  public init(names: [String] = [], first: AccountIndex = 0, switches: [Switch] = []) {
    self.names = names
    self.switches = [Switch(at: .zero, to: first)] + switches
  }

  public static let none = Accounts()
}

/// A place in `Accounts.names`.
public typealias AccountIndex = Int
