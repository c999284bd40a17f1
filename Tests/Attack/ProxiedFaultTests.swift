import Foundation
import SDTestSupport
import Testing

/// Faults, delays and paces act on the bodies of other servers as on those of stubs: what arrives, however the other server frames
/// its body and whatever the client speaks.
@Suite struct ProxiedFaultTests {
    /// How the other server tells the end of its body, which is `0123456789`.
    enum Framing: String, CaseIterable, Sendable {
        case length, chunks, close

        var answer: String {
            let head = "HTTP/1.1 200 OK\r\nX-Own: 1\r\n"
            switch self {
            case .length: return head + "Content-Length: 10\r\n\r\n0123456789"
            case .chunks:
                return head + "Transfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n"
                    + "5\r\n01234\r\n5\r\n56789\r\n0\r\nX-T: t\r\n\r\n"
            case .close: return head + "Connection: close\r\n\r\n0123456789"
            }
        }

        /// The sizes of its pieces.
        var pieces: [Int] { self == .chunks ? [5, 5] : [10] }
    }

    /// What a client gets.
    struct Outcome: Equatable, CustomStringConvertible {
        /// What comes before the status line.
        var prefix = ""
        /// Nil for no head.
        var status: Int? = 200
        /// How often the field comes.
        var own = 1
        var body = "0123456789"
        /// The sizes of the pieces of a body in chunks, or in frames; nil where it has none.
        var pieces: [Int]?
        var isWhole = true
        var hasTrailers = false
        /// What becomes of the connection, or of the stream of HTTP/2: `open`, `fin`, `rst`, `end`, or the code of a reset.
        var end = "open"

        var description: String {
            let pieces = pieces.map { "\($0)" } ?? "-"
            return
                "\(prefix)[\(status ?? 0)] own \(own) body \(body) \(pieces) whole \(isWhole) trailers \(hasTrailers) \(end)"
        }

        mutating func isCut(_ body: String, _ pieces: [Int], _ end: String) {
            (self.body, isWhole, hasTrailers, self.end) = (body, false, false, end)
            if self.pieces != nil { self.pieces = pieces }
        }
    }

    struct Case: Sendable {
        let name: String
        /// Members of the stub's response in JSON.
        let members: String
        /// The least time that it takes, in milliseconds.
        let least: Int
        /// Whether the pieces come one by one, so that frames of HTTP/2 are as the pieces are.
        var isSpaced: Bool { name == "slice" || name == "dribble" }
        /// Whether pieces that come at once may go on as one, or one that goes slowly as many.
        var mayMerge: Bool { ["nothing", "fixedDelay", "delay", "bandwidth"].contains(name) }
        /// Makes of what a client gets without the fault what it gets.
        let change: @Sendable (_ outcome: inout Outcome, _ isHTTP2: Bool, _ framing: Framing) -> Void

        init(
            _ name: String, _ members: String, least: Int = 0,
            _ change: @escaping @Sendable (inout Outcome, Bool, Framing) -> Void = { _, _, _ in }
        ) {
            (self.name, self.members, self.least, self.change) = (name, members, least, change)
        }

        /// A fault that cuts the body behind 7 bytes.
        static func cut(_ then: String, _ end: String, http2: String) -> Case {
            Case("cut, \(then)", #""fault": {"cutAfter": 7, "then": \#(then)}"#) { outcome, isHTTP2, framing in
                outcome.isCut("0123456", framing == .chunks ? [5, 2] : [7], isHTTP2 ? http2 : end)
            }
        }
    }

