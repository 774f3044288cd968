@main
struct Client {
  @MainActor
  static func main() {
    let catalogue = Catalogue()
    catalogue.add(1)
    print("FrameBudgetTesting:", catalogue.visible.count)
  }
}
