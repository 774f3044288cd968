import Foundation
import PackagePlugin

/// `swift package frame-budget`: hands its arguments to the command of that name, which does all.
@main
struct FrameBudgetPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let process = Process()
    process.executableURL = try context.tool(named: "frame-budget").url
    // The one place where a plug-in may write without asking.
    process.arguments =
      [
        "--package-path", context.package.directoryURL.path,
        "--scratch-path", context.pluginWorkDirectoryURL.path,
      ] + arguments + Self.withinSandbox(arguments)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { exit(process.terminationStatus) }
  }

  /// On Apple's systems a plug-in is in a sandbox, in which there can be no other.
  private static func withinSandbox(_ arguments: [String]) -> [String] {
    #if os(macOS)
      (arguments.contains("--") ? [] : ["--"]) + ["--disable-sandbox"]
    #else
      []
    #endif
  }
}
