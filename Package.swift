// swift-tools-version: 6.2
import PackageDescription

/// One set of rules for every Swift target: Swift 6, no warnings, unsafe constructs marked where they stand.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

let package = Package(
  name: "framebudget",
  products: [
    .library(name: "SchedulableObjects", targets: ["SchedulableObjects"]),
    .library(name: "FrameBudget", targets: ["FrameBudget"]),
  ],
  targets: [
    .target(name: "CLinux"),
    .target(
      name: "SchedulableObjects",
      dependencies: [.target(name: "CLinux", condition: .when(platforms: [.linux]))],
      swiftSettings: strict),
    .target(name: "FrameBudget", swiftSettings: strict),
    .testTarget(
      name: "SchedulableObjectsTests", dependencies: ["SchedulableObjects"], swiftSettings: strict),
    .testTarget(name: "FrameBudgetTests", dependencies: ["FrameBudget"], swiftSettings: strict),
  ]
)
