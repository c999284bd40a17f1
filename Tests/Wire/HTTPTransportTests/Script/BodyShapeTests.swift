import SDHTTPTransport
import SDTestSupport
import Synchronization
import Testing

/// Transforms do the same to every body, in every framing, and say where they applied.
@Suite struct BodyShapeTests {
    /// What bodies are made of.
    enum Made: CaseIterable, CustomTestStringConvertible {
        case length, chunks, large, file, dribbled

        var script: WireScript {
            let bytes = WireBytes(pattern(count))
            let announced: Announced = self == .length ? .length : .chunks
            let body: [WireStep]
            switch self {
            case .length, .chunks, .large: body = [.body(bytes)]
            case .file: body = [.file(patternFile(count))]
            case .dribbled: body = [.body(bytes, 0..<1), .body(bytes, 1..<500), .body(bytes, 500..<count)]
            }
            return WireScript([.head(announced.head(count))] + body + [.end(.close)])
        }

        var count: Int { self == .large ? 40_000 : 1000 }
        var testDescription: String { "\(self)" }
    }

    /// The offsets at which a transform said that it applied.
    private final class Places: Sendable {
        private let found = Mutex<[Int?]>([])
        var all: [Int?] { found.withLock { $0 } }
        func add(_ offset: Int?) { found.withLock { $0.append(offset) } }
    }

    private func run(
        _ made: Made, _ framing: Framing, _ shape: (BodyShape, @escaping BodyShape.Applied) -> BodyShape
    ) throws -> (body: ReceivedBody, ending: RawClient.Ending, places: [Int?]) {
        let places = Places()
        var shape = shape(BodyShape()) { places.add($0) }
        let received = try framing.run(shape.apply(to: made.script))
        return (framing.body(of: received.bytes), received.ending, places.all)
    }

    @Test(arguments: Made.allCases, Framing.allCases)
    func corruptedBytesAreOthersAndTheRestIsTheSame(made: Made, framing: Framing) throws {
        let whole = pattern(made.count)
        for offset in [0, 1, 499, 500, made.count - 1] {
            let (body, _, places) = try run(made, framing) {
                $0.corrupted(Corruption(.byte(offset), drawing: TestGenerator(seed: 1)), applied: $1)
            }
            #expect(body.isComplete && body.bytes.count == whole.count)
            #expect(whole.indices.filter { body.bytes[$0] != whole[$0] } == [offset])
            #expect(places == [offset])
        }
    }

    @Test(arguments: Made.allCases)
    func aRateCorruptsThatPartAndTheSameBytesForASeed(made: Made) throws {
        let whole = pattern(made.count)
        func corrupt(_ rate: Double, seed: UInt64) throws -> (bytes: [UInt8], places: [Int?]) {
            let (body, _, places) = try run(made, .http1) {
                $0.corrupted(Corruption(.rate(rate), drawing: TestGenerator(seed: seed)), applied: $1)
            }
            return (body.bytes, places)
        }
        let (bytes, places) = try corrupt(0.1, seed: 5)
        #expect(whole.indices.filter { bytes[$0] != whole[$0] } == places.compactMap(\.self))
        #expect((whole.count / 20...whole.count * 3 / 20).contains(places.count))
        #expect(try corrupt(0.1, seed: 5).bytes == bytes)
        #expect(try corrupt(0.1, seed: 6).bytes != bytes)
        #expect(try corrupt(0, seed: 5).bytes == whole)
        #expect(try corrupt(1, seed: 5).places.count == whole.count)
    }

