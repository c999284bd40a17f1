import TestSupport
import Testing

@testable import MockEngine

/// A reader that joins late hears what it missed before what has come since.
@Suite struct LateReaderTests {
    private final class Listener: EventReader {
        let heard = Locked<[String]>([])

        func send(_ events: [UInt8], isReplay: Bool) {
            heard.withLock { $0.append((isReplay ? "missed " : "") + String(decoding: events, as: UTF8.self)) }
        }

        func finish() {
            heard.withLock { $0.append("end") }
        }
    }

    @Test func whatComesMeanwhileWaits() {
        let listener = Listener()
        let late = LateReader(listener)
        late.send(Array("1".utf8), isReplay: false)
        late.send(Array("2".utf8), isReplay: false)
        #expect(listener.heard.withLock { $0 }.isEmpty)
        late.begin(with: Array("0".utf8))
        late.send(Array("3".utf8), isReplay: false)
        late.finish()
        #expect(listener.heard.withLock { $0 } == ["missed 0", "1", "2", "3", "end"])
    }

    @Test func anEndThatComesMeanwhileWaitsToo() {
        let listener = Listener()
        let late = LateReader(listener)
        late.send(Array("1".utf8), isReplay: false)
        late.finish()
        #expect(listener.heard.withLock { $0 }.isEmpty)
        late.begin(with: Array("0".utf8))
        #expect(listener.heard.withLock { $0 } == ["missed 0", "1", "end"])
    }
}