    private static let cuts = [
        Case.cut(#""fin""#, "fin", http2: "fin"),
        Case.cut(#""rst""#, "rst", http2: "rst"),
        Case.cut(#""cut""#, "fin", http2: "fin"),
        Case.cut(#""hang""#, "open", http2: "open"),
        Case.cut(#"{"resetStream": "CANCEL"}"#, "rst", http2: "reset 8"),
        Case.cut(#"{"goAway": "NO_ERROR"}"#, "fin", http2: "fin"),
        Case("cut behind all", #""fault": {"cutAfter": 11}"#),
        Case("cut behind the head", #""fault": {"cutAfter": "headers"}"#) { outcome, _, _ in
            outcome.isCut("", [], "fin")
        },
        Case("cut before the head", #""fault": {"cutAfter": "nothing"}"#) { outcome, _, _ in
            outcome.isCut("", [], "fin")
            (outcome.status, outcome.own, outcome.pieces) = (nil, 0, nil)
        },
        Case("cut behind a chunk", #""fault": {"cutAfter": {"chunk": 1}}"#) { outcome, isHTTP2, framing in
            outcome.isCut(framing == .chunks ? "01234" : "0123456789", [framing.pieces[0]], "fin")
            outcome.isWhole = framing == .length && !isHTTP2
        },
    ]

    private static let paces = [
        Case("nothing", #""headers": {"X": "y"}"#),
        Case("fixedDelay", #""fixedDelayMilliseconds": 100"#, least: 100),
        Case("delay", #""fault": {"delay": "100ms"}"#, least: 100),
        Case("bandwidth", #""fault": {"bandwidth": "100B/s"}"#, least: 80),
        Case("slice", #""fault": {"slice": {"size": 3, "gap": "30ms"}}"#, least: 90) { outcome, _, framing in
            if outcome.pieces != nil { outcome.pieces = framing == .chunks ? [3, 2, 3, 2] : [3, 3, 3, 1] }
        },
        Case("dribble", #""chunkedDribbleDelay": {"numberOfChunks": 5, "totalDuration": 100}"#, least: 80) {
            outcome, _, _ in
            if outcome.pieces != nil { outcome.pieces = [2, 2, 2, 2, 2] }
        },
        Case("stall", #""fault": {"stall": {"after": 4, "for": "100ms"}}"#, least: 100) { outcome, _, framing in
            if outcome.pieces != nil { outcome.pieces = framing == .chunks ? [4, 1, 5] : [4, 6] }
        },
        Case("stall before the end", #""fault": {"stall": {"after": 10, "for": "100ms"}}"#),
        Case("stall for ever", #""fault": {"stall": {"after": 4, "for": "forever"}}"#) { outcome, _, _ in
            outcome.isCut("0123", [4], "open")
        },
        Case("slowClose", #""fault": {"slowClose": "100ms"}"#) { outcome, isHTTP2, _ in
            if !isHTTP2 { outcome.end = "fin" }
        },
        Case("neverAnswer", #""fault": {"neverAnswer": true}"#) { outcome, _, _ in
            outcome.isCut("", [], "open")
            (outcome.status, outcome.own, outcome.pieces) = (nil, 0, nil)
        },
    ]

    private static let changes = [
        Case("a wrong byte", #""fault": {"corrupt": {"byte": 3}}"#) { outcome, _, _ in outcome.body = "012?456789" },
        Case("wrong bytes", #""fault": {"corrupt": {"rate": "100%"}}"#) { outcome, _, _ in outcome.body = "??????????"
        },
        Case("trailers dropped", #""fault": {"dropTrailers": true}"#) { outcome, _, _ in outcome.hasTrailers = false },
        Case("a field twice", #""fault": {"duplicateHeader": "X-Own"}"#) { outcome, _, _ in outcome.own = 2 },
        Case("garbage first", #""fault": {"garbagePrefix": "noise"}"#) { outcome, isHTTP2, _ in
            if isHTTP2 {
                // It is taken for a frame that never ends.
                outcome.isCut("", [], "open")
                (outcome.status, outcome.own, outcome.pieces) = (nil, 0, nil)
            } else {
                outcome.prefix = "noise"
            }
        },
        Case("another answer", #""fault": {"status": 503}"#) { outcome, _, _ in
            (outcome.status, outcome.own, outcome.body) = (503, 0, "503: a fault answers\n")
            (outcome.pieces, outcome.hasTrailers) = (nil, false)
        },
    ]

    private static let cases = cuts + paces + changes

    @Test(arguments: Framing.allCases, [false, true]) func theyAct(framing: Framing, isHTTP2: Bool) throws {
        let server = try RawServer { client, _ in
            while client.receive(until: "\r\n\r\n").text.hasSuffix("\r\n\r\n") {
                try client.send(framing.answer)
                if framing == .close { return }
            }
        }
        let stubs = Self.cases.enumerated().map { index, one in
            """
            {"request": {"urlPath": "/\(index)"}, "response": {"proxyBaseUrl": "http://127.0.0.1:\(server.port)", \(one.members)}}
            """
        }
        let daemon = try Daemon(files: ["a.json": "{\"mappings\": [\(stubs.joined(separator: ", "))]}"])
        for (index, one) in Self.cases.enumerated() {
            var expected = Outcome()
            if isHTTP2 || framing != .length { expected.pieces = framing.pieces }
            expected.hasTrailers = framing == .chunks
            if isHTTP2 { expected.end = "end" }
            one.change(&expected, isHTTP2, framing)
            let begin = ContinuousClock.now
            var got =
                try isHTTP2
                ? Self.askHTTP2(daemon, "/\(index)", expected) : Self.ask(daemon, "/\(index)", expected)
            #expect(ContinuousClock.now - begin >= .milliseconds(one.least), "\(one.name)")
            // A wrong byte may be any other one; as scalars, since CR and LF are one character.
            let scalars = got.body.unicodeScalars
            if expected.body.contains("?"), scalars.count == expected.body.count {
                got.body = String(
                    zip(scalars, zip(expected.body, "0123456789")).map { got, pair in
                        pair.0 == "?" && Character(got) != pair.1 ? "?" : Character(got)
                    })
            }
            if isHTTP2 && !one.isSpaced || one.mayMerge { (expected.pieces, got.pieces) = (nil, nil) }
            #expect("\(got)" == "\(expected)", "\(one.name): \(framing), HTTP/2 \(isHTTP2)")
        }
    }

    // MARK: What a client gets

    private static func ask(_ daemon: Daemon, _ path: String, _ expected: Outcome) throws -> Outcome {
        let client = try RawClient(port: daemon.port)
        try client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        var received = RawClient.Received([], .open)
        // Where the connection stays open, nothing but the expected bytes comes.
        while received.ending == .open, expected.end != "open" || !Self.outcome(received).isWhole {
            let isAll = "\(Self.outcome(received))" == "\(expected)"
            let some = isAll ? client.receiveUntilQuiet(milliseconds: 50) : client.receiveSome(within: 60_000)
            received = RawClient.Received(received.bytes + some.bytes, some.ending)
            if some.bytes.isEmpty { break }
        }
        return outcome(received)
    }

    private static func outcome(_ received: RawClient.Received) -> Outcome {
        var outcome = Outcome(status: nil, own: 0, body: "", isWhole: false)
        outcome.end = "\(received.ending)"
        let bytes = received.bytes
        guard let start = bytes.firstRange(of: wire("HTTP/1.1 ")), let end = bytes.firstRange(of: wire("\r\n\r\n"))
        else { return outcome }
        outcome.prefix = text(bytes[..<start.lowerBound])
        let lines = text(bytes[start.lowerBound..<end.lowerBound]).components(separatedBy: "\r\n")
        outcome.status = Int(lines[0].split(separator: " ")[1])
        outcome.own = lines.count { $0.hasPrefix("X-Own:") }
        var rest = bytes[end.upperBound...]
        guard lines.contains("Transfer-Encoding: chunked") else {
            let length = lines.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) }
            (outcome.body, outcome.isWhole) = (text(rest), rest.count == length)
            return outcome
        }
        outcome.pieces = []
        while let line = rest.firstRange(of: wire("\r\n")), let size = Int(text(rest[..<line.lowerBound]), radix: 16) {
            rest = rest[line.upperBound...]
            if size == 0 {
                outcome.hasTrailers = text(rest) == "X-T: t\r\n\r\n"
                outcome.isWhole = outcome.hasTrailers || text(rest) == "\r\n"
                break
            }
            outcome.body += text(rest.prefix(size))
            outcome.pieces?.append(min(size, rest.count))
            rest = rest.dropFirst(size + 2)
        }
        return outcome
    }

    /// Each byte as one character.
    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }

    private static func askHTTP2(_ daemon: Daemon, _ path: String, _ expected: Outcome) throws -> Outcome {
        let client = try HTTP2Client(port: daemon.port)
        try client.ask(1, path)
        func outcome() -> Outcome {
            let stream = client[1]
            var outcome = Outcome(status: Int(stream.status), own: 0, isWhole: stream.end == .end)
            outcome.own = (stream.blocks.first ?? "").components(separatedBy: "x-own: 1").count - 1
            outcome.body = text(stream.body)
            outcome.pieces = stream.status.isEmpty ? nil : stream.pieces.filter { $0 > 0 }
            outcome.hasTrailers = stream.blocks.count > 1 && stream.blocks.last?.contains("x-t: t") == true
            outcome.end =
                switch stream.end {
                case .end: "end"
                case .reset(let code): "reset \(code)"
                case .open: "\(client.ending)"
                }
            return outcome
        }
        _ = client.wait(within: 60_000) { $0[1].end != .open || $0.ending != .open || "\(outcome())" == "\(expected)" }
        if expected.end == "open" { _ = client.wait(within: 50) { $0[1].end != .open || $0.ending != .open } }
        return outcome()
    }
}