    /// A file is as long as several of the windows in which it is read, and much is done to it.
    @Test(arguments: [0.000_01, 0.001, 0.5], Framing.allCases)
    func aFileIsCorruptedLikeTheSameBytesInMemory(rate: Double, framing: Framing) throws {
        let count = 700_000
        func received(_ body: WireStep, _ shape: (BodyShape) -> BodyShape) throws -> [UInt8] {
            let corruption = Corruption(.rate(rate), drawing: TestGenerator(seed: 8))
            var shape = shape(BodyShape().corrupted(corruption))
            let script = WireScript([.head(Announced.chunks.head(count)), body, .end(.close)])
            return framing.body(of: try framing.run(shape.apply(to: script)).bytes).bytes
        }
        let part = patternFile(count + 100)[100..<(count + 100)]
        let bytes = WireBytes(Array(pattern(count + 100).dropFirst(100)))
        let shapes: [(BodyShape) -> BodyShape] = [
            { $0 }, { $0.cut(after: count - 1, then: .abort(.fin)) },
            { $0.sliced(size: 100_001, gapNanoseconds: 1000) },
            { $0.slowed(toBytesPerSecond: 100_000_000).stalled(after: 131_073, nanoseconds: 1000) },
        ]
        for shape in shapes {
            let (file, memory) = (try received(.file(part), shape), try received(.body(bytes), shape))
            // As Booleans: differences of long arrays take for ever to be shown.
            let (isWhole, isChanged) = (file.count >= count - 1, file != Array(bytes.copy.prefix(file.count)))
            let isSame = file == memory
            #expect(isWhole && isChanged && isSame)
        }
    }

    /// Before its first byte is sent nothing of a file is read.
    @Test(arguments: [Corruption.Place.byte(7), .rate(0.01)])
    func aFileIsCorruptedWhileItIsSent(place: Corruption.Place) throws {
        let file = TestFile(pattern(200_000))
        let places = Places()
        var shape = BodyShape().corrupted(Corruption(place, drawing: TestGenerator(seed: 3))) { places.add($0) }
        let script = shape.apply(
            to: WireScript([.head(Announced.chunks.head(200_000)), .file(file.part), .end(.close)]))
        let later = [UInt8](repeating: 0, count: 200_000)
        file.write(later)
        let body = ReceivedBody(of: try Framing.http1.run(script).bytes)
        #expect(body.isComplete && body.bytes.count == later.count)
        let isLater = body.bytes.indices.filter { body.bytes[$0] != 0 } == places.all.compactMap(\.self)
        #expect(isLater && !places.all.isEmpty)
    }

    @Test(arguments: Made.allCases, Framing.allCases)
    func slicesStallsAndPausesKeepTheBytes(made: Made, framing: Framing) throws {
        for offset in [0, 1, 500, made.count] {
            let (body, ending, places) = try run(made, framing) {
                $0.stalled(after: offset, nanoseconds: milliseconds(1), applied: $1)
                    .sliced(size: 300, gapNanoseconds: 1000).paused { _ in 1000 }
            }
            #expect(body == ReceivedBody(pattern(made.count), isComplete: true))
            #expect(ending == .fin && places == [offset])
        }
    }

    @Test(arguments: Made.allCases, Framing.allCases)
    func aShareOfEachBodyIsCut(made: Made, framing: Framing) throws {
        for (share, count) in [(0.0, 0), (0.25, made.count / 4), (1, made.count)] {
            let (body, ending, places) = try run(made, framing) { $0.cut(at: .share(share), then: .rst, applied: $1) }
            #expect(body.bytes == Array(pattern(made.count).prefix(count)))
            #expect(ending == .rst && places == [count])
        }
    }

    @Test(arguments: Framing.allCases)
    func aCutBehindPiecesLeavesThemWhole(framing: Framing) throws {
        for (pieces, count) in [(0, 0), (1, 1), (2, 500), (3, 1000)] {
            let (body, ending, places) = try run(.dribbled, framing) {
                $0.cut(at: .pieces(pieces), then: .fin, applied: $1)
            }
            #expect(body == ReceivedBody(Array(pattern(count)), isComplete: false))
            #expect(ending == .fin && places == [count])
        }
        #expect(try run(.dribbled, framing) { $0.cut(at: .pieces(4), then: .fin, applied: $1) }.body.isComplete)
    }

