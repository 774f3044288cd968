import FrameBudget
import Testing

@Suite struct PublicationTests {
  /// The `frames` that publish under `rule`, each after a change.
  private func published(_ rule: Reading.PublishRule?, _ frames: [Int]) -> [Bool] {
    var publication = Publication(isPublished: true)
    return frames.map {
      publication.change()
      return publication.publish(rule, in: $0)
    }
  }

  @Test func `per step, every change is published`() {
    #expect(published(.perStep, [0, 0, 1]) == [true, true, true])
  }

  @Test func `per frame, only the first change of a frame is published`() {
    #expect(published(.perFrame, [0, 0, 0, 1, 3, 3]) == [true, false, false, true, true, false])
  }

  @Test func `an idle lane publishes its unpublished changes, and nothing else`() {
    #expect(published(nil, [0, 0]) == [true, true])
    var publication = Publication(isPublished: true)
    publication.change()
    let published = [Reading.PublishRule.perFrame, nil, nil].map { rule in
      if rule == nil { return publication.publish(nil, in: 0) }
      let first = publication.publish(rule, in: 0)
      publication.change()
      return first
    }
    #expect(published == [true, true, false])
    #expect(publication.version == 2 && publication.published == 2)
  }

  @Test func `nothing is published of a service that has not changed`() {
    var publication = Publication(isPublished: true)
    let published = [.perStep, .perFrame, nil].map { publication.publish($0, in: 0) }
    #expect(published == [false, false, false])
  }

  @Test func `the first change after a snapshot copies the state`() {
    var publication = Publication(isPublished: true)
    var copies = [publication.beginChange(), publication.beginChange()]
    publication.change()
    copies.append(publication.publish(nil, in: 0))
    copies += [publication.beginChange(), publication.beginChange()]
    #expect(copies == [true, false, true, true, false])
  }

  @Test func `without a snapshot nothing is copied`() {
    var publication = Publication(isPublished: false)
    let copies = publication.beginChange()
    #expect(!copies)
  }

  @Test func `older snapshots miss the newest change of a finished item`() {
    var newest = NewestDone()
    #expect(newest.missed(by: 0) == nil)
    newest.done(3, at: .ms(5))
    newest.done(2, at: .ms(6))
    #expect(newest.missed(by: 2) == .ms(5))
    #expect(newest.missed(by: 3) == nil)
  }
}
