/// The accounts to which services belong, and which of them is shown when.
public struct Accounts: Hashable, Sendable {
  /// Unique names.
  public var names: IndexedArray<Accounts, String>
  /// In the order of time.
  public var switches: [Switch]

  /// A switch to `account` at a time.
  public struct Switch: Hashable, Sendable {
    /// Since the start of the run, time 0.
    public var at: TimeSpan
    /// The account that is shown from then on.
    public var account: AccountIndex

    /// - Parameters:
    ///   - at: since time 0 of the run.
    ///   - account: the account that is shown from then on.
    public init(at: TimeSpan, to account: AccountIndex) {
      self.at = at
      self.account = account
    }
  }

  /// - Parameters:
  ///   - names: unique names.
  ///   - first: the account that is shown first.
  ///   - switches: later changes, in the order of time.
  public init(names: [String] = [], first: AccountIndex = 0, switches: [Switch] = []) {
    self.names = IndexedArray(names)
    self.switches = [Switch(at: .zero, to: first)] + switches
  }

  /// No accounts.
  public static let none = Accounts()
}

/// An index of `Accounts.names`.
public typealias AccountIndex = TypedIndex<Accounts>
