import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// The faults that connections meet, by the session that they are for and the server that they ask for.
@Suite struct ConnectionFaultTests {
    private let log = HeardLog()
    private let registry: SessionRegistry

    init() {
        registry = SessionRegistry(base: Session(trouble: log))
    }

    @discardableResult
    private func add(_ fault: String, to session: Session? = nil) throws -> StubMapping.ID {
        let faults = try SessionFault.read(json: JSONValue(parsing: fault))
        return try #require(try (session ?? registry.base).addFaults(faults).first).id
    }

    private func tls(_ name: String? = nil, tag: UInt64 = 0) -> TLSFault? {
        registry.tlsFault(origin: Request.Origin(tag: tag, port: 8443), serverName: name)
    }

    private func http2(_ name: String? = nil, tag: UInt64 = 0) -> HTTP2Fault? {
        registry.http2Fault(origin: Request.Origin(tag: tag, port: 8443), serverName: name)
    }

    private func acted() -> [Int] { registry.base.faults.map(\.acted) }

    @Test func withoutFaultsNothingActs() throws {
        #expect(tls() == nil && http2("a.example") == nil)
        try add(#"{"delay": "1ms"}"#)
        #expect(tls() == nil && acted() == [0])
    }

    @Test(arguments: TLSFault.allCases)
    func everyFaultOfTLSActsOnEveryHandshake(fault: TLSFault) throws {
        try add(#"{"tls": "\#(fault.rawValue)"}"#)
        #expect(tls() == fault && tls("a.example") == fault && http2() == nil)
        #expect(acted() == [2])
    }

    @Test(arguments: HTTP2Fault.allCases)
    func everyFaultOfHTTP2ActsWhenItBegins(fault: HTTP2Fault) throws {
        try add(#"{"http2": "\#(fault.rawValue)"}"#)
        #expect(tls() == nil && http2() == fault)
        #expect(acted() == [1])
    }

    @Test(arguments: [
        ("pay.example", ["pay.example"], ["api.pay.example", "xpay.example", "example"]),
        ("*.pay.example", ["api.pay.example", "eu.api.pay.example"], ["pay.example", "apipay.example"]),
        ("*.Pay.Example", ["api.pay.example"], ["api.pay.example.org"]),
        ("localhost", ["localhost"], ["a.localhost"]),
    ])
    func aServerNameSaysWhomItMeets(pattern: String, met: [String], others: [String]) throws {
        try add(#"{"tls": "expired", "serverName": "\#(pattern)"}"#)
        for name in met { #expect(tls(name) == .expired, "\(name)") }
        for name in others { #expect(tls(name) == nil, "\(name)") }
        #expect(tls(nil) == nil)
    }

    @Test func theFirstFaultThatActsCounts() throws {
        try add(#"[{"tls": "expired", "first": 2}, {"tls": "reset", "serverName": "a"}, {"tls": "stall"}]"#)
        #expect((0..<3).map { _ in tls("a") } == [.expired, .expired, .reset])
        #expect(tls() == .stall)
        #expect(acted() == [2, 1, 1])
    }

    @Test func conditionsAreThoseOfOtherFaults() throws {
        try add(#"[{"tls": "expired", "probability": 0}, {"tls": "reset", "between": ["1h", "2h"]}]"#)
        #expect(tls() == nil && acted() == [0, 0])
        try add(#"{"tls": "stall", "between": ["0s", "1h"], "probability": "100%"}"#)
        #expect(tls() == .stall)
    }

    @Test func anUnusualHandshakeIsDrawnFromTheSeed() throws {
        func draws() throws -> [Bool] {
            var options = SessionOptions()
            options.seed = 7
            let registry = SessionRegistry(base: Session(options: options))
            let faults = try SessionFault.read(json: JSONValue(parsing: #"{"tls": "reset", "probability": 0.5}"#))
            _ = try registry.base.addFaults(faults)
            let origin = Request.Origin(tag: 0, port: 1)
            return (0..<40).map { _ in registry.tlsFault(origin: origin, serverName: nil) != nil }
        }
        #expect(try draws() == draws())
        #expect(try Set(draws()).count == 2)
    }

    @Test func sessionsHaveTheirOwnByPortAndByHost() throws {
        let live = registry.createSession(registry.issueID(), SessionRequest(), endpoint: nil, now: 0)
        try add(#"{"tls": "expired"}"#)
        #expect(tls() == .expired && tls(tag: live.id.number) == nil)
        // Its name is that of its host, whatever the port.
        #expect(tls(live.id.text + ".localhost") == nil && tls("s1-aaaaaa.localhost") == .expired)
        try add(#"{"tls": "reset"}"#, to: live.session)
        #expect(tls(tag: live.id.number) == .reset && tls(live.id.text + ".localhost") == .reset)
        #expect(tls("pay.example") == .expired)
        registry.deleteSession(live.id)
        #expect(tls(tag: live.id.number) == nil && tls(live.id.text + ".localhost") == nil)
    }

    @Test func aFaultThatIsRemovedOrResetActsNoMore() throws {
        let id = try add(#"{"tls": "expired"}"#)
        #expect(tls() == .expired)
        registry.base.removeFaults { $0.id == id }
        #expect(tls() == nil)
        try add(#"{"tls": "expired"}"#)
        registry.base.dropAllButFiles()
        #expect(tls() == nil)
    }

    @Test func theLogSaysWhatActed() throws {
        try add(#"[{"tls": "expired", "serverName": "a.example"}, {"http2": "garbage"}]"#)
        _ = (tls("a.example"), tls("b.example"), http2())
        #expect(log.warnings.withLock { $0 } == ["tls: expired a.example -", "http2: garbage - -"])
    }
}
