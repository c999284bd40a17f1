import SDHTTPMessages
import SDHTTPTransport
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// The responses of stubs, cut: the same becomes of all bodies.
@Suite struct ResponseTransformTests {
    struct Made: CustomTestStringConvertible {
        let testDescription: String
        var definition = ResponseDefinition()
        var chunked = ChunkedEncodingPolicy.always
        var isFile = false
        var form: ResponseVariant = []
        var count = 2000

        private var body: [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) } }

        var script: WireScript {
            var options = ResponseOptions()
            options.chunkedEncoding = chunked
            return ResponseRenderer(definition: definition, fields: [("A", "b")], options: options, isFile: isFile)
                .render(form, [.bytes(body)])
        }
    }

    private static func dribble() -> ResponseDefinition {
        var definition = ResponseDefinition()
        definition.chunkedDribbleDelay = DribbleDelay(numberOfChunks: 3, totalDuration: 3)
        return definition
    }

    static let all = [
        Made(testDescription: "a constant in chunks"),
        Made(testDescription: "a constant by its length", chunked: .never),
        Made(testDescription: "a large constant", count: 50_000),
        Made(testDescription: "a file in chunks", chunked: .bodyFile, isFile: true),
        Made(testDescription: "a large file by its length", chunked: .never, isFile: true, count: 50_000),
        Made(testDescription: "dribbled chunks", definition: dribble()),
        Made(
            testDescription: "a large dribbled body by its length", definition: dribble(), chunked: .never,
            count: 50_000),
        Made(testDescription: "for HTTP/1.0", form: [.http10, .closing]),
        Made(testDescription: "compressed", form: .gzip),
    ]

    private func run(_ script: WireScript) throws -> RawClient.Received {
        let server = try TestServer(limits: ServerLimits()) { _, reply in reply.send(script) }
        let client = try server.client()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        return client.receiveAll()
    }

    @Test(arguments: all) func aCutResponseHasTheBytesBeforeTheCut(made: Made) throws {
        let whole = ReceivedBody(of: try run(made.script.replacingEnd(with: .end(.close))).bytes)
        #expect(whole.isComplete)
        for count in [0, 1, 100, whole.bytes.count - 1] {
            let broken = try run(made.script.cut(after: count, then: .abort(.rst)))
            #expect(broken.ending == .rst)
            #expect(ReceivedBody(of: broken.bytes) == ReceivedBody(Array(whole.bytes.prefix(count)), isComplete: false))
            let short = try run(made.script.cut(after: count, then: .finish).replacingEnd(with: .end(.close)))
            #expect(ReceivedBody(of: short.bytes) == ReceivedBody(Array(whole.bytes.prefix(count)), isComplete: true))
        }
    }

    private static let forms: [ResponseVariant] = [
        [], .closing, .headOnly, .http10, [.http10, .closing], .gzip, [.gzip, .closing],
    ]
    private static let definitions: [ResponseDefinition] = {
        var definitions = [200, 204, 304].map { ResponseDefinition(status: $0) } + [dribble()]
        for headers in [
            ["Content-Length": "3"], ["Content-Length": "30"], ["Transfer-Encoding": "x"], ["Connection": "close"],
            ["Connection": "x"],
        ] {
            var definition = ResponseDefinition()
            definition.headers = headers.map { ResponseHeader($0.key, [$0.value]) }
            definitions.append(definition)
        }
        var trailing = ResponseDefinition()
        trailing.trailers = [ResponseHeader("T", ["1"])]
        var early = ResponseDefinition()
        early.early = [EarlyResponse(status: 103)]
        return definitions + [trailing, early]
    }()

    /// A body that is made for one request goes into a frame that was made before, with the same bytes as ever.
    @Test(arguments: [ChunkedEncodingPolicy.always, .never])
    func aFrameHasTheBytesOfTheResponse(policy: ChunkedEncodingPolicy) throws {
        var options = ResponseOptions()
        options.chunkedEncoding = policy
        for (definition, form) in Self.definitions.flatMap({ definition in Self.forms.map { (definition, $0) } }) {
            let fields = definition.headers.flatMap { header in header.values.map { (header.name, $0) } }
            let renderer = ResponseRenderer(definition: definition, fields: fields, options: options, isFile: false)
            for body in [[], Array("0123456789".utf8), [UInt8](repeating: 0x61, count: 40_000)] {
                let whole = renderer.render(form, [.bytes(body)]).replacingEnd(with: .end(.close))
                let frame = renderer.frame(form)
                let framed = frame.script(body, frame.plainHead).replacingEnd(with: .end(.close))
                let (expected, found) = (try run(whole), try run(framed))
                #expect(found == expected, "\(definition.status) \(fields) \(form) \(body.count)")
            }
        }
    }

    @Test func aFrameIsMadeOnceForEachForm() throws {
        var mapping = StubMapping(id: StubMapping.randomID(), request: RequestPattern(method: .any, url: .any))
        mapping.response.body = "{{request.path}}"
        mapping.response.transformers = ["response-template"]
        let stub = try CompiledStub(mapping, sequence: 1, file: nil, line: nil, options: ResponseOptions())
        let frame = try #require(stub.response.frame([]))
        #expect(stub.response.frame([]) === frame)
        #expect(stub.response.frame(.closing) !== frame)
    }

    @Test func aResponseWithoutABodyIsNotCut() throws {
        for made in [
            Made(testDescription: "", form: .headOnly), Made(testDescription: "", definition: .init(status: 304)),
        ] {
            let plain = try run(made.script.replacingEnd(with: .end(.close)))
            #expect(try run(made.script.cut(after: 1, then: .abort(.rst)).replacingEnd(with: .end(.close))) == plain)
        }
    }

    @Test(arguments: Fault.allCases) func aFaultIsNotCut(fault: Fault) throws {
        let script = WireScript(fault: fault, [])
        #expect(try run(script.cut(after: 1, then: .finish)) == run(script))
    }
}
