import SDCapture
import SDJSON
import SDStubModel
import Testing

@testable import SDRecording

/// What replicas tell each other of their recordings.
@Suite struct RecordedElsewhereTests {
    @Test func anExchangeComesBackAsItWas() throws {
        var exchange = RecordedExchange(method: "POST", url: "https://a/b?c=d", target: "/b?c=d", status: 201)
        exchange.requestHeaders = [("Accept", "*/*"), ("X-Twice", "1"), ("X-Twice", "2")]
        exchange.requestBody = [0, 255, 10]
        (exchange.reason, exchange.responseBody) = ("Created", Array("data: 1\n\ndata: 2\n\n".utf8))
        (exchange.responseHeaders, exchange.trailers) = ([("Content-Type", "text/event-stream")], [("Sum", "9")])
        (exchange.missingBytes, exchange.missingRequestBytes, exchange.isBroken) = (3, 4, true)
        exchange.failure = "it ended"
        exchange.chunks = [.init(gap: 5, count: 9), .init(gap: 7_000_000_000, count: 9)]
        (exchange.latency, exchange.duration, exchange.wallTime) = (1, 2, 1_796_000_000_000_000_000)
        let json = try JSONValue(parsing: exchange.json(sequence: 1 << 52).compactBytes)
        let read = try #require(RecordedExchange.read(json))
        #expect(read.sequence == 1 << 52)
        #expect("\(read.exchange)" == "\(exchange)")
        let others = RecordedElsewhere([
            Array(#"{"exchanges": [\#(json.compactText), {"sequence": 1}], "leftOut": 2}"#.utf8),
            Array("nonsense".utf8),
            Array(#"{"leftOut": -5}"#.utf8),
        ])
        #expect(others.exchanges.keys.sorted() == [1 << 52])
        #expect(others.leftOut == 2)
    }

    @Test(arguments: [
        #"{}"#, #"{"sequence": -1, "method": "GET", "url": "", "target": "/", "status": 200}"#, "[]", "1",
        #"{"sequence": 1, "method": "GET", "url": "", "target": "/", "status": 2000, "requestBody": "", "responseBody": ""}"#,
        #"{"sequence": 1, "method": "GET", "url": "", "target": "/", "status": 200, "requestBody": "%", "responseBody": ""}"#,
    ])
    func whatNoReplicaTellsIsNoExchange(text: String) throws {
        #expect(RecordedExchange.read(try JSONValue(parsing: Array(text.utf8))) == nil)
    }

    @Test func theFirstExchangeIsTriedFirst() throws {
        let exchanges = (0..<5).map {
            RecordedExchange(method: "GET", url: "http://a/\($0)", target: "/\($0)", status: 200)
        }
        let stubs = RecordedStubs(of: exchanges, RecordSpec())
        let whole = try #require(SharedStubs.documents(of: stubs, maxBytes: 1 << 20).first)
        #expect(try SharedStubs(whole).mappings.map(\.name) == ["0", "1", "2", "3", "4"])
        // What is added last is tried first.
        let each = try SharedStubs.documents(of: stubs, maxBytes: 1).flatMap {
            try SharedStubs($0).mappings.map(\.name)
        }
        #expect(each == ["4", "3", "2", "1", "0"])
        #expect(try SharedStubs(whole).mappings.map(\.id) == stubs.mappings.reversed().map(\.id))
    }
}
