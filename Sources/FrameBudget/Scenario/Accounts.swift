/// Whose data services hold, and which of these accounts the user looks at when.
public struct Accounts: Hashable, Sendable {
  /// No two are the same.
  public var names: IndexedArray<Accounts, String>
  /// In the order of time.
  public var switches: [Switch]

  /// From `at` on the user looks at `account`.
  public struct Switch: Hashable, Sendable {
    /// From the beginning of the run, time 0.
    public var at: TimeSpan
    /// Whom the user looks at from then on.
    public var account: AccountIndex

    /// - Parameters:
    ///   - at: from time 0 of the run.
    ///   - account: whom the user looks at from then on.
    public init(at: TimeSpan, to account: AccountIndex) {
      self.at = at
      self.account = account
    }
  }

  /// - Parameters:
  ///   - names: no two the same.
  ///   - first: whom the user looks at first.
  ///   - switches: later changes, in the order of time.
  public init(names: [String] = [], first: AccountIndex = 0, switches: [Switch] = []) {
    self.names = IndexedArray(names)
    self.switches = [Switch(at: .zero, to: first)] + switches
  }

  /// No accounts.
  public static let none = Accounts()
}

/// A place in `Accounts.names`.
public typealias AccountIndex = TypedIndex<Accounts>
