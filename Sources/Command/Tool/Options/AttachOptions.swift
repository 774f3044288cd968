internal import ArgumentParser

/// The option of commands that watch or record a page of a browser that runs already.
struct AttachOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Use a browser of this machine that runs already: chrome, chrome:PORT of --remote-debugging-port, or chrome:PROFILE, the \
      folder that has its DevToolsActivePort.
      """, valueName: "browser"),
    completion: .list(["chrome", "chrome:9222"]), transform: AttachPlace.parse)
  var attach: AttachPlace?
}
