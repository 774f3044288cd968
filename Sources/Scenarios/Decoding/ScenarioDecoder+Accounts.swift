import FrameBudget

extension ScenarioDecoder {
  /// `account: NAME`, the one that the user looks at first, and `switches: [{at: TIME, to: NAME}]`.
  func accounts(_ names: [String], _ fields: Fields) -> Accounts {
    let table = NameTable<Accounts>("service's account", names)
    let first = fields.optional("account", .name).flatMap {
      table.index(of: $0, at: fields.origin(of: "account"), faults)
    }
    let switches = fields["switches"].map { self.switches($0, table) } ?? []
    return Accounts(names: names, first: first ?? 0, switches: switches)
  }

  private func switches(_ node: SourceNode, _ accounts: NameTable<Accounts>) -> [Accounts.Switch] {
    var order = TimeOrder(faults)
    let nodes =
      node.items(of: "switches {at: TIME, to: ACCOUNT}", limit: Limits.changes, faults) ?? []
    return nodes.compactMap { node in
      guard let fields = Fields(node, of: "a switch", keys: ["at", "to"], faults),
        let at = order.instant(fields.required("at", "a time such as 5 s")),
        let account = fields.required("to", "the account of a service")
          .flatMap({ accounts.index(of: $0, faults) })
      else { return nil }
      return Accounts.Switch(at: at, to: account)
    }
  }
}
