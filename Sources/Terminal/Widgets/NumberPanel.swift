/// Numbers of the run and of those before it; page by page where they do not all fit.
struct NumberPanel {
  let figures: Figures
  let runs: [TriedRun]
  /// Counted on by a key for ever.
  let page: Int

  /// Draws the page; returns how many there are.
  func draw(on screen: inout Screen, in area: Area) -> Int {
    let groups = NumberGroups(figures: figures)
    let count = groups.groups.count
    let across = max(1, area.width / NumberGroups.width)
    let needed = (count + across - 1) / across * NumberGroups.height
    if area.height > needed + 2 {
      var area = area
      groups.draw(on: &screen, in: area.takeTop(needed))
      _ = area.takeTop(1)
      TriedTable(runs: runs).draw(on: &screen, in: area)
      return 1
    }
    let perPage = NumberGroups.fitting(area)
    let pages = (count + perPage - 1) / perPage
    if page % (pages + 1) == pages {
      TriedTable(runs: runs).draw(on: &screen, in: area)
    } else {
      groups.draw(on: &screen, in: area, from: page % (pages + 1) * perPage)
    }
    return pages + 1
  }
}
