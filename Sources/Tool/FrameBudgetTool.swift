@main
struct FrameBudgetTool {
  static func main() {}
}
