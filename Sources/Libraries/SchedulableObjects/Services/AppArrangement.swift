internal import Foundation

/// The threads of an app and the services that live on each, as data: one binary can run under many arrangements.
///
/// In text, lanes are separated by `;`. Each has a name, then `nice=N` and `overtaking` if wanted, then its services:
///
///     background nice=10 overtaking: thumbnail, index; io: store
///
/// Services without a lane live on the main thread. `yield`, in place of a lane, makes calls between services of the same
/// thread events of their own. Empty text leaves all services on the main thread.
public struct AppArrangement: Hashable, Sendable, CustomStringConvertible {
  /// A thread, and the services that live on it.
  public struct Lane: Hashable, Sendable {
    /// The name of the thread: letters, digits, `-` and `_`.
    public var name: String
    /// The nice value of the thread, from -20 (runs most) to 19; nil keeps the process's.
    public var nice: Int?
    /// Whether events of higher priority overtake waiting ones; otherwise all keep the order in which they were sent.
    public var isOvertaking: Bool
    /// The names of the services.
    public var services: [String]

    /// Creates a lane.
    public init(
      name: String, nice: Int? = nil, isOvertaking: Bool = false, services: [String] = []
    ) {
      (self.name, self.nice) = (name, nice)
      (self.isOvertaking, self.services) = (isOvertaking, services)
    }
  }

  /// The variable of the environment with an arrangement, which `framebudget record program --try` sets.
  public static let variable = "FRAMEBUDGET_ARRANGEMENT"

  /// The threads besides the main thread.
  public var lanes: [Lane]
  /// Whether a call between services of one thread is an event of its own; otherwise it runs at once, within its caller.
  public var yields: Bool

  /// Creates an arrangement; without lanes, all services live on the main thread.
  public init(lanes: [Lane] = [], yields: Bool = false) {
    (self.lanes, self.yields) = (lanes, yields)
  }

  /// Reads an arrangement.
  ///
  /// - Parameter text: the lanes, as above.
  /// - Throws: `AppArrangementError` with the part that is wrong.
  public init(_ text: String) throws(AppArrangementError) {
    self.init()
    var named: Set<String> = []
    for part in text.split(separator: ";") {
      let part = part.trimmed
      if part == Self.yield {
        yields = true
      } else if !part.isEmpty {
        let lane = try Lane(part)
        for name in [lane.name + " "] + lane.services where !named.insert(name).inserted {
          throw AppArrangementError(part: part, reason: "'\(name.trimmed)' is there twice")
        }
        lanes.append(lane)
      }
    }
  }

  /// Reads the arrangement in the variable ``variable`` of the environment, if it is set.
  ///
  /// - Parameter standard: the text of the app's own arrangement.
  /// - Returns: the arrangement of the environment, or else the app's own.
  /// - Throws: `AppArrangementError` with the part of either that is wrong.
  public static func fromEnvironment(
    or standard: String = ""
  ) throws(AppArrangementError) -> AppArrangement {
    try AppArrangement(ProcessInfo.processInfo.environment[variable] ?? standard)
  }

  /// The text from which `init(_:)` reads an equal arrangement.
  public var description: String {
    ((yields ? [Self.yield] : []) + lanes.map(\.description)).joined(separator: "; ")
  }

  private static let yield = "yield"
}

/// A part of an arrangement's text that is wrong.
public struct AppArrangementError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part of the text.
  public let part: String
  /// The mistake.
  public let reason: String

  public var description: String {
    "arrangement: '\(part)': \(reason); a lane is 'NAME [nice=N] [overtaking]: SERVICE, SERVICE'"
  }
}

extension AppArrangement.Lane: CustomStringConvertible {
  private static let nice = "nice="
  private static let overtaking = "overtaking"
  private static let niceValues = -20...19

  fileprivate init(_ text: String) throws(AppArrangementError) {
    func wrong(_ reason: String) -> AppArrangementError {
      AppArrangementError(part: text, reason: reason)
    }
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let words = halves[0].split(separator: " ").map(String.init)
    guard halves.count == 2 else { throw wrong("has no ':' before its services") }
    guard let name = words.first, Self.isName(name) else {
      throw wrong("has no name of letters, digits, - and _")
    }
    self.init(name: name)
    for word in words.dropFirst() {
      if word == Self.overtaking {
        isOvertaking = true
      } else if word.hasPrefix(Self.nice), let value = Int(word.dropFirst(Self.nice.count)),
        Self.niceValues.contains(value)
      {
        nice = value
      } else {
        throw wrong("'\(word)' is neither 'overtaking' nor 'nice=' with a number from -20 to 19")
      }
    }
    services = halves[1].split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
    if services.isEmpty { throw wrong("names no service") }
  }

  /// The text of the lane in an arrangement's.
  public var description: String {
    let words = [name, nice.map { "\(Self.nice)\($0)" }, isOvertaking ? Self.overtaking : nil]
    return words.compactMap(\.self).joined(separator: " ") + ": "
      + services.joined(separator: ", ")
  }

  private static func isName(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      switch UnicodeScalar(byte) {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
      default: false
      }
    }
  }
}

extension StringProtocol {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
