import Foundation
import PackagePlugin

/// `swift package frame-budget`: builds the command of that name and passes it all arguments.
///
/// The command is no dependency of the plug-in: SwiftPM would then compile its modules a second time, as tools of the host,
/// in every build of this package and of its clients.
@main
struct FrameBudgetPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let command = try build()
    let process = Process()
    process.executableURL = command
    // The one folder where a plug-in may write without asking.
    process.arguments =
      [
        "--package-path", context.package.directoryURL.path,
        "--scratch-path", context.pluginWorkDirectoryURL.path,
      ] + arguments + Self.withinSandbox(arguments)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { exit(process.terminationStatus) }
  }

  /// Where the built command is. A failed build ends the plug-in with the log of the build.
  private func build() throws -> URL {
    let result = try packageManager.build(
      .product("frame-budget"), parameters: .init(configuration: .debug))
    guard result.succeeded,
      let command = result.builtArtifacts.first(where: { $0.kind == .executable })
    else {
      Diagnostics.error("frame-budget cannot be built:\n\(result.logText)")
      exit(70)
    }
    return command.url
  }

  /// On Apple's systems a plug-in runs in a sandbox, which cannot contain another one.
  private static func withinSandbox(_ arguments: [String]) -> [String] {
    #if os(macOS)
      (arguments.contains("--") ? [] : ["--"]) + ["--disable-sandbox"]
    #else
      []
    #endif
  }
}
