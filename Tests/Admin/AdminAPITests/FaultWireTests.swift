import SDAnswering
import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// The bytes, the time and the end of answers with faults, as a raw client sees them.
@Suite struct FaultWireTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let fault: String
        /// Further members of the response.
        var response = ""
        var policy = ChunkedEncodingPolicy.always
        /// The expected bytes without the line that names the stub.
        let wire: String
        var ending = RawClient.Ending.fin
        /// The shortest time in milliseconds. Timers are never early; late is what two seconds more are.
        var least = 0
        /// What the serve event says: the name of each fault and its offsets.
        let acted: String

        var testDescription: String { "\(fault) \(response)" }
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
    private static let sized = ok + "Content-Length: 10\r\n\r\n"
    private static let twoChunks = #", "chunkedDribbleDelay": {"numberOfChunks": 2, "totalDuration": 2}"#

    static let cuts: [Case] = [
        Case(fault: #"{"cutAfter": 4}"#, policy: .never, wire: sized + "0123", acted: "cutAfter[4]"),
        Case(fault: #"{"cutAfter": 4, "then": "fin"}"#, wire: chunked + "5\r\n0123", acted: "cutAfter[4]"),
        Case(
            fault: #"{"cutAfter": 4, "then": "rst"}"#, wire: chunked + "5\r\n0123", ending: .rst, acted: "cutAfter[4]"),
        Case(fault: #"{"cutAfter": "50%"}"#, wire: chunked + "6\r\n01234", acted: "cutAfter[5]"),
        Case(fault: #"{"cutAfter": "100%"}"#, policy: .never, wire: sized + "0123456789", acted: "cutAfter[10]"),
        Case(fault: #"{"cutAfter": "headers"}"#, wire: chunked, acted: "cutAfter[]"),
        Case(
            fault: #"{"cutAfter": {"chunk": 1}}"#, response: twoChunks, wire: chunked + "5\r\n01234\r\n",
            acted: "cutAfter[5]"),
        Case(
            fault: #"{"cutAfter": {"chunk": 2}, "then": "rst"}"#, response: twoChunks,
            wire: chunked + "5\r\n01234\r\n5\r\n56789\r\n", ending: .rst, acted: "cutAfter[10]"),
        // A body that ends before the cut is whole.
        Case(
            fault: #"{"cutAfter": 11}"#, policy: .never, wire: sized + "0123456789", ending: .open, acted: ""),
        Case(
            fault: #"{"cutAfter": {"chunk": 3}}"#, wire: chunked + "A\r\n0123456789\r\n0\r\n\r\n", ending: .open,
            acted: ""),
    ]

    static let heads: [Case] = [
        Case(
            fault: #"{"wrongLength": 5}"#, wire: ok + "Content-Length: 15\r\n\r\n0123456789", acted: "wrongLength[]"),
        Case(
            fault: #"{"wrongLength": "+5"}"#, policy: .never, wire: ok + "Content-Length: 15\r\n\r\n0123456789",
            acted: "wrongLength[]"),
        Case(
            fault: #"{"wrongLength": -3}"#, wire: ok + "Content-Length: 7\r\n\r\n0123456789", ending: .open,
            acted: "wrongLength[]"),
        Case(
            fault: #"{"wrongLength": -30}"#, wire: ok + "Content-Length: 0\r\n\r\n0123456789", ending: .open,
            acted: "wrongLength[]"),
        Case(
            fault: #"{"duplicateHeader": "Content-Length"}"#, policy: .never,
            wire: ok + "Content-Length: 10\r\nContent-Length: 10\r\n\r\n0123456789", ending: .open,
            acted: "duplicateHeader[]"),
        Case(
            fault: #"{"duplicateHeader": {"name": "content-length", "value": "5"}}"#, policy: .never,
            wire: ok + "Content-Length: 10\r\ncontent-length: 5\r\n\r\n0123456789", ending: .open,
            acted: "duplicateHeader[]"),
        Case(
            fault: #"{"duplicateHeader": {"name": "X-New", "value": "a\r\nB: c"}}"#, policy: .never,
            wire: ok + "Content-Length: 10\r\nX-New: a  B: c\r\n\r\n0123456789", ending: .open,
            acted: "duplicateHeader[]"),
        Case(
            fault: #"{"duplicateHeader": "X-Missing"}"#, policy: .never, wire: sized + "0123456789", ending: .open,
            acted: ""),
        Case(
            fault: #"{"garbagePrefix": "xyz\r\n"}"#, policy: .never, wire: "xyz\r\n" + sized + "0123456789",
            ending: .open, acted: "garbagePrefix[]"),
    ]

    static let times: [Case] = [
        Case(
            fault: #"{"bandwidth": "100B/s"}"#, policy: .never, wire: sized + "0123456789", ending: .open, least: 100,
            acted: "bandwidth[0]"),
        Case(
            fault: #"{"slice": {"size": 4, "gap": "20ms"}}"#,
            wire: chunked + "4\r\n0123\r\n4\r\n4567\r\n2\r\n89\r\n0\r\n\r\n", ending: .open, least: 40,
            acted: "slice[0]"),
        Case(
            fault: #"{"slice": {"size": 4, "gap": "20ms"}}"#, policy: .never, wire: sized + "0123456789",
            ending: .open, least: 40, acted: "slice[0]"),
        Case(
            fault: #"{"stall": {"after": 4, "for": "30ms"}}"#,
            wire: chunked + "4\r\n0123\r\n6\r\n456789\r\n0\r\n\r\n", ending: .open, least: 30, acted: "stall[4]"),
        Case(
            fault: #"{"stall": {"after": 10, "for": "30ms"}}"#, wire: chunked + "A\r\n0123456789\r\n0\r\n\r\n",
            ending: .open, least: 30, acted: "stall[10]"),
        Case(
            fault: #"{"stall": {"after": 11, "for": "1h"}}"#, policy: .never, wire: sized + "0123456789",
            ending: .open, acted: ""),
        Case(
            fault: #"{"stall": {"after": 4, "for": "forever"}}"#, policy: .never, wire: sized + "0123", ending: .open,
            acted: "stall[4]"),
        Case(
            fault: #"{"slowClose": "30ms"}"#, wire: chunked + "A\r\n0123456789\r\n0\r\n\r\n", least: 30,
            acted: "slowClose[]"),
        Case(
            fault: #"{"slowClose": "30ms", "cutAfter": 3, "then": "rst"}"#, policy: .never,
            wire: sized + "012", ending: .rst, least: 30, acted: "cutAfter[3] slowClose[]"),
        Case(
            fault: #"{"delay": "30ms"}"#, policy: .never, wire: sized + "0123456789", ending: .open, least: 30,
            acted: "delay[]"),
        Case(fault: #"{"neverAnswer": true}"#, wire: "", ending: .open, acted: "neverAnswer[]"),
        Case(
            fault: #"{"delay": {"type": "fixed", "milliseconds": 30}, "kind": "EMPTY_RESPONSE"}"#, wire: "", least: 30,
            acted: "delay[] kind[]"),
    ]

    static let replacements: [Case] = [
        Case(
            fault: #"{"status": 503}"#,
            wire: "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain;charset=UTF-8\r\n"
                + "Content-Length: 21\r\n\r\n503: a fault answers\n",
            ending: .open, acted: "status[]"),
        Case(fault: #"{"kind": "CONNECTION_RESET_BY_PEER"}"#, wire: "", ending: .rst, acted: "kind[]"),
        Case(
            fault: #"[{"stall": {"after": 2, "for": "20ms"}}, {"cutAfter": 5}]"#, policy: .never,
            wire: sized + "01234", least: 20, acted: "stall[2] cutAfter[5]"),
        Case(
            fault: #"{"probability": 0, "cutAfter": 5}"#, policy: .never, wire: sized + "0123456789", ending: .open,
            acted: ""),
        Case(
            fault: #"{"probability": "100%", "cutAfter": 5}"#, policy: .never, wire: sized + "01234",
            acted: "cutAfter[5]"),
    ]

    /// Who gives the answer: its stub, or a caller in place of the stub's, which waits at a gate.
    enum Giver: CaseIterable {
        case stub, release
    }

    @Test(arguments: cuts + heads + times + replacements, Giver.allCases)
    func theBytesTheTimeAndTheEndAreExact(_ example: Case, _ giver: Giver) throws {
        var options = SessionOptions()
        options.response.chunkedEncoding = example.policy
        let mock = try TestMock(session: options)
        let id = "11111111-1111-4111-8111-111111111111"
        let response = #"{"body": "0123456789", "fault": \#(example.fault)\#(example.response)}"#
        let own = giver == .stub ? response : #"{"status": 500, "fault": {"cutAfter": 0}, "hold": "g"}"#
        try mock.add(#"{"id": "\#(id)", "request": {"urlPath": "/x"}, "response": \#(own)}"#)
        let client = try RawClient(port: mock.port)
        let clock = ContinuousClock()
        var begin = clock.now
        try client.send("GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n")
        if giver == .release {
            let waits = eventually(within: 20_000) { mock.session.gate("g").waiting.count == 1 ? true : nil }
            try #require(waits == true)
            begin = clock.now
            #expect(
                try mock.admin("POST", "/gates/g/release", #"{"response": \#(response)}"#) == ["released": 1])
        }
        let named = example.wire.contains("503 ") || example.wire.isEmpty ? 0 : 55
        let received =
            example.ending == .open
            ? client.receive(example.wire.unicodeScalars.count + named) : client.receiveAll(within: 10_000)
        let took = clock.now - begin
        let text = String(String.UnicodeScalarView(received.bytes.map { Unicode.Scalar($0) }))
        let unnamed = text.split(separator: "Matched-Stub-Id: \(id)\r\n", omittingEmptySubsequences: false).joined()
        #expect(unnamed == example.wire)
        #expect(received.ending == example.ending)
        #expect(took >= .milliseconds(example.least))
        let event = eventually(within: 5_000) {
            mock.session.events.first { $0.faults.map(\.text).joined(separator: " ") == example.acted }
        }
        #expect(event != nil, "\(mock.session.events.map { $0.faults.map(\.text) })")
    }

    /// Of each fault, whether it counts or changes bytes of the body.
    private static let counted: [(fault: String, isCounting: Bool)] = [
        (#"{"cutAfter": 4}"#, true), (#"{"cutAfter": "40%"}"#, true), (#"{"cutAfter": {"chunk": 1}}"#, true),
        (#"{"cutAfter": "headers"}"#, false), (#"{"wrongLength": 5}"#, true), (#"{"corrupt": {"byte": 3}}"#, true),
        (#"{"corrupt": {"rate": 1}}"#, true), (#"{"stall": {"after": 4, "for": "1ms"}}"#, true),
        (#"{"slice": {"size": 4, "gap": "1ms"}}"#, true), (#"{"bandwidth": "10KB/s"}"#, true),
        (#"{"garbagePrefix": "x"}"#, false), (#"{"duplicateHeader": "X-A"}"#, false), (#"{"slowClose": "1ms"}"#, false),
        (#"{"delay": "1ms"}"#, false), (#"{"cutAfter": 4, "probability": 0}"#, false),
    ]

    @Test(arguments: counted, [true, false])
    func aBodyWhoseBytesAFaultCountsIsNotCompressed(_ example: (fault: String, isCounting: Bool), ofSession: Bool)
        throws
    {
        let mock = try TestMock(files: ["f.txt": "0123456789"])
        let fault = ofSession ? "" : #", "fault": \#(example.fault)"#
        for body in Self.bodies {
            try mock.add(#"{"request": {"url": "/123"}, "response": {\#(body)\#(fault)}}"#)
            if ofSession { _ = try mock.admin("POST", "/faults", example.fault, status: 201) }
            let received = try mock.raw(
                "GET /123 HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n")
            let isCompressed = received.text.lowercased().contains("content-encoding: gzip")
            #expect(isCompressed == (!example.isCounting && !body.contains("Dribble")), "\(body): \(received.text)")
            if ofSession { _ = try mock.admin("DELETE", "/faults") }
        }
    }

    @Test func aBodyThatTheStubHasCompressedIsCutAsItIs() throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"url": "/x"}, "response": {"headers": {"Content-Encoding": "gzip"}, "#
                + #""base64Body": "H4sIAAAAAAAAAw==", "fault": {"cutAfter": 4}}}"#)
        let received = try mock.raw("GET /x HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")
        #expect(received.text.contains("Content-Encoding: gzip"))
        #expect(ReceivedBody(of: received.bytes).bytes == [0x1f, 0x8b, 8, 0])
    }

    /// What bodies are made of.
    static let bodies: [String] = [
        #""body": "0123456789""#, #""jsonBody": 1234567890123456"#, #""base64Body": "AAECAwQFBgcICQ==""#,
        #""bodyFileName": "f.txt""#, #""body": "{{request.path}}123456789", "transformers": ["response-template"]"#,
        #""body": "0123456789", "chunkedDribbleDelay": {"numberOfChunks": 3, "totalDuration": 3}"#,
    ]

    @Test(arguments: bodies)
    func aFaultActsOnEveryBodyWhateverMadeIt(body: String) throws {
        let mock = try TestMock(files: ["f.txt": "0123456789"])
        try mock.add(#"{"request": {"url": "/whole"}, "response": {\#(body)}}"#)
        try mock.add(#"{"request": {"url": "/cut"}, "response": {\#(body), "fault": {"cutAfter": 4}}}"#)
        try mock.add(#"{"request": {"url": "/bent"}, "response": {\#(body), "fault": {"corrupt": {"byte": 4}}}}"#)
        let whole = try ReceivedBody(of: mock.raw("GET /whole HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").bytes)
        let cut = try ReceivedBody(of: mock.raw("GET /cut HTTP/1.1\r\nHost: a\r\n\r\n").bytes)
        let bent = try ReceivedBody(of: mock.raw("GET /bent HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").bytes)
        #expect(whole.isComplete && !cut.isComplete && bent.isComplete)
        if body.contains("request.path") {
            #expect(cut.bytes.elementsEqual(wire("/cut")))
        } else {
            #expect(cut.bytes.elementsEqual(whole.bytes.prefix(4)))
            #expect(bent.bytes.indices.filter { bent.bytes[$0] != whole.bytes[$0] } == [4])
        }
    }

    private static let drawn = [
        #"{"corrupt": {"rate": 0.1}}"#, #"{"corrupt": {"byte": 3}}"#, #"{"garbagePrefix": 20}"#,
        #"{"probability": 0.5, "cutAfter": "50%"}"#, #"{"probability": 0.3, "status": 500}"#,
    ]

    /// The bytes of ten answers.
    private func run(_ fault: String, seed: UInt64) throws -> [[UInt8]] {
        var options = SessionOptions()
        options.seed = seed
        let mock = try TestMock(session: options)
        let id = "11111111-1111-4111-8111-111111111111"
        let body = String(repeating: "0123456789", count: 20)
        try mock.add(
            #"{"id": "\#(id)", "request": {"url": "/x"}, "response": {"body": "\#(body)", "fault": \#(fault)}}"#)
        return try (0..<10).map { _ in try mock.raw("GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").bytes }
    }

    @Test(arguments: drawn)
    func theSameSeedGivesTheSameBytes(fault: String) throws {
        let first = try run(fault, seed: 7)
        #expect(try run(fault, seed: 7) == first)
        #expect(try run(fault, seed: 8) != first)
        #expect(Set(first).count > 1)
    }
}

extension AppliedFault {
    var text: String { "\(name)\(offsets.map(String.init).description.filter { $0 != "\"" })" }
}
