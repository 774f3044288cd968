// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target: Swift 6, warnings are errors, unsafe constructs must be marked.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

/// Whether another package fetched this one; SwiftPM then refuses unsafe flags.
let isFetched =
  Context.packageDirectory.contains("/checkouts/")
  || Context.packageDirectory.contains("/registry/downloads/")

/// The settings of modules that tests run thousands of times: optimised in debug builds too, which costs some seconds and saves
/// minutes. In one batch, because several would optimise the same code several times.
let computing =
  isFetched
  ? strict
  : strict + [.unsafeFlags(["-O", "-driver-batch-count", "1"], .when(configuration: .debug))]

/// System functions that Swift's Glibc module lacks; absent on other systems.
let linux = Target.Dependency.target(name: "CLinux", condition: .when(platforms: [.linux]))

/// Settings of release builds: the commit, for --version, and the name of ICU's data, so that the build can leave it out.
let commit = Context.environment["FRAMEBUDGET_COMMIT"].map {
  CSetting.define("FRAMEBUDGET_COMMIT", to: "\"\($0)\"")
}
let icuData = Context.environment["FRAMEBUDGET_ICU_DATA"].map {
  CSetting.define("FRAMEBUDGET_ICU_DATA", to: $0)
}

/// For packages that only the command needs: with `traits: []` a client of a library does not fetch them. `NIO` does not
/// enable `Tool`: SwiftPM passes two traits to the compiler in no fixed order, and each new order compiles everything again.
let forTool = TargetDependencyCondition.when(traits: ["Tool", "NIO"])
let forNIO = TargetDependencyCondition.when(traits: ["NIO"])

