import SDHTTPTransport
import SDTestSupport
import SDWebSocket
import Testing

/// The table of cases, as the reader tells them and as a client on a socket sees them.
@Suite struct FrameTests {
    @Test func theTableIsWhole() {
        #expect(FrameCases.all.count > 200)
        #expect(Set(FrameCases.all.map { "\($0.name)\($0.compresses)" }).count > 200)
    }

    @Test(arguments: FrameCases.all) func theReaderTellsWhatWasSent(of sent: FrameCase) {
        for piece in sent.isLong ? [sent.bytes.count, 997] : [sent.bytes.count, 7, 2, 1] {
            #expect(told(by: sent, inPiecesOf: piece) == sent.told, "in pieces of \(piece)")
        }
    }

    private func told(by sent: FrameCase, inPiecesOf size: Int) -> [FrameCase.Told] {
        var reader = WebSocketFrameReader(sent.settings, inflates: sent.compresses)
        var (events, rest): ([FrameCase.Told], ArraySlice<UInt8>) = ([], sent.bytes[...])
        while !rest.isEmpty {
            var (piece, at) = (Array(rest.prefix(size)), 0)
            rest = rest.dropFirst(size)
            while let event = reader.next(in: &piece, from: &at) { events.append(Self.told(event, sent)) }
            #expect(at == piece.count)
        }
        return events
    }

    /// A refusal is told by the words that are expected, if it has them.
    private static func told(_ event: WebSocketEvent, _ sent: FrameCase) -> FrameCase.Told {
        switch event {
        case .message(let message): return message.kind == .text ? .text(message.text) : .binary(message.bytes)
        case .ping(let payload): return .ping(payload)
        case .pong(let payload): return .pong(payload)
        case .close(let code, let reason): return .close(code, reason)
        case .refused(let fault):
            if case .refused(_, let words) = sent.told.last, fault.text.contains(words) {
                return .refused(fault.code, words)
            }
            return .refused(fault.code, fault.text)
        }
    }

    /// The same bytes over a socket, to a server that sends back each message.
    @Test(arguments: FrameCases.all) func aServerAnswersOverASocket(what sent: FrameCase) throws {
        let echo = try EchoServer(sent.settings)
        for size in sent.isLong ? [sent.bytes.count] : [sent.bytes.count, 3] {
            let client = try echo.client(compresses: sent.compresses)
            var rest = sent.bytes[...]
            while !rest.isEmpty {
                // A server that has refused the first pieces may be gone.
                do { try client.send(Array(rest.prefix(size))) } catch { break }
                rest = rest.dropFirst(size)
            }
            if !sent.ends { try client.send(frame(0x88, closing(1000))) }
            let received = client.receiveAll()
            let end = try #require(echo.observer.ends.next())
            #expect(received.bytes == Self.answer(to: sent, refusing: end.reason), "in pieces of \(size)")
            #expect(received.ending == .fin)
            if case .refused(let code, let words) = sent.told.last {
                #expect(!end.wasClean && end.code == code && end.reason.contains(words))
            } else {
                #expect(end.wasClean && end.cause == .client)
            }
        }
    }

    /// - Parameter refusing: the sentence of a refusal.
    static func answer(to sent: FrameCase, refusing sentence: String) -> [UInt8] {
        let answers: [[UInt8]] = sent.told.map { told in
            switch told {
            case .text(let text): return answered(0x81, utf8(text))
            case .binary(let bytes): return answered(0x82, bytes)
            case .ping(let payload): return answered(0x8A, payload)
            case .pong: return []
            case .close(let code, _): return answered(0x88, code == 1005 ? [] : closing(code))
            case .refused(let code, _): return answered(0x88, closing(code, sentence))
            }
        }
        return Array(answers.joined()) + (sent.ends ? [] : answered(0x88, closing(1000)))
    }
}
