// swift-tools-version: 6.2
import PackageDescription

/// Stands for packages that many apps use, by the names of their targets: SQLite.swift, swift-parsing, swift-jobs.
let package = Package(
  name: "Others",
  products: [.library(name: "Others", targets: ["SQLite", "CSQLite", "Parsing", "Jobs"])],
  targets: ["SQLite", "CSQLite", "Parsing", "Jobs"].map { .target(name: $0) }
)
