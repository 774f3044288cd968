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
let linux = Target.Dependency.target(
  name: "CFrameBudgetLinux", condition: .when(platforms: [.linux]))

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
    .executable(name: "framebudget", targets: ["FrameBudgetCLI"]),
    .library(name: "SchedulableObjects", targets: ["SchedulableObjects"]),
    .library(name: "OrderedDelivery", targets: ["OrderedDelivery"]),
    .library(name: "SchedulableOperations", targets: ["SchedulableOperations"]),
    .library(name: "SchedulableJobs", targets: ["SchedulableJobs"]),
    .library(name: "FrameBudgetTesting", targets: ["FrameBudgetTesting", "FrameBudgetTraits"]),
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
    // System: C modules, each for functions that Swift cannot import or replace.

    // Functions of Linux that Swift's Glibc module lacks: threads, clocks, files, processes.
    .target(name: "CFrameBudgetLinux", path: "Sources/System/CLinux"),
    // The hooks of Swift's runtime, in C, as Swift cannot replace them.
    .target(name: "CFrameBudgetMainJobs", path: "Sources/System/CMainJobs"),
    // C of the tool: ncurses behind a dozen functions, for one thread; and of release builds the commit and a table of locales.
    .target(
      name: "CFrameBudgetNcurses", path: "Sources/System/CNcurses",
      cSettings: [commit, icuData].compactMap { $0 },
      linkerSettings: [.linkedLibrary("ncursesw")]),
    // The system's SQLite, as C.
    .systemLibrary(name: "CFrameBudgetSQLite", path: "Sources/System/CSQLite"),
    // The system's zlib, for compressed files.
    .systemLibrary(name: "CFrameBudgetZlib", path: "Sources/System/CZlib"),
    // The system's OpenSSL, for SHA-256.
    .systemLibrary(name: "CFrameBudgetCrypto", path: "Sources/System/CLibcrypto"),

    // Libraries: what other packages build apps with. Independent of each other.

    // Threads: a lock, parking, a thread with its settings. Every library may use it.
    .target(
      name: "SchedulableThreads", dependencies: [linux], path: "Sources/Libraries/Concurrency",
      swiftSettings: strict),
    // The library of the pattern: objects that live on schedulers.
    .target(
      name: "SchedulableObjects", dependencies: ["SchedulableThreads"],
      path: "Sources/Libraries/SchedulableObjects", swiftSettings: strict),
    // Sources that deliver their elements in order on concurrent schedulers.
    .target(
      name: "OrderedDelivery",
      dependencies: [
        "SchedulableThreads", .product(name: "DequeModule", package: "swift-collections"),
      ],
      path: "Sources/Libraries/OrderedDelivery", swiftSettings: strict),
    // A queue of jobs that survive the end of the process, and a wrapper of the system's SQLite.
    .target(
      name: "SchedulableJobs",
      dependencies: [
        "SchedulableThreads", "CFrameBudgetSQLite",
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      path: "Sources/Libraries/Jobs", swiftSettings: strict),
    // Foundation's operations, with states, outputs, groups and exclusion.
    .target(
      name: "SchedulableOperations", dependencies: ["SchedulableThreads"],
      path: "Sources/Libraries/Operations", swiftSettings: strict),

    // Model: what everything else speaks of.

    // The model: scenario, arrangement, screen, metrics, statistics. The engines and the modules for files depend on it.
    .target(
      name: "FrameBudget", path: "Sources/Model/FrameBudget", swiftSettings: computing,
      // It imports no C library, so it links libm for rounding itself.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),

    // Engines: they run a scenario, and do not know each other, so each checks the other.

    // The engine in virtual time: runs a scenario under an arrangement, the same on every machine.
    .target(
      name: "FrameBudgetSimulation", dependencies: ["FrameBudget"],
      path: "Sources/Engines/Simulation", swiftSettings: computing),
    // The engine on threads: runs the same scenarios in real time, and measures mechanisms; SwiftNIO's with the trait.
    .target(
      name: "FrameBudgetRealTime",
      dependencies: [
        "FrameBudget", "SchedulableThreads", "SchedulableObjects", "OrderedDelivery",
        "SchedulableJobs", "CFrameBudgetCrypto", linux,
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "NIOCore", package: "swift-nio", condition: forNIO),
        .product(name: "NIOPosix", package: "swift-nio", condition: forNIO),
      ],
      path: "Sources/Engines/RealTime", swiftSettings: strict),

    // Input: files of other programs and of people, possibly hostile ones.

    // Splits files, possibly hostile ones, into fields.
    .target(
      name: "FrameBudgetParsing", dependencies: ["FrameBudget", "CFrameBudgetZlib"],
      path: "Sources/Input/Parsing", swiftSettings: computing),
    // Reads scenario files, which are YAML, and says where they are wrong; contains those that ship.
    .target(
      name: "FrameBudgetScenarios",
      dependencies: [
        "FrameBudget",
        .product(name: "Yams", package: "Yams", condition: forTool),
      ],
      path: "Sources/Input/Scenarios", resources: [.embedInCode("Shipped/scenarios")],
      swiftSettings: strict),
    // Reads other tools' frame logs and recordings of apps into frames, threads and slices.
    .target(
      name: "FrameBudgetCaptures", dependencies: ["FrameBudget", "FrameBudgetParsing"],
      path: "Sources/Input/Captures", swiftSettings: computing),

    // Questions: what one can ask of a scenario or a recording.

    // Searches for better arrangements of an app, explains drops, and proves bounds, in virtual time.
    .target(
      name: "FrameBudgetAdvice", dependencies: ["FrameBudget", "FrameBudgetSimulation"],
      path: "Sources/Questions/Advice", swiftSettings: computing),
    // Derives a scenario from a recording, runs it in virtual time, and says how far to trust it.
    .target(
      name: "FrameBudgetLearning",
      dependencies: [
        "FrameBudget", "FrameBudgetParsing", "FrameBudgetCaptures", "FrameBudgetScenarios",
        "FrameBudgetSimulation",
      ],
      path: "Sources/Questions/Learning", swiftSettings: computing),

    // Views: what people see.

    // Writes results: texts, CSV, JSON, traces, and the page with its charts.
    .target(
      name: "FrameBudgetReports",
      dependencies: ["FrameBudget", "FrameBudgetParsing", "FrameBudgetAdvice"],
      path: "Sources/Views/Reports",
      resources: [.embedInCode("Page/page.css"), .embedInCode("Page/page.js")],
      swiftSettings: strict),
    // The live view: its state, its keys, and its widgets on a terminal.
    .target(
      name: "FrameBudgetTerminal", dependencies: ["FrameBudget", "CFrameBudgetNcurses"],
      path: "Sources/Views/Terminal", swiftSettings: strict),

    // Command: the program framebudget.

    // The command `framebudget`, which combines the other modules.
    .executableTarget(
      name: "FrameBudgetCLI",
      dependencies: [
        "FrameBudget", "FrameBudgetSimulation", "FrameBudgetAdvice", "FrameBudgetRealTime",
        "FrameBudgetScenarios", "FrameBudgetReports", "FrameBudgetTerminal", "SchedulableThreads",
        "SchedulableObjects", "FrameBudgetCaptures", "FrameBudgetParsing", "FrameBudgetLearning",
        "CFrameBudgetNcurses", linux,
        .product(
          name: "ArgumentParser", package: "swift-argument-parser", condition: forTool),
      ],
      path: "Sources/Command/Tool", swiftSettings: strict),

    // Testing: measures the code of other packages' apps.

    // Records a running app, for `learn`; observes the jobs of the main actor.
    .target(
      name: "FrameRecording",
      dependencies: ["FrameBudget", "SchedulableThreads", "CFrameBudgetMainJobs", linux],
      path: "Sources/Testing/FrameRecording", swiftSettings: strict),
    // Measures a developer's own closures in a frame loop; for the test targets of other packages.
    .target(
      name: "FrameBudgetTesting",
      dependencies: [
        "FrameBudget", "FrameBudgetSimulation", "SchedulableThreads", "CFrameBudgetMainJobs",
        "FrameRecording",
      ],
      path: "Sources/Testing/FrameBudgetTesting", swiftSettings: strict),
    // The trait of tests that measure. Apart, because only tests can link Swift Testing.
    .target(
      name: "FrameBudgetTraits", dependencies: ["FrameBudgetTesting"],
      path: "Sources/Testing/FrameBudgetTraits", swiftSettings: strict),
    // Runs the tests that measure frames, and prints their verdicts. For other packages, so without the tool's dependencies.
    .executableTarget(
      name: "frame-budget",
      dependencies: [
        "FrameBudget", "FrameBudgetTesting", "FrameBudgetParsing", "FrameBudgetReports",
        "FrameBudgetSimulation",
      ],
      path: "Sources/Testing/FrameBudgetCommand", swiftSettings: strict),
    // Runs that program as `swift package frame-budget`.
    .plugin(
      name: "FrameBudgetPlugin",
      capability: .command(
        intent: .custom(
          verb: "frame-budget",
          description: "Run the tests that measure frames, and print their verdicts"))),

    // Research: what is measured about the project itself.

    // Computes the published results: the program of `make results`.
    .executableTarget(
      name: "FrameBudgetReference",
      dependencies: [
        "FrameBudget", "FrameBudgetSimulation", "FrameBudgetAdvice", "FrameBudgetScenarios",
        "FrameBudgetReports", "FrameBudgetParsing", "FrameBudgetCaptures", "FrameBudgetLearning",
      ],
      path: "Sources/Research/Reference", swiftSettings: strict),
    // Measures the time that this project's own code takes: the program of `make bench`.
    .executableTarget(
      name: "FrameBudgetBenchmarks",
      dependencies: [
        "FrameBudget", "FrameBudgetRealTime", "FrameBudgetSimulation", "FrameBudgetCaptures",
        "FrameBudgetParsing", "FrameBudgetTerminal", "SchedulableJobs", "SchedulableOperations",
        "OrderedDelivery", "SchedulableObjects", "FrameBudgetTesting", "SchedulableThreads",
        "FrameBudgetReports", linux,
      ],
      path: "Sources/Research/Benchmarks", swiftSettings: strict),

    // Tests, on the same floors.

    // Helpers for the tests of several modules.
    .target(
      name: "TestSupport", dependencies: ["SchedulableThreads"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "ProjectTests", dependencies: ["TestSupport", "FrameBudget", "FrameBudgetReports"],
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "ConcurrencyTests", dependencies: ["SchedulableThreads", "TestSupport"],
      path: "Tests/Libraries/ConcurrencyTests", swiftSettings: strict),
    // The example of SchedulableObjects' documentation, as a program that tests run.
    .executableTarget(
      name: "PrinterDemo", dependencies: ["SchedulableObjects"],
      path: "Tests/Libraries/PrinterDemo", swiftSettings: strict),
    .testTarget(
      name: "SchedulableObjectsTests",
      dependencies: ["SchedulableObjects", "SchedulableThreads", "PrinterDemo", "TestSupport"],
      path: "Tests/Libraries/SchedulableObjectsTests", swiftSettings: strict),
    .testTarget(
      name: "OrderedDeliveryTests",
      dependencies: ["OrderedDelivery", "SchedulableThreads", "TestSupport"],
      path: "Tests/Libraries/OrderedDeliveryTests", swiftSettings: strict),
    // A program that tests kill.
    .executableTarget(
      name: "JobsVictim", dependencies: ["SchedulableJobs"], path: "Tests/Libraries/JobsVictim",
      swiftSettings: strict),
    .testTarget(
      name: "JobsTests",
      dependencies: ["SchedulableJobs", "JobsVictim", "SchedulableThreads", "TestSupport"],
      path: "Tests/Libraries/JobsTests", swiftSettings: strict),
    .testTarget(
      name: "OperationsTests",
      dependencies: ["SchedulableOperations", "SchedulableThreads", "TestSupport"],
      path: "Tests/Libraries/OperationsTests", swiftSettings: strict),
    .testTarget(
      name: "FrameBudgetTests", dependencies: ["FrameBudget", linux],
      path: "Tests/Model/FrameBudgetTests", swiftSettings: strict),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["FrameBudgetSimulation", "FrameBudget", "TestSupport"],
      path: "Tests/Engines/SimulationTests", swiftSettings: strict),
    .testTarget(
      name: "RealTimeTests",
      dependencies: [
        "FrameBudgetRealTime", "SchedulableThreads", "SchedulableObjects", "FrameBudget",
        "FrameBudgetSimulation", "TestSupport", linux,
      ],
      path: "Tests/Engines/RealTimeTests", swiftSettings: strict),
    .testTarget(
      name: "ParsingTests", dependencies: ["FrameBudgetParsing"],
      path: "Tests/Input/ParsingTests", swiftSettings: strict),
    .testTarget(
      name: "ScenariosTests",
      dependencies: [
        "FrameBudgetScenarios", "FrameBudgetSimulation", "FrameBudget", "TestSupport",
      ],
      path: "Tests/Input/ScenariosTests", exclude: ["Broken"], swiftSettings: strict),
    .testTarget(
      name: "CapturesTests",
      dependencies: [
        "FrameBudgetCaptures", "FrameBudget", "FrameBudgetParsing", "FrameBudgetReports",
        "FrameBudgetScenarios", "FrameBudgetSimulation", "TestSupport",
      ],
      path: "Tests/Input/CapturesTests",
      exclude: ["Logs/frametimeline.py", "Logs/games.py", "Logs/totals.py", "Logs/xctrace.py"],
      swiftSettings: strict),
    .testTarget(
      name: "AdviceTests",
      dependencies: [
        "FrameBudgetAdvice", "FrameBudgetSimulation", "FrameBudget", "FrameBudgetScenarios",
        "TestSupport",
      ],
      path: "Tests/Questions/AdviceTests", swiftSettings: strict),
    .testTarget(
      name: "ProvingTests",
      dependencies: [
        "FrameBudgetAdvice", "FrameBudgetSimulation", "FrameBudget", "FrameBudgetScenarios",
        "TestSupport",
      ],
      path: "Tests/Questions/ProvingTests", swiftSettings: computing),
    .testTarget(
      name: "LearningTests",
      dependencies: [
        "FrameBudgetLearning", "FrameBudgetCaptures", "FrameBudget", "FrameBudgetParsing",
        "FrameBudgetReports", "FrameBudgetScenarios", "FrameBudgetSimulation", "TestSupport",
      ],
      path: "Tests/Questions/LearningTests", swiftSettings: strict),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "FrameBudgetReports", "FrameBudgetSimulation", "FrameBudget", "FrameBudgetParsing",
        "TestSupport",
      ],
      path: "Tests/Views/ReportsTests", exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "TerminalTests",
      dependencies: ["FrameBudgetTerminal", "FrameBudgetSimulation", "FrameBudget", "TestSupport"],
      path: "Tests/Views/TerminalTests", exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "ToolTests",
      dependencies: [
        "FrameBudgetCLI", "FrameBudget", "FrameBudgetLearning", "FrameBudgetParsing",
        "FrameBudgetRealTime", "FrameBudgetReports", "FrameBudgetScenarios",
        "FrameBudgetSimulation", "FrameBudgetTerminal", "TestSupport", linux,
        .product(
          name: "ArgumentParser", package: "swift-argument-parser", condition: forTool),
      ],
      path: "Tests/Command/ToolTests", swiftSettings: strict),
    // A program with a main run loop, which a process of tests lacks on Linux.
    .executableTarget(
      name: "RunLoopApp",
      dependencies: ["FrameBudgetTesting", "FrameRecording", "FrameBudget", "SchedulableThreads"],
      path: "Tests/Testing/RunLoopApp", swiftSettings: strict),
    .testTarget(
      name: "FrameBudgetTestingTests",
      dependencies: [
        "FrameBudgetTesting", "FrameBudgetTraits", "RunLoopApp", "FrameBudget",
        "FrameBudgetSimulation",
        "SchedulableObjects", "FrameBudgetScenarios", "FrameBudgetCaptures", "FrameBudgetParsing",
        "SchedulableThreads", "TestSupport",
      ],
      path: "Tests/Testing/FrameBudgetTestingTests", swiftSettings: strict),
    .testTarget(
      name: "FrameBudgetCommandTests",
      dependencies: [
        "frame-budget", "FrameBudgetTesting", "FrameBudgetCLI", "FrameBudgetReports",
        "TestSupport",
      ],
      path: "Tests/Testing/FrameBudgetCommandTests", swiftSettings: strict),
    // A program that records itself, for the tests of `record`.
    .executableTarget(
      name: "RecordedApp", dependencies: ["FrameRecording", "SchedulableObjects"],
      path: "Tests/Testing/RecordedApp",
      swiftSettings: strict),
    .testTarget(
      name: "FrameRecordingTests",
      dependencies: [
        "FrameRecording", "RecordedApp", "FrameBudget", "FrameBudgetTesting",
        "SchedulableThreads", "FrameBudgetLearning", "FrameBudgetCaptures", "FrameBudgetParsing",
        "SchedulableObjects", "TestSupport",
      ],
      path: "Tests/Testing/FrameRecordingTests", swiftSettings: strict),
    // The same figures of the same runs, from every view and every file.
    .testTarget(
      name: "FiguresTests",
      dependencies: [
        "FrameBudget", "FrameBudgetCaptures", "FrameBudgetParsing", "FrameBudgetReports",
        "FrameBudgetScenarios", "FrameBudgetSimulation", "TestSupport",
      ],
      path: "Tests/Command/FiguresTests", swiftSettings: strict),
    .testTarget(
      name: "ReferenceTests",
      dependencies: [
        "FrameBudgetReference", "FrameBudgetReports", "FrameBudget", "FrameBudgetScenarios",
        "TestSupport",
      ],
      path: "Tests/Research/ReferenceTests", swiftSettings: strict),
  ]
)

/// With this variable only the test modules that it names are built: sanitizers need only those with threads.
if let chosen = Context.environment["FRAMEBUDGET_TESTS"]?.split(separator: " ") {
  package.targets.removeAll { $0.type == .test && !chosen.contains(Substring($0.name)) }
}
