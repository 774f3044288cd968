internal import FrameBudget

/// A page of a browser as DevTools lists it.
struct DebuggedPage: Equatable {
  let id: String
  let title: String
  let address: String

  /// Nil for what is no page, and for DevTools' own windows.
  init?(_ listed: JSON) {
    guard ["page", "webview"].contains(listed["type"].text), let id = listed["id"].text,
      // It becomes a part of a path.
      !id.isEmpty, id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "/") }),
      case let address = listed["url"].text ?? "", !address.hasPrefix("devtools://")
    else { return nil }
    self.id = id
    self.address = Self.short(address)
    title = Self.short(listed["title"].text ?? "")
  }

  func has(_ text: String) -> Bool {
    [address, title].contains { $0.lowercased().contains(text.lowercased()) }
  }

  private static func short(_ text: String) -> String { String(text.prefix(200)) }
}
