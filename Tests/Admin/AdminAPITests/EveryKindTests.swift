import SDAnswering
import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// A case in raw bytes for every kind of fault, delay and stream: bytes, time and end, the same from the same seed.
@Suite struct EveryKindTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// The members of the response.
        var response = #""body": "0123456789""#
        /// A fault of the session.
        var session: String?
        var policy = ChunkedEncodingPolicy.always
        /// The body of the request; nil for a GET.
        var upload: String?
        /// The expected bytes of each request in turn, each on a connection of its own, without the line that names the
        /// stub. `☐` stands for any byte that is drawn.
        let wires: [String]
        /// How the last connection ends; nil if it is refused.
        var ending: RawClient.Ending? = .fin
        /// The shortest time of the last request in milliseconds. Timers are never early; late is what two seconds more
        /// are.
        var least = 0

        var testDescription: String { "\(session ?? "") {\(response)}" }

        init(
            fault: String, response: String = #""body": "0123456789""#, policy: ChunkedEncodingPolicy = .always,
            _ wires: String..., ending: RawClient.Ending? = .fin, least: Int = 0
        ) {
            self.init(response: response + #", "fault": "# + fault, policy: policy, wires, ending: ending, least: least)
        }

        init(_ response: String, _ wires: String..., ending: RawClient.Ending? = .fin, least: Int = 0) {
            self.init(response: response, policy: .always, wires, ending: ending, least: least)
        }

        init(
            session: String, upload: String? = nil, _ wires: String..., ending: RawClient.Ending? = .fin, least: Int = 0
        ) {
            self.init(response: #""body": "0123456789""#, policy: .always, wires, ending: ending, least: least)
            self.session = session
            self.upload = upload
        }

        private init(
            response: String, policy: ChunkedEncodingPolicy, _ wires: [String], ending: RawClient.Ending?, least: Int
        ) {
            self.response = response
            self.policy = policy
            self.wires = wires
            self.ending = ending
            self.least = least
        }
    }

    private static let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
    private static let sized = ok + "Content-Length: 10\r\n\r\n"
    private static let whole = chunked + "A\r\n0123456789\r\n0\r\n\r\n"
    private static let garbage = "lskdu018973t09sylgasjkfg1][]'./.sdlv"

    private static func refusal(_ status: String, _ fields: String = "", text: String) -> String {
        "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Type: text/plain;charset=UTF-8\r\n\(fields)"
            + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }

    // MARK: Faults

    static let faults: [Case] = [
        Case(fault: #"{"cutAfter": 4}"#, chunked + "5\r\n0123"),
        Case(fault: #"{"cutAfter": 4, "then": "rst"}"#, policy: .never, sized + "0123", ending: .rst),
        Case(fault: #"{"cutAfter": "nothing"}"#, ""),
        Case(fault: #"{"cutAfter": "nothing", "then": {"resetStream": "REFUSED_STREAM"}}"#, "", ending: .rst),
        // The ends of HTTP/2 and TLS, in HTTP/1.1 in the clear.
        Case(fault: #"{"cutAfter": 4, "then": "cut"}"#, policy: .never, sized + "0123"),
        Case(fault: #"{"cutAfter": 4, "then": "hang"}"#, policy: .never, sized + "0123", ending: .open),
        Case(fault: #"{"cutAfter": 4, "then": "garbage"}"#, policy: .never, sized + "0123" + garbage),
        Case(fault: #"{"cutAfter": 4, "then": {"resetStream": 8}}"#, policy: .never, sized + "0123", ending: .rst),
        Case(
            fault: #"{"cutAfter": 4, "then": {"goAway": "ENHANCE_YOUR_CALM", "lastStream": 0}}"#, policy: .never,
            sized + "0123"),
        Case(
            fault: #"{"dropTrailers": true}"#, response: #""body": "0123456789", "trailers": {"T": "1"}"#,
            ok + "Trailer: T\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n"),
        Case(fault: #"{"dropTrailers": true}"#, whole),
        Case(fault: #"{"corrupt": {"byte": 4}}"#, policy: .never, sized + "0123☐56789"),
        Case(fault: #"{"corrupt": {"rate": 1}}"#, policy: .never, sized + "☐☐☐☐☐☐☐☐☐☐"),
        Case(fault: #"{"wrongLength": 5}"#, ok + "Content-Length: 15\r\n\r\n0123456789"),
        Case(
            fault: #"{"duplicateHeader": {"name": "Content-Length", "value": "5"}}"#, policy: .never,
            ok + "Content-Length: 10\r\nContent-Length: 5\r\n\r\n0123456789"),
        Case(fault: #"{"garbagePrefix": 4}"#, policy: .never, "☐☐☐☐" + sized + "0123456789"),
        Case(fault: #"{"bandwidth": "100B/s"}"#, policy: .never, sized + "0123456789", least: 90),
        Case(
            fault: #"{"slice": {"size": 4, "gap": "20ms"}}"#,
            chunked + "4\r\n0123\r\n4\r\n4567\r\n2\r\n89\r\n0\r\n\r\n",
            least: 40),
        Case(
            fault: #"{"stall": {"after": 4, "for": "30ms"}}"#, chunked + "4\r\n0123\r\n6\r\n456789\r\n0\r\n\r\n",
            least: 30),
        Case(fault: #"{"stall": {"after": 4, "for": "forever"}}"#, policy: .never, sized + "0123", ending: .open),
        Case(fault: #"{"slowClose": "30ms"}"#, whole, least: 30),
        Case(fault: #"{"neverAnswer": true}"#, "", ending: .open),
        Case(fault: #"{"delay": "30ms"}"#, whole, least: 30),
        Case(fault: #"{"status": 503}"#, refusal("503 Service Unavailable", text: "503: a fault answers\n")),
        Case(fault: #"{"kind": "EMPTY_RESPONSE"}"#, ""),
        Case(fault: #"{"kind": "CONNECTION_RESET_BY_PEER"}"#, "", ending: .rst),
        Case(
            fault: #"{"kind": "MALFORMED_RESPONSE_CHUNK"}"#,
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + garbage),
        Case(fault: #"{"kind": "RANDOM_DATA_THEN_CLOSE"}"#, garbage),
    ]

    static let conditions: [Case] = [
        Case(fault: #"{"first": 1, "cutAfter": 4}"#, chunked + "5\r\n0123", whole),
        Case(fault: #"{"between": ["0s", "1h"], "cutAfter": 4}"#, chunked + "5\r\n0123"),
        Case(
            fault: #"{"quota": {"limit": 1, "per": "1h"}}"#, whole,
            refusal(
                "429 Too Many Requests", "Retry-After: 3600\r\n",
                text: "429: the quota of 1 requests in 3600000 ms is used up\n")),
        Case(
            fault: #"{"concurrency": 0}"#,
            refusal("503 Service Unavailable", text: "503: 0 answers are under way\n")),
        Case(fault: #"{"probability": 1, "cutAfter": 4}"#, chunked + "5\r\n0123"),
    ]

    static let sessions: [Case] = [
        Case(
            session: #"{"request": {"method": "POST"}, "readSlowly": "4KB/s"}"#,
            upload: String(repeating: "b", count: 400), whole, least: 95),
        Case(
            session: #"{"request": {"method": "POST"}, "neverRead": true}"#,
            upload: String(repeating: "b", count: 400), "", ending: .open),
        Case(session: #"{"listener": "down"}"#, "", ending: nil),
        Case(session: #"{"listener": "acceptAndStall"}"#, "", ending: .open),
        Case(session: #"{"refuseNext": 1}"#, "", ending: .rst),
    ]

    // MARK: Delays

    static let delays: [Case] = [
        Case(#""body": "0123456789", "fixedDelayMilliseconds": 30"#, whole, least: 30),
        Case(
            #""body": "0123456789", "fixedDelayMilliseconds": "{{request.query.ms}}30""#, whole, least: 30),
        Case(#""body": "0123456789", "delayDistribution": {"type": "fixed", "milliseconds": 30}"#, whole, least: 30),
        Case(
            #""body": "0123456789", "delayDistribution": {"type": "uniform", "lower": 20, "upper": 40}"#, whole,
            least: 20),
        Case(
            #""body": "0123456789", "delayDistribution": {"type": "lognormal", "median": 20, "sigma": 0.4}"#, whole,
            least: 1),
        Case(
            #""body": "0123456789", "delayDistribution": {"type": "gaussian", "mean": 30, "standardDeviation": 5}"#,
            whole, least: 1),
        Case(#""body": "0123456789", "delayDistribution": {"type": "exponential", "mean": 20}"#, whole),
        Case(
            #""body": "0123456789", "chunkedDribbleDelay": {"numberOfChunks": 3, "totalDuration": 30}"#,
            chunked + "3\r\n012\r\n3\r\n345\r\n4\r\n6789\r\n0\r\n\r\n", least: 30),
        Case(#""body": "0123456789", "delays": {"firstByte": "30ms"}"#, whole, least: 30),
        Case(
            #""body": "0123456789", "chunkedDribbleDelay": {"numberOfChunks": 2, "totalDuration": 0}, "#
                + #""delays": {"perChunk": "15ms"}"#, chunked + "5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n", least: 30),
    ]

    // MARK: Streams

    private static let events =
        ok + "Content-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"

    static let streams: [Case] = [
        Case(
            #""stream": [{"event": "tick", "id": "1", "retry": 1500, "comment": "c", "data": {"n": 1}}]"#,
            events + "31\r\n: c\nevent: tick\nid: 1\nretry: 1500\ndata: {\"n\":1}\n\n\r\n0\r\n\r\n"),
        Case(
            #""stream": {"events": [{"chunk": "a"}, {"after": "15ms", "base64": "Yg=="}], "repeat": 2}"#,
            chunked + "1\r\na\r\n1\r\nb\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n", least: 30),
        Case(
            #""stream": [{"chunk": "a"}, {"hold": {"gate": "g", "timeout": "30ms", "onTimeout": "fail"}}, {"chunk": "b"}]"#,
            chunked + "1\r\na\r\n", ending: .rst, least: 30),
        Case(
            #""stream": {"name": "s", "events": [{"data": "own"}]}"#, events + "B\r\ndata: own\n\n\r\n", ending: .open),
    ]

    private static let pieces = #""stream": [{"chunk": "01234"}, {"after": "10ms", "chunk": "56789"}]"#
    private static let first = chunked + "5\r\n01234\r\n"

    static let brokenStreams: [Case] = [
        Case(fault: #"{"cutAfter": 7}"#, response: pieces, first + "3\r\n56", least: 10),
        Case(fault: #"{"cutAfter": 7, "then": "rst"}"#, response: pieces, first + "3\r\n56", ending: .rst, least: 10),
        Case(fault: #"{"cutAfter": {"chunk": 1}}"#, response: pieces, first),
        Case(fault: #"{"cutAfter": "nothing"}"#, response: pieces, ""),
        Case(fault: #"{"cutAfter": 7, "then": "hang"}"#, response: pieces, first + "3\r\n56", ending: .open, least: 10),
        Case(
            fault: #"{"dropTrailers": true}"#, response: pieces + #", "trailers": {"T": "1"}"#,
            ok + "Trailer: T\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n", least: 10),
        Case(
            fault: #"{"corrupt": {"byte": 7}}"#, response: pieces, first + "5\r\n56☐89\r\n0\r\n\r\n", least: 10),
        Case(
            fault: #"{"corrupt": {"rate": 1}}"#, response: pieces,
            chunked + "5\r\n☐☐☐☐☐\r\n5\r\n☐☐☐☐☐\r\n0\r\n\r\n", least: 10),
        Case(
            fault: #"{"stall": {"after": 7, "for": "30ms"}}"#, response: pieces,
            first + "2\r\n56\r\n3\r\n789\r\n0\r\n\r\n", least: 40),
        Case(
            fault: #"{"stall": {"after": 7, "for": "forever"}}"#, response: pieces, first + "2\r\n56\r\n",
            ending: .open, least: 10),
        Case(
            fault: #"{"slice": {"size": 4, "gap": "10ms"}}"#, response: pieces,
            chunked + "4\r\n0123\r\n1\r\n4\r\n4\r\n5678\r\n1\r\n9\r\n0\r\n\r\n", least: 30),
        Case(
            fault: #"{"bandwidth": "100B/s"}"#, response: pieces, first + "5\r\n56789\r\n0\r\n\r\n", least: 90),
        Case(fault: #"{"slowClose": "30ms"}"#, response: pieces, first + "5\r\n56789\r\n0\r\n\r\n", least: 40),
        Case(
            fault: #"{"garbagePrefix": 4}"#, response: pieces, "☐☐☐☐" + first + "5\r\n56789\r\n0\r\n\r\n", least: 10),
        Case(
            fault: #"{"duplicateHeader": {"name": "X", "value": "1"}}"#, response: pieces,
            ok + "Transfer-Encoding: chunked\r\nX: 1\r\n\r\n5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n", least: 10),
        Case(fault: #"{"delay": "30ms"}"#, response: pieces, first + "5\r\n56789\r\n0\r\n\r\n", least: 40),
        Case(
            fault: #"{"status": 503}"#, response: pieces,
            refusal("503 Service Unavailable", text: "503: a fault answers\n")),
        Case(fault: #"{"kind": "CONNECTION_RESET_BY_PEER"}"#, response: pieces, "", ending: .rst),
        Case(fault: #"{"neverAnswer": true}"#, response: pieces, "", ending: .open),
    ]

    static let all = faults + conditions + sessions + delays + streams + brokenStreams

    // MARK: What happens

    /// What a client saw.
    private struct Seen: Equatable {
        var answers: [[UInt8]] = []
        var ending: RawClient.Ending?
        /// The delays that were drawn, in nanoseconds.
        var delays: [UInt64] = []
    }

    private static let id = "11111111-1111-4111-8111-111111111111"

    private func play(_ example: Case, seed: UInt64) throws -> (seen: Seen, took: Duration) {
        var options = SessionOptions()
        options.seed = seed
        options.response.chunkedEncoding = example.policy
        let mock = try TestMock(session: options)
        try mock.add(
            #"{"id": "\#(Self.id)", "request": {"urlPath": "/x"}, "response": {\#(example.response)}}"#)
        var port = mock.port
        if let fault = example.session {
            let session = try mock.admin("POST", "/sessions", #"{"port": 0}"#, status: 201)
            port = UInt16(try #require(session["port"]?.intValue))
            let id = try #require(session["id"]?.stringValue)
            let added = try Exchange(
                mock.port, "POST", "/__admin/faults", headers: [("X-StuntDouble-Session", id)], body: fault)
            try #require(added.status == 201, "\(added)")
        }
        var seen = Seen()
        let clock = ContinuousClock()
        var begin = clock.now
        for wire in example.wires {
            begin = clock.now
            guard let client = try? RawClient(port: port) else {
                seen.answers.append([])
                seen.ending = nil
                continue
            }
            let received = try answer(client, example, wire)
            seen.answers.append(unnamed(received.bytes))
            seen.ending = received.ending
        }
        seen.delays = mock.session.events.map(\.addedDelay)
        return (seen, clock.now - begin)
    }

    private func answer(_ client: RawClient, _ example: Case, _ wire: String) throws -> RawClient.Received {
        // What resets a connection at once may reset it before it takes a request.
        if example.session?.contains("refuseNext") != true {
            let (method, length) =
                example.upload.map { ("POST", "Content-Length: \($0.utf8.count)\r\n") } ?? ("GET", "")
            try client.send(
                "\(method) /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(length)\r\n\(example.upload ?? "")")
        }
        guard example.ending == .open else { return client.receiveAll(within: 10_000) }
        let named = wire.isEmpty ? 0 : Self.name.count
        let received = client.receive(wire.unicodeScalars.count + named)
        let rest = client.receiveUntilQuiet(milliseconds: 30)
        return RawClient.Received(received.bytes + rest.bytes, rest.ending)
    }

    private static let name = Array("Matched-Stub-Id: \(id)\r\n".utf8)

    private func unnamed(_ bytes: [UInt8]) -> [UInt8] {
        guard let place = bytes.firstRange(of: Self.name) else { return bytes }
        return Array(bytes[..<place.lowerBound] + bytes[place.upperBound...])
    }

    /// Whether the bytes are those of a text in which `☐` stands for any byte.
    private func fits(_ bytes: [UInt8], _ text: String) -> Bool {
        bytes.count == text.unicodeScalars.count
            && zip(bytes, text.unicodeScalars).allSatisfy { $1 == "☐" || UInt32($0) == $1.value }
    }

    @Test(arguments: all)
    func bytesTimeAndEndAreThoseOfTheCaseAndOfItsSeed(_ example: Case) throws {
        let (seen, took) = try play(example, seed: 7)
        for (bytes, wire) in zip(seen.answers, example.wires) {
            #expect(fits(bytes, wire), "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
        }
        #expect(seen.ending == example.ending)
        let least = max(Duration.milliseconds(example.least), Duration.nanoseconds(Int64(seen.delays.last ?? 0)))
        // What waits too long has another ending, or other delays.
        #expect(took >= least, "\(took)")
        #expect(try play(example, seed: 7).seen == seen)
        if example.wires.contains(where: { $0.contains("☐") }) {
            #expect(try play(example, seed: 8).seen.answers != seen.answers)
        }
    }

    /// A stream that is made while it is sent has the bytes of one that is known from the start.
    @Test(arguments: brokenStreams)
    func aLazyStreamIsBrokenAtTheSamePlaces(_ example: Case) throws {
        var lazy = example
        lazy.response = example.response.replacing(
            #"{"after": "10ms""#, with: #"{"hold": "open"}, {"after": "10ms""#)
        try #require(lazy.response != example.response)
        lazy.response = lazy.response.replacing(
            #""hold": "open""#, with: #""hold": {"gate": "open", "timeout": "1ms", "onTimeout": "answer"}"#)
        #expect(try play(lazy, seed: 7).seen == play(example, seed: 7).seen)
    }

    // MARK: The kinds

    /// The kinds that a document names.
    private func kinds(_ json: JSONValue) -> Set<String> {
        guard case .object(let response) = json else { return [] }
        var found: Set<String> = []
        for name in response.keys where name.lowercased().contains("delay") { found.insert(name) }
        if let type = response["delayDistribution"]?["type"]?.stringValue { found.insert("delay \(type)") }
        if case .object(let delays)? = response["delays"] { found.formUnion(delays.keys.map { "delays \($0)" }) }
        let isStream = response["stream"] != nil
        if case .object(let fault)? = response["fault"] {
            found.formUnion(fault.keys.map { (isStream ? "fault in a stream " : "fault ") + $0 })
            if let kind = fault["kind"]?.stringValue { found.insert("kind \(kind)") }
        }
        var items = response["stream"]
        if case .object(let stream)? = items {
            found.formUnion(stream.keys.map { "stream \($0)" })
            items = stream["events"]
        }
        if case .array(let items)? = items {
            for case .object(let item) in items { found.formUnion(item.keys.map { "stream \($0)" }) }
        }
        return found
    }

    @Test func everyKindHasACase() throws {
        var found: Set<String> = []
        for example in Self.all {
            found.formUnion(kinds(try JSONValue(parsing: "{\(example.response)}")))
            if let fault = example.session, case .object(let object) = try JSONValue(parsing: fault) {
                found.formUnion(object.keys.map { "fault \($0)" })
                if let listener = object["listener"]?.stringValue { found.insert("listener \(listener)") }
            }
        }
        var wanted: [String] = []
        let ofAnswers = FaultRule.actionNames + ["then"]
        wanted += (ofAnswers + FaultRule.conditionNames + FaultRule.uploadNames + SessionFault.portNames).map {
            "fault \($0)"
        }
        // A stream does not know its length.
        wanted += ofAnswers.filter { $0 != "wrongLength" }.map { "fault in a stream \($0)" }
        wanted += Fault.allCases.map { "kind \($0.rawValue)" }
        wanted += ["listener down", "listener acceptAndStall"]
        wanted += DialectNames.response.filter { $0.lowercased().contains("delay") }
        wanted += DelayDistribution.kinds.map { "delay \($0)" }
        wanted += DialectNames.delays.map { "delays \($0)" }
        wanted += (StreamDefinition.names + StreamDefinition.Item.keys).map { "stream \($0)" }
        let missing = wanted.filter { !found.contains($0) }
        #expect(missing.isEmpty, "no case for \(missing)")
    }
}
