import SDJSON
import SDStubModel
import Testing

/// The faults of a stub as they are written, and what is said about those that are wrong.
@Suite struct FaultPlanTests {
    private static func read(_ fault: String) throws -> [FaultRule] {
        let stub = try StubMapping(json: JSONValue(parsing: #"{"response": {"fault": \#(fault)}}"#))
        return try #require(stub.response.faults).rules
    }

    private static let changes: [(String, FaultRule.Change)] = [
        (#"{"cutAfter": 0}"#, .cut(.byte(0), then: .fin)),
        (#"{"cutAfter": 1337, "then": "rst"}"#, .cut(.byte(1337), then: .rst)),
        (#"{"cutAfter": "12.5%"}"#, .cut(.share(0.125), then: .fin)),
        (#"{"cutAfter": "headers", "then": "fin"}"#, .cut(.head, then: .fin)),
        (#"{"cutAfter": {"chunk": 3}}"#, .cut(.chunk(3), then: .fin)),
        (#"{"cutAfter": "nothing"}"#, .cut(.nothing, then: .fin)),
        (#"{"cutAfter": 1, "then": "cut"}"#, .cut(.byte(1), then: .cut)),
        (#"{"cutAfter": 1, "then": "hang"}"#, .cut(.byte(1), then: .hang)),
        (#"{"cutAfter": 1, "then": "garbage"}"#, .cut(.byte(1), then: .garbage)),
        (
            #"{"cutAfter": 1, "then": {"resetStream": "CANCEL"}}"#,
            .cut(.byte(1), then: .resetStream(HTTP2ErrorCode(8)))
        ),
        (
            #"{"cutAfter": "nothing", "then": {"resetStream": 4294967295}}"#,
            .cut(.nothing, then: .resetStream(HTTP2ErrorCode(.max)))
        ),
        (
            #"{"cutAfter": 1, "then": {"goAway": "ENHANCE_YOUR_CALM", "lastStream": 0}}"#,
            .cut(.byte(1), then: .goAway(HTTP2ErrorCode(11), lastStream: 0))
        ),
        (
            #"{"cutAfter": 1, "then": {"goAway": "NO_ERROR"}}"#,
            .cut(.byte(1), then: .goAway(HTTP2ErrorCode(0), lastStream: nil))
        ),
        (#"{"dropTrailers": true}"#, .dropTrailers),
        (#"{"corrupt": {"byte": 7}}"#, .corruptByte(7)),
        (#"{"corrupt": {"rate": "1%"}}"#, .corruptRate(0.01)),
        (#"{"wrongLength": "+5"}"#, .wrongLength(5)),
        (#"{"wrongLength": -5}"#, .wrongLength(-5)),
        (#"{"duplicateHeader": "ETag"}"#, .duplicateHeader(name: "ETag", value: nil)),
        (#"{"duplicateHeader": {"name": "ETag", "value": "x"}}"#, .duplicateHeader(name: "ETag", value: "x")),
        (#"{"garbagePrefix": "xyz"}"#, .garbageText("xyz")),
        (#"{"garbagePrefix": 16}"#, .garbage(count: 16)),
        (#"{"bandwidth": "3KB/s"}"#, .bandwidth(ByteRate(bytesPerSecond: 3000))),
        (#"{"bandwidth": "1.5KiB/s"}"#, .bandwidth(ByteRate(bytesPerSecond: 1536))),
        (#"{"bandwidth": "2Mbit/s"}"#, .bandwidth(ByteRate(bytesPerSecond: 250_000))),
        (#"{"slice": {"size": "1KB", "gap": "20ms"}}"#, .slice(size: 1000, gap: 20)),
        (#"{"stall": {"after": 5, "for": "10s"}}"#, .stall(after: 5, milliseconds: 10_000)),
        (#"{"stall": {"for": "forever"}}"#, .stall(after: 0, milliseconds: nil)),
        (#"{"slowClose": "2s"}"#, .slowClose(2000)),
    ]

    @Test(arguments: changes)
    func aChangeIsReadAndWrittenAsItWas(fault: String, change: FaultRule.Change) throws {
        #expect(try Self.read(fault).map(\.changes) == [[change]])
        let stub = try StubMapping(json: JSONValue(parsing: #"{"response": {"fault": \#(fault)}}"#))
        #expect(try stub.response.json["fault"] == JSONValue(parsing: fault))
    }

    @Test(arguments: changes)
    func aChangeIsWrittenAsItIsRead(fault: String, change: FaultRule.Change) throws {
        var rule = FaultRule()
        rule.changes = [change]
        #expect(FaultPlan([rule]).rules == [rule])
    }

    @Test func everyCodeOfHTTP2HasItsName() throws {
        #expect(HTTP2ErrorCode(13).name == "HTTP_1_1_REQUIRED" && HTTP2ErrorCode(14).name == nil)
        for (code, name) in HTTP2ErrorCode.names.enumerated() {
            let fault = #"{"cutAfter": 1, "then": {"resetStream": "\#(name)"}}"#
            let change = FaultRule.Change.cut(.byte(1), then: .resetStream(HTTP2ErrorCode(UInt32(code))))
            #expect(try Self.read(fault).map(\.changes) == [[change]])
        }
    }

    @Test func changesAreMadeInTheirOwnOrder() throws {
        let rule = try Self.read(#"{"slowClose": "1s", "cutAfter": 3, "wrongLength": 1, "corrupt": {"byte": 0}}"#)[0]
        #expect(rule.changes.map(\.name) == ["wrongLength", "corrupt", "cutAfter", "slowClose"])
    }

    @Test func limitsWithoutAnActionAnswerAsServersDo() throws {
        #expect(try Self.read(#"{"quota": {"limit": 1, "per": "1s"}}"#)[0].replacement == .status(429))
        #expect(try Self.read(#"{"concurrency": 1}"#)[0].replacement == .status(503))
        #expect(try Self.read(#"{"concurrency": 1, "cutAfter": 1}"#)[0].replacement == nil)
    }

    private static let problems: [(String, String)] = [
        ("[]", "response.fault: no faults; expected a fault, such as {cutAfter: 10, then: rst}"),
        ("{}", "response.fault: a fault that does nothing; expected one of status, kind"),
        (#"{"probability": 1}"#, "response.fault: a fault that does nothing"),
        (
            #"[{"cutAfter": 1}, 5]"#,
            "response.fault[1]: wrong type; expected a fault, such as {cutAfter: 10, then: rst}, found the number 5"
        ),
        (#"{"cutafter": 1}"#, #"did you mean "cutAfter"?"#),
        (#"{"latency": "1s"}"#, #"did you mean "delay"?"#),
        (#"{"cutAfter": -1}"#, "response.fault.cutAfter: not a place"),
        (#"{"cutAfter": "200%"}"#, "response.fault.cutAfter: not a place"),
        (#"{"cutAfter": "header"}"#, #"did you mean "headers"?"#),
        (#"{"cutAfter": {"chunks": 1}}"#, #"did you mean "chunk"?"#),
        (
            #"{"cutAfter": 1, "then": "reset"}"#,
            #"response.fault.then: unknown value; did you mean "rst"? Expected one of fin, rst"#
        ),
        (#"{"cutAfter": 1, "then": "truncate"}"#, #"did you mean "cut"?"#),
        (#"{"cutAfter": 1, "then": "goaway"}"#, #"did you mean "{goAway: NO_ERROR}"?"#),
        (#"{"cutAfter": 1, "then": 3}"#, "response.fault.then: wrong type; expected one of fin, rst, cut, hang"),
        (#"{"cutAfter": 1, "then": {}}"#, "response.fault.then: no end"),
        (#"{"cutAfter": 1, "then": {"reset_stream": "CANCEL"}}"#, #"did you mean "resetStream"?"#),
        (
            #"{"cutAfter": 1, "then": {"resetStream": "cancel"}}"#,
            #"response.fault.then.resetStream: no error code of HTTP/2; did you mean "CANCEL"? Expected one of NO_ERROR, "#
        ),
        (#"{"cutAfter": 1, "then": {"resetStream": "cancel"}}"#, #"did you mean "CANCEL"?"#),
        (#"{"cutAfter": 1, "then": {"goAway": "CALM"}}"#, "a number from 0 to 4294967295"),
        (#"{"cutAfter": 1, "then": {"resetStream": 4294967296}}"#, "no error code of HTTP/2"),
        (#"{"cutAfter": 1, "then": {"resetStream": 1, "goAway": 1}}"#, "response.fault.then.goAway: two ends"),
        (#"{"cutAfter": 1, "then": {"resetStream": 1, "lastStream": 1}}"#, #""lastStream" without "goAway""#),
        (#"{"cutAfter": 1, "then": {"lastStream": 1}}"#, #""lastStream" without "goAway""#),
        (#"{"cutAfter": 1, "then": {"goAway": 1, "lastStream": -1}}"#, "no id of a stream"),
        (#"{"cutAfter": "none"}"#, "response.fault.cutAfter: not a place"),
        (#"{"cutAfter": "nothin"}"#, #"did you mean "nothing"?"#),
        (#"{"dropTrailers": "yes"}"#, "response.fault.dropTrailers: wrong type; expected true"),
        (#"{"noTrailers": true}"#, #"did you mean "dropTrailers"?"#),
        (#"{"goAway": "NO_ERROR"}"#, #"did you mean "then"?"#),
        (#"{"neverRead": true}"#, "a stub is chosen when its request has been read"),
        (#"{"tls": "expired"}"#, "the connection was made before; expected tls in a fault of the session"),
        (#"{"listener": "down"}"#, "the connection was made before; expected listener in a fault of the session"),
        (#"{"then": "rst", "slowClose": "1s"}"#, #""then" without "cutAfter""#),
        (#"{"corrupt": {}}"#, "response.fault.corrupt: not a corruption"),
        (#"{"corrupt": {"byte": 1, "rate": 0.1}}"#, "response.fault.corrupt: not a corruption"),
        (#"{"corrupt": {"rate": 2}}"#, "response.fault.corrupt.rate: not a probability"),
        (#"{"wrongLength": 0}"#, "response.fault.wrongLength: not a difference"),
        (#"{"wrongLength": -9223372036854775808}"#, "response.fault.wrongLength: not a difference"),
        (#"{"duplicateHeader": "a b"}"#, "response.fault.duplicateHeader: not a header"),
        (#"{"garbagePrefix": 0}"#, "response.fault.garbagePrefix: not valid here"),
        (
            #"{"bandwidth": "3KB"}"#,
            #"response.fault.bandwidth: not a rate; did you mean "3KB/s"? Expected a rate with its unit, such as 500B/s, 3KB/s, 1MiB/s or 2Mbit/s, found the text "3KB""#
        ),
        (#"{"bandwidth": 3000}"#, #"did you mean "3000B/s"?"#),
        (#"{"bandwidth": "0B/s"}"#, "not a rate"),
        (#"{"slice": {"size": 10}}"#, #"response.fault.slice: "gap" is missing"#),
        (#"{"slice": {"size": 0, "gap": "1s"}}"#, "response.fault.slice.size: not a size"),
        (#"{"stall": {"after": 1}}"#, #"response.fault.stall: "for" is missing"#),
        (#"{"stall": {"for": 10}}"#, #"response.fault.stall.for: a duration without a unit"#),
        (#"{"slowClose": "2"}"#, "response.fault.slowClose: not a duration"),
        (#"{"status": 42}"#, "response.fault.status: not valid here; expected a status from 100 to 999"),
        (#"{"status": 500, "neverAnswer": true}"#, #"two answers: "status" and "neverAnswer""#),
        (#"{"kind": "EMPTY_RESPONCE"}"#, #"did you mean "EMPTY_RESPONSE"?"#),
        (#"{"readSlowly": "1KB/s"}"#, "a stub is chosen when its request has been read"),
        (#"{"cutAfter": 1, "probability": 1.5}"#, "response.fault.probability: not a probability"),
        (#"{"cutAfter": 1, "first": 0}"#, "response.fault.first: not valid here"),
        (#"{"cutAfter": 1, "first": {"perHeader": "A"}}"#, #"response.fault.first: "count" is missing"#),
        (#"{"cutAfter": 1, "between": ["10s", "5s"]}"#, "response.fault.between: the times are reversed"),
        (#"{"cutAfter": 1, "between": ["10s"]}"#, "response.fault.between: not a range"),
        (#"{"quota": {"limit": 1, "per": "0s"}}"#, "response.fault.quota.per: an empty period"),
        (#"{"quota": {"limit": 1}}"#, #"response.fault.quota: "per" is missing"#),
        (#"{"concurrency": -1}"#, "response.fault.concurrency: not valid here"),
        (#"{"delay": {"gausian": ["1s", "1s"]}}"#, #"did you mean "gaussian"?"#),
        (#"{"delay": {"type": "gausian"}}"#, #"did you mean "gaussian"?"#),
    ]

    @Test(arguments: problems)
    func aWrongFaultIsNamedWithItsPlace(fault: String, message: String) throws {
        let json = try JSONValue(parsing: #"{"response": {"fault": \#(fault)}}"#)
        let error = #expect(throws: ModelProblems.self) { try StubMapping(json: json) }
        let text = error?.description ?? ""
        #expect(text.contains(message), "\(text)")
    }

    private static let delays: [(String, DelayDistribution)] = [
        (#"{"gaussian": ["200ms", "50ms"]}"#, .gaussian(mean: 200, standardDeviation: 50, maxValue: nil)),
        (#"{"gaussian": ["200ms", "50ms"], "max": "1s"}"#, .gaussian(mean: 200, standardDeviation: 50, maxValue: 1000)),
        (#"{"exponential": "100ms", "max": "1s"}"#, .exponential(mean: 100, maxValue: 1000)),
        (
            #"{"type": "gaussian", "mean": 20.5, "standardDeviation": 5.5}"#,
            .gaussian(mean: 20.5, standardDeviation: 5.5, maxValue: nil)
        ),
        (#"{"type": "exponential", "mean": 20.5, "maxValue": 80.5}"#, .exponential(mean: 20.5, maxValue: 80.5)),
    ]

    @Test(arguments: delays)
    func theDistributionsOfOurOwnAreReadInBothForms(delay: String, distribution: DelayDistribution) throws {
        #expect(try Self.read(#"{"delay": \#(delay)}"#)[0].delay == distribution)
        guard delay.contains("type") else { return }
        let json = try JSONValue(parsing: #"{"response": {"delayDistribution": \#(delay)}}"#)
        let stub = try StubMapping(json: json)
        #expect(stub.response.delayDistribution == distribution)
        #expect(stub.response.json["delayDistribution"] == json["response"]?["delayDistribution"])
    }

    @Test(arguments: [
        (#"{"type": "gaussian", "mean": 5}"#, #""standardDeviation" is missing"#),
        (#"{"type": "exponential", "mean": -5}"#, "not a number of milliseconds"),
        (#"{"type": "exponential", "median": 5}"#, #"did you mean "mean"?"#),
    ])
    func aWrongDistributionIsNamed(delay: String, message: String) throws {
        let json = try JSONValue(parsing: #"{"response": {"delayDistribution": \#(delay)}}"#)
        let error = #expect(throws: ModelProblems.self) { try StubMapping(json: json) }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }
}
