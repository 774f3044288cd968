/// Where everything lives today, and beside it where it would: a row for each thread and each lock, a box for each
/// service, those that move set off by an edge and by words.
struct PlacesPicture {
  let today: AdviceResults.Row
  /// Nil where there is nothing to change.
  let next: AdviceResults.Row?

  private static let main = "main"

  /// Empty where nobody said where anything lives.
  var markup: Markup {
    guard !today.homes.isEmpty else { return "" }
    return "<div class=\"places\">\(figure(today))\(next.map(figure) ?? "")</div>\n"
  }

  private func figure(_ row: AdviceResults.Row) -> Markup {
    let isNext = row.role != .today
    let lines: [Markup] = places(of: row).map { place in
      let services: [Markup] = row.homes.filter { $0.place == place }.map { box($0) }
      let drawing: Markup = place == Self.main ? "<li class=\"draws\">drawing</li>" : ""
      return """
        <div><dt>\(Self.name(place))</dt><dd><ul>\(drawing)\(services)</ul></dd></div>

        """
    }
    return """
      <figure><figcaption>\(row.arrangement)\
      \(AdviceSection.badge(row, isFirst: isNext))</figcaption>
      <dl>\(lines)</dl><p class="note">\(row.moves.isEmpty ? "" : "\(row.moves): ")\
      \(AdviceSection.outcome(row))</p></figure>

      """
  }

  private func box(_ home: AdviceResults.ServiceHome) -> Markup {
    let before = today.homes.first { $0.service == home.service }?.place
    guard let before, before != home.place else { return "<li>\(home.service)</li>" }
    return "<li class=\"moved\">\(home.service) <small>from \(Self.name(before))</small></li>"
  }

  /// Main, which draws whatever else it does; then the others in the order of the services, the locks last.
  private func places(of row: AdviceResults.Row) -> [String] {
    var places = [Self.main]
    for home in row.homes where !places.contains(home.place) { places.append(home.place) }
    let locks = places.filter(Self.isLock)
    return places.filter { !Self.isLock($0) } + locks
  }

  private static func isLock(_ place: String) -> Bool { place.hasPrefix("lock ") }

  /// A lock is no thread: what it guards runs wherever it is called.
  private static func name(_ place: String) -> String {
    isLock(place) ? "\(place), on the caller's thread" : place
  }
}