let package = Package(
  name: "framebudget",
  // The systems that have `Synchronization` and task executors.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "framebudget", targets: ["Tool"]),
    .library(name: "SchedulableObjects", targets: ["SchedulableObjects"]),
    .library(name: "OrderedDelivery", targets: ["OrderedDelivery"]),
    .library(name: "Operations", targets: ["Operations"]),
    .library(name: "FrameBudget", targets: ["FrameBudget"]),
    .library(name: "Jobs", targets: ["Jobs"]),
    .library(name: "FrameBudgetTesting", targets: ["FrameBudgetTesting"]),
    .library(name: "FrameRecording", targets: ["FrameRecording"]),
    .executable(name: "frame-budget", targets: ["frame-budget"]),
    .plugin(name: "FrameBudgetPlugin", targets: ["FrameBudgetPlugin"]),
  ],
  traits: [
    .default(enabledTraits: ["Tool"]),
    .trait(name: "Tool", description: "The command framebudget and the tests."),
    .trait(
      name: "NIO",
      description: "The same with SwiftNIO, which runs the strategy event-loop on threads."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // Functions of Linux that Swift's Glibc module lacks: threads, clocks, files, processes.
    .target(name: "CLinux"),
    // Threads: a lock, parking, a thread with its settings. Every library may use it.
    .target(name: "Concurrency", dependencies: [linux], swiftSettings: strict),

    // The library of the pattern: objects that live on schedulers. Independent of the other libraries.
    .target(name: "SchedulableObjects", dependencies: ["Concurrency"], swiftSettings: strict),
    // The example of SchedulableObjects' documentation, as a program that tests run.
    .executableTarget(
      name: "PrinterDemo", dependencies: ["SchedulableObjects"], swiftSettings: strict),

    // Sources that deliver their elements in order on concurrent schedulers. Independent of the other libraries.
    .target(
      name: "OrderedDelivery",
      dependencies: ["Concurrency", .product(name: "DequeModule", package: "swift-collections")],
      swiftSettings: strict),
    // The system's OpenSSL, for SHA-256.
    .systemLibrary(name: "CLibcrypto"),
    // The system's SQLite, as C.
    .systemLibrary(name: "CSQLite"),
    // A wrapper of the system's SQLite: a connection, statements, values.
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),

    // A queue of jobs that survive the end of the process.
    .target(
      name: "Jobs",
      dependencies: [
        "Concurrency", "SQLite", .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: strict),

    // Foundation's operations, with states, outputs, groups and exclusion.
    .target(name: "Operations", dependencies: ["Concurrency"], swiftSettings: strict),

    // The model: scenario, arrangement, screen, metrics. The engines and the modules for files depend on it.
    .target(
      name: "FrameBudget", swiftSettings: computing,
      // It imports no C library, so it links libm for rounding itself.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    // The engine in virtual time: runs a scenario under an arrangement, the same on every machine.
    .target(name: "Simulation", dependencies: ["FrameBudget"], swiftSettings: computing),
    // Samples, and the statistical tests that compare them.
    .target(name: "Statistics", dependencies: ["FrameBudget"], swiftSettings: computing),
    // Searches for better arrangements of an app by running each in virtual time.
    .target(
      name: "Advice", dependencies: ["FrameBudget", "Simulation"], swiftSettings: computing),
    // Proves that no frame is dropped at any phases, or finds phases at which one is.
    .target(
      name: "Proving", dependencies: ["FrameBudget", "Simulation"], swiftSettings: computing),
    // The engine on threads: runs the same scenarios in real time, and measures mechanisms.
    .target(
      name: "RealTime",
      dependencies: [
        "FrameBudget", "Concurrency", "SchedulableObjects", "OrderedDelivery", "Jobs", "SQLite",
        "CLibcrypto", linux,
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: strict),
    // RealTime's mechanism on SwiftNIO, which RealTime itself does not need; empty without its trait.
    .target(
      name: "RealTimeNIO",
      dependencies: [
        "RealTime", "FrameBudget",
        .product(name: "NIOCore", package: "swift-nio", condition: forNIO),
        .product(name: "NIOPosix", package: "swift-nio", condition: forNIO),
      ],
      swiftSettings: strict),
    // Reads scenario files, which are YAML, and says where they are wrong.
    .target(
      name: "Scenarios",
      dependencies: [
        "FrameBudget",
        .product(name: "Yams", package: "Yams", condition: forTool),
      ],
      swiftSettings: strict),
    // The shipped scenarios, built in. A module of its own, so that a changed scenario recompiles little.
    .target(
      name: "ShippedScenarios", resources: [.embedInCode("scenarios")], swiftSettings: strict),
    // Writes results: texts, CSV, JSON, traces, and the page with its charts.
    .target(
      name: "Reports", dependencies: ["FrameBudget", "Parsing", "Statistics", "Advice", "Proving"],
      resources: [.embedInCode("Page/page.css"), .embedInCode("Page/page.js")],
      swiftSettings: strict),

    // The system's zlib, for compressed files.
    .systemLibrary(name: "CZlib"),
    // Splits files, possibly hostile ones, into fields.
    .target(name: "Parsing", dependencies: ["FrameBudget", "CZlib"], swiftSettings: strict),
    // Computes metrics from frame logs of other tools.
    .target(
      name: "Importing", dependencies: ["FrameBudget", "Parsing", "Recordings"],
      swiftSettings: strict),
    // Reads other tools' recordings of apps into threads, slices and frames; `import` uses its events.
    .target(name: "Recordings", dependencies: ["FrameBudget", "Parsing"], swiftSettings: strict),
    // Derives a scenario from a recording, and says how far to trust it.
    .target(
      name: "Learning", dependencies: ["FrameBudget", "Parsing", "Recordings"],
      swiftSettings: strict),
    // Runs a learned scenario in virtual time.
    .target(
      name: "Replaying",
      dependencies: [
        "FrameBudget", "Importing", "Learning", "Parsing", "Scenarios", "Simulation",
      ],
      swiftSettings: strict),

    // The hooks of Swift's runtime, in C, as Swift cannot replace them.
    .target(name: "CMainJobs"),
    // Observes the jobs of the main actor through the hooks of `CMainJobs`, for the two libraries that measure apps.
    .target(name: "MainJobs", dependencies: ["CMainJobs", "Concurrency"], swiftSettings: strict),
    // Measures a developer's own closures in a frame loop; for the test targets of other packages.
    .target(
      name: "FrameBudgetTesting",
      dependencies: [
        "FrameBudget", "Simulation", "Statistics", "Concurrency", "CMainJobs", "MainJobs",
      ],
      swiftSettings: strict),
    // Runs the tests that measure frames, and prints their verdicts. For other packages, so without the tool's dependencies.
    .executableTarget(
      name: "frame-budget",
      dependencies: ["FrameBudget", "FrameBudgetTesting", "Parsing", "Reports", "Simulation"],
      path: "Sources/FrameBudgetCommand", swiftSettings: strict),
    // Runs that program as `swift package frame-budget`.
    .plugin(
      name: "FrameBudgetPlugin",
      capability: .command(
        intent: .custom(
          verb: "frame-budget",
          description: "Run the tests that measure frames, and print their verdicts"))),
    // Records a running app, for `learn`.
    .target(
      name: "FrameRecording", dependencies: ["FrameBudget", "Concurrency", "MainJobs"],
      swiftSettings: strict),

    // ncurses behind a dozen C functions, all of them for one thread.
    .target(name: "CNcurses", linkerSettings: [.linkedLibrary("ncursesw")]),
    // The live view: its state, its keys, and its widgets on a terminal.
    .target(name: "Terminal", dependencies: ["FrameBudget", "CNcurses"], swiftSettings: strict),

    // Facts about the build, for release builds: the commit, and an empty table of locales.
    .target(name: "CBuild", cSettings: [commit, icuData].compactMap { $0 }),
    // The command `framebudget`, which combines the other modules.
    .executableTarget(
      name: "Tool",
      dependencies: [
        "FrameBudget", "Simulation", "Advice", "Proving", "RealTime", "Scenarios",
        "ShippedScenarios",
        "Reports", "Terminal", "Concurrency", "SchedulableObjects", "Importing", "Parsing",
        "Recordings", "Learning", "Replaying", "CBuild",
        linux,
        .target(name: "RealTimeNIO", condition: forNIO),
        .product(
          name: "ArgumentParser", package: "swift-argument-parser", condition: forTool),
      ],
      swiftSettings: strict),

    // Computes the published results: the program of `make results`.
    .executableTarget(
      name: "Reference",
      dependencies: [
        "FrameBudget", "Simulation", "Advice", "Proving", "Scenarios", "ShippedScenarios",
        "Reports",
        "Parsing", "Recordings", "Learning", "Replaying",
      ],
      swiftSettings: strict),

    // Measures the time that this project's own code takes: the program of `make bench`.
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "FrameBudget", "RealTime", "Simulation", "Importing", "Parsing", "Recordings", "Terminal",
        "Jobs", "Operations", "OrderedDelivery", "SchedulableObjects", "FrameBudgetTesting",
        "Concurrency", linux,
      ],
      swiftSettings: strict),

    // Helpers for the tests of several modules.
    .target(
      name: "TestSupport", dependencies: ["Concurrency"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "ConcurrencyTests", dependencies: ["Concurrency", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SchedulableObjectsTests",
      dependencies: ["SchedulableObjects", "Concurrency", "PrinterDemo", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "OrderedDeliveryTests",
      dependencies: ["OrderedDelivery", "Concurrency", "TestSupport"], swiftSettings: strict),
    // A program that tests kill.
    .executableTarget(
      name: "JobsVictim", dependencies: ["Jobs"], path: "Tests/JobsVictim", swiftSettings: strict),
    .testTarget(
      name: "JobsTests", dependencies: ["Jobs", "JobsVictim", "Concurrency", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SQLiteTests", dependencies: ["SQLite", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "OperationsTests", dependencies: ["Operations", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ProjectTests", dependencies: ["TestSupport", "FrameBudget", "Reports"],
      exclude: ["Golden"],
      swiftSettings: strict),
    .testTarget(
      name: "FrameBudgetTests", dependencies: ["FrameBudget", linux], swiftSettings: strict),
    .testTarget(
      name: "SimulationTests", dependencies: ["Simulation", "FrameBudget", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "AdviceTests",
      dependencies: [
        "Advice", "Simulation", "FrameBudget", "Scenarios", "ShippedScenarios", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ProvingTests",
      dependencies: [
        "Proving", "Simulation", "FrameBudget", "Scenarios", "ShippedScenarios", "TestSupport",
      ],
      swiftSettings: computing),
    .testTarget(
      name: "RealTimeTests",
      dependencies: [
        "RealTime", "Concurrency", "SchedulableObjects", "FrameBudget", "TestSupport", linux,
        .target(name: "RealTimeNIO", condition: forNIO),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ScenariosTests",
      dependencies: ["Scenarios", "ShippedScenarios", "Simulation", "FrameBudget", "TestSupport"],
      exclude: ["Broken"], swiftSettings: strict),
    .testTarget(
      name: "ReportsTests",
      dependencies: ["Reports", "Simulation", "FrameBudget", "Parsing", "TestSupport"],
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "StatisticsTests", dependencies: ["Statistics"], swiftSettings: strict),
    // A program with a main run loop, which a process of tests lacks on Linux.
    .executableTarget(
      name: "RunLoopApp", dependencies: ["FrameBudgetTesting", "FrameBudget", "Concurrency"],
      path: "Tests/RunLoopApp", swiftSettings: strict),
    .testTarget(
      name: "FrameBudgetTestingTests",
      dependencies: [
        "FrameBudgetTesting", "RunLoopApp", "FrameBudget", "Simulation", "SchedulableObjects",
        "Scenarios",
        "Importing", "Parsing", "Concurrency", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FrameBudgetCommandTests",
      dependencies: ["frame-budget", "FrameBudgetTesting", "Tool", "Reports", "TestSupport"],
      swiftSettings: strict),
    // A program that records itself, for the tests of `record`.
    .executableTarget(
      name: "RecordedApp", dependencies: ["FrameRecording"], path: "Tests/RecordedApp",
      swiftSettings: strict),
    .testTarget(
      name: "FrameRecordingTests",
      dependencies: [
        "FrameRecording", "RecordedApp", "FrameBudget", "FrameBudgetTesting", "Concurrency",
        "Importing", "Learning", "MainJobs", "Parsing", "Recordings", "Replaying",
        "SchedulableObjects", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(name: "ParsingTests", dependencies: ["Parsing"], swiftSettings: strict),
    .testTarget(
      name: "ImportingTests",
      dependencies: [
        "Importing", "FrameBudget", "Parsing", "Reports", "Scenarios", "ShippedScenarios",
        "Simulation", "TestSupport",
      ],
      exclude: ["frametimeline.py", "games.py", "totals.py"], swiftSettings: strict),
    .testTarget(
      name: "LearningTests",
      dependencies: [
        "Learning", "Replaying", "Recordings", "FrameBudget", "Importing", "Parsing", "Reports",
        "Scenarios", "ShippedScenarios", "Simulation", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RecordingsTests",
      dependencies: ["Recordings", "FrameBudget", "Parsing", "TestSupport"], swiftSettings: strict),
    // The same figures of the same runs, from every view and every file.
    .testTarget(
      name: "FiguresTests",
      dependencies: [
        "FrameBudget", "Importing", "Parsing", "Reports", "Scenarios", "ShippedScenarios",
        "Simulation", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ReferenceTests",
      dependencies: [
        "Reference", "Reports", "FrameBudget", "Scenarios", "ShippedScenarios", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TerminalTests",
      dependencies: ["Terminal", "Simulation", "FrameBudget", "TestSupport"],
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "ToolTests",
      dependencies: [
        "Tool", "FrameBudget", "Parsing", "RealTime", "Reports", "Scenarios", "ShippedScenarios",
        "Simulation", "Terminal", "TestSupport", linux,
        .product(
          name: "ArgumentParser", package: "swift-argument-parser", condition: forTool),
      ],
      swiftSettings: strict),
  ]
)

/// With this variable only the test modules that it names are built: sanitizers need only those with threads.
if let chosen = Context.environment["FRAMEBUDGET_TESTS"]?.split(separator: " ") {
  package.targets.removeAll { $0.type == .test && !chosen.contains(Substring($0.name)) }
}
