/// The scenarios that come with the tool: the files of the folder `scenarios`, built in, so that their names work everywhere.
///
/// Every file of the folder is embedded; its line here sets its place in the list.
public enum ShippedScenarios {
  /// In the order in which they are listed: the main one first, then from simple to special.
  public static let all: [ShippedScenario] = [
    ShippedScenario(name: "camera-upload", bytes: PackageResources.camera_upload_yaml),
    ShippedScenario(name: "steady", bytes: PackageResources.steady_yaml),
    ShippedScenario(name: "three-files", bytes: PackageResources.three_files_yaml),
    ShippedScenario(name: "at-90-hertz", bytes: PackageResources.at_90_hertz_yaml),
    ShippedScenario(name: "at-120-hertz", bytes: PackageResources.at_120_hertz_yaml),
    ShippedScenario(name: "second-buffer", bytes: PackageResources.second_buffer_yaml),
    ShippedScenario(name: "like-ios", bytes: PackageResources.like_ios_yaml),
    ShippedScenario(name: "like-android", bytes: PackageResources.like_android_yaml),
    ShippedScenario(name: "like-chrome", bytes: PackageResources.like_chrome_yaml),
    ShippedScenario(name: "step-cost", bytes: PackageResources.step_cost_yaml),
    ShippedScenario(name: "multi-select", bytes: PackageResources.multi_select_yaml),
    ShippedScenario(name: "gallery-scan", bytes: PackageResources.gallery_scan_yaml),
    ShippedScenario(name: "tap-behind-files", bytes: PackageResources.tap_behind_files_yaml),
    ShippedScenario(name: "results-at-once", bytes: PackageResources.results_at_once_yaml),
    ShippedScenario(name: "long-task", bytes: PackageResources.long_task_yaml),
    ShippedScenario(name: "hop-chain", bytes: PackageResources.hop_chain_yaml),
    ShippedScenario(name: "fork-join", bytes: PackageResources.fork_join_yaml),
    ShippedScenario(name: "moved-services", bytes: PackageResources.moved_services_yaml),
    ShippedScenario(name: "accounts", bytes: PackageResources.accounts_yaml),
    ShippedScenario(name: "split-clusters", bytes: PackageResources.split_clusters_yaml),
    ShippedScenario(name: "many-services", bytes: PackageResources.many_services_yaml),
    ShippedScenario(name: "dependency-chains", bytes: PackageResources.dependency_chains_yaml),
    ShippedScenario(name: "album-order", bytes: PackageResources.album_order_yaml),
    ShippedScenario(name: "import-folder", bytes: PackageResources.import_folder_yaml),
    ShippedScenario(name: "kept-jobs", bytes: PackageResources.kept_jobs_yaml),
    ShippedScenario(name: "shared-lock", bytes: PackageResources.shared_lock_yaml),
    ShippedScenario(name: "lock-starvation", bytes: PackageResources.lock_starvation_yaml),
    ShippedScenario(name: "lock-order", bytes: PackageResources.lock_order_yaml),
    ShippedScenario(name: "priority-inversion", bytes: PackageResources.priority_inversion_yaml),
  ]

  /// The scenario called `name`.
  public static func scenario(_ name: String) -> ShippedScenario? { all.first { $0.name == name } }
}

/// A scenario file, and its name for `run` and other commands.
public struct ShippedScenario: Sendable {
  public let name: String
  public let bytes: [UInt8]

  /// The file name in errors.
  public var file: String { "\(name).yaml" }
}