    @Test(arguments: Made.allCases)
    func aWrongLengthReplacesTheChunks(made: Made) throws {
        for difference in [5, -5] {
            var shape = BodyShape().statingLength(wrongBy: difference)
            let received = try Framing.http1.run(shape.apply(to: made.script))
            let head = wire("HTTP/1.1 200 OK\r\nContent-Length: \(made.count + difference)\r\n\r\n")
            #expect(received.bytes == head + pattern(made.count))
            #expect(received.ending == .fin)
        }
    }

    @Test(arguments: Made.allCases)
    func aLateCloseComesAfterTheWholeAnswer(made: Made) throws {
        let clock = ContinuousClock()
        let begin = clock.now
        let (body, ending, _) = try run(made, .http1) { $0.closedLate(byMilliseconds: 30, applied: $1) }
        #expect(body == ReceivedBody(pattern(made.count), isComplete: true))
        #expect(ending == .fin && clock.now - begin >= .milliseconds(30))
    }

    @Test func aStallWithoutEndHoldsTheAnswerUntilTheClientLeaves() throws {
        let observer = EndObserver()
        var shape = BodyShape().stalled(after: 3, nanoseconds: nil)
        let script = shape.apply(to: Made.length.script)
        let server = try TestServer(limits: .patient) { _, reply in reply.send(script, observer: observer) }
        let client = try server.client()
        try client.send(get("/"))
        #expect(client.receive(until: "\u{0}\u{1}\u{2}").ending == .open)
        client.close()
        #expect(observer.ends.next()?.outcome == .clientDisconnected)
    }

    @Test func transformsWorkOnAnAnswerInPieces() throws {
        let places = Places()
        let shape = BodyShape().prefixed(with: WireBytes(wire("!"))).repeatingField("X-A", value: "c")
            .corrupted(Corruption(.byte(4), drawing: TestGenerator(seed: 1))) { places.add($0) }
            .stalled(after: 5, nanoseconds: 1000) { places.add($0) }
            .cut(at: .byte(7), then: .rst) { places.add($0) }
        let server = try TestServer(limits: .patient) { _, reply in
            let held = reply.hold([.head(Announced.chunks.head(0, [("X-A", "b")]))], shape: shape, onEnd: { _ in })
            for piece in ["abc", "def", "ghi"] { held.send(WireBytes(wire(piece))) }
            held.finish(WireScript([.end(.close)]))
        }
        let client = try server.client()
        try client.send(get("/"))
        let received = client.receiveAll()
        #expect(received.ending == .rst)
        #expect(received.bytes.starts(with: wire("!HTTP/1.1 200 OK\r\n")))
        #expect(received.text.contains("X-A: b\r\nX-A: c\r\n"))
        let body = ReceivedBody(of: Array(received.bytes.dropFirst()))
        #expect(body.bytes.count == 7 && body.bytes.starts(with: wire("abcd")))
        #expect(places.all == [4, 5, 7])
    }

    @Test func aScaleOfTimeShortensWaitsPacesAndLateEnds() throws {
        let script = WireScript([
            .wait(nanoseconds: milliseconds(60_000)), .head(Announced.length.head(100)),
            .pace(WireBytes(pattern(100)), 0..<100, bytesPerSecond: 1), .end(.close),
        ])
        var shape = BodyShape().closedLate(byMilliseconds: 60_000)
        let late = shape.apply(to: script)
        let server = try TestServer(limits: .patient) { _, reply in
            reply.scaleTime(by: 1e-4)
            reply.send(late)
        }
        let client = try server.client()
        let clock = ContinuousClock()
        let begin = clock.now
        try client.send(get("/"))
        let received = client.receiveAll()
        #expect(received.ending == .fin && received.bytes.suffix(100).elementsEqual(pattern(100)))
        // The client's patience ends long before the minutes that the script would take.
        #expect(clock.now - begin >= .milliseconds(22))
    }
}
