import Dispatch
import Foundation
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetRealTime

@Suite struct `A bridge` {
  @Test func `carries calls of the size that apps send, as JSON`() throws {
    let call = RemoteCall(module: "catalogue", callback: 17)
    let json = RemoteCoding.encoded(call)
    let text = String(decoding: json, as: UTF8.self)
    #expect(text.contains(#""module":"catalogue""#) && text.contains(#""callback":17"#))
    #expect((200...400).contains(json.count))
    let decoded = try #require(RemoteCoding.decoded(json, as: RemoteCall.self))
    #expect(decoded.argument.path == call.argument.path)
    #expect(RemoteAnswer(to: decoded).callback == 17)
  }

  @Test func `runs nothing before the flush, and then all calls in order`() async throws {
    let (before, after) = await onOwnThread {
      let bridge = Bridge(flush: .milliseconds(1))
      let record = EventRecord()
      for number in 0..<20 {
        bridge.call("files", PostedEvent { record.ran(sender: 0, number: number) })
      }
      let before = record.count
      bridge.close()
      bridge.serve()
      return (before, record.numbers(of: 0))
    }
    #expect(before == 0)
    #expect(after == Array(0..<20))
  }

  @Test func `waits for the answer to each call, once`() async throws {
    let counts = await onOwnThread {
      let bridge = Bridge(flush: .milliseconds(1))
      for _ in 0..<3 { bridge.call("files", PostedEvent {}) }
      let called = bridge.unanswered
      bridge.close()
      bridge.serve()
      let run = bridge.unanswered
      bridge.takeAnswers()
      return [called, run, bridge.unanswered]
    }
    #expect(counts == [3, 3, 0])
  }
}
