import FrameBudget
import Testing

struct MetricSetTests {
  @Test(arguments: MetricSet.allCases)
  func `the metrics of each platform are unique and in the catalogue`(_ set: MetricSet) {
    let names = set.metrics.map(\.theirs)
    #expect(names.count > 1 && Set(names).count == names.count)
    for theirs in set.metrics {
      #expect(MetricCatalog.metric(theirs.metric.name)?.formula == theirs.metric.formula)
      #expect(theirs.title.count == 2 && theirs.title.contains { !$0.isEmpty }, "\(theirs.theirs)")
      #expect(theirs.source.address.hasPrefix("https://"), "\(theirs.theirs)")
    }
    #expect(Set(set.metrics.map(\.metric.name)).count == names.count)
  }

  @Test func `every metric that was added for platforms belongs to a platform`() {
    let names = PlatformMetric.all.map(\.metric.name)
    // The mark of a lower bound belongs to the value.
    let ofPlatforms = Set(names + names.map(Metric.bound))
    // Later columns of the same schema may be of no platform.
    let last = Metric.bound(of: Metric.inp.name)
    for metric in MetricCatalog.added(by: 3).prefix(while: { $0.name != last }) {
      #expect(ofPlatforms.contains(metric.name), "\(metric.name)")
    }
  }

  @Test func `a scenario for a platform shows that platform's metrics`() {
    #expect(ScreenPlatform.ios.metrics == .apple && ScreenPlatform.macos.metrics == .apple)
    #expect(ScreenPlatform.android.metrics == .android && ScreenPlatform.gtk.metrics == nil)
  }
}
