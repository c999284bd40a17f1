import SDBasics
import SDJSON

/// A field of a response definition: its name, and how it is read and written.
///
/// A field needs a member in `ResponseDefinition` and an entry in `all`, and nothing else: the known names, reading and
/// writing all come from there.
public struct ResponseField: Sendable {
    typealias Reading = @Sendable (inout ResponseDefinition, JSONValue, inout ModelReader) -> Void
    typealias Writing = @Sendable (ResponseDefinition) -> JSONValue?

    /// The field's name in JSON.
    public let name: String
    let read: Reading
    /// The value as JSON; nil if the field is absent.
    let write: Writing

    private init(_ name: String, _ read: @escaping Reading, _ write: @escaping Writing) {
        self.name = name
        self.read = read
        self.write = write
    }

    /// All fields, in the order in which WireMock writes them.
    public static let all: [ResponseField] = [
        ResponseField(
            "status", { $0.readStatus($1, &$2) }, { $0.statusTemplate?.json ?? .number(JSONNumber($0.status)) }),
        ResponseField("statusMessage", { $0.statusMessage = $2.string($1) }, { $0.statusMessage?.json }),
        ResponseField("body", { $0.body = $2.string($1) }, { $0.body?.json }),
        ResponseField("jsonBody", { (response, value, _) in response.jsonBody = value.orNil }, { $0.jsonBody }),
        ResponseField("base64Body", { $0.base64Body = $2.base64($1) }, { $0.base64Body?.json }),
        ResponseField("bodyFileName", { $0.bodyFileName = $2.string($1) }, { $0.bodyFileName?.json }),
        ResponseField("headers", { $0.headers = $2.responseHeaders($1) }, { $0.headers.json }),
        ResponseField(
            "additionalProxyRequestHeaders",
            { $0.additionalProxyRequestHeaders = $2.responseHeaders($1) }, { $0.additionalProxyRequestHeaders.json }),
        ResponseField(
            "removeProxyRequestHeaders",
            { $0.removeProxyRequestHeaders = $2.strings($1) ?? [] }, { $0.removeProxyRequestHeaders.json }),
        ResponseField(
            "fixedDelayMilliseconds",
            { $0.readFixedDelay($1, &$2) },
            { $0.fixedDelayTemplate?.json ?? $0.fixedDelayMilliseconds.map { .number(JSONNumber($0)) } }),
        ResponseField(
            "delayDistribution",
            { $0.delayDistribution = DelayDistribution.read($1, &$2) }, { $0.delayDistribution?.json }),
        ResponseField(
            "chunkedDribbleDelay",
            { $0.chunkedDribbleDelay = DribbleDelay.read($1, &$2) }, { $0.chunkedDribbleDelay?.json }),
        ResponseField(
            "proxyBaseUrl",
            { $0.proxyBaseUrl = $2.string($1)?.trimmingBlanks }, { $0.proxyBaseUrl?.json }),
        ResponseField(
            "proxyUrlPrefixToRemove",
            { $0.proxyUrlPrefixToRemove = $2.string($1) }, { $0.proxyUrlPrefixToRemove?.json }),
        ResponseField("proxyHttp2", { $0.proxyHttp2 = $2.bool($1) }, { $0.proxyHttp2.map { .bool($0) } }),
        ResponseField("delays", { $0.delays = ResponseDelays.read($1, &$2) }, { $0.delays?.json }),
        ResponseField("fault", { $0.readFault($1, &$2) }, { $0.fault?.rawValue.json ?? $0.faults?.json }),
        ResponseField(
            "transformers", { $0.transformers = $2.strings($1) ?? [] }, { $0.transformers.json }),
        ResponseField(
            "transformerParameters",
            { $0.transformerParameters = $2.object($1, .parameters) },
            { $0.transformerParameters.flatMap { $0.isEmpty ? nil : .object($0) } }),
        ResponseField("template", { $0.template = $2.bool($1) }, { $0.template.map { .bool($0) } }),
        ResponseField(
            "fromConfiguredStub",
            { $0.fromConfiguredStub = $2.bool($1) }, { $0.fromConfiguredStub == false ? .bool(false) : nil }),
        ResponseField("hold", { $0.hold = GateHold.read($1, &$2) }, { $0.hold?.json }),
        ResponseField("stream", { $0.stream = StreamDefinition.read($1, &$2) }, { $0.stream?.json }),
        ResponseField(
            "early", { $0.early = EarlyResponse.readList($1, &$2) },
            { $0.early.isEmpty ? nil : .array($0.early.map(\.json)) }),
        ResponseField("trailers", { $0.trailers = $2.responseHeaders($1) }, { $0.trailers.json }),
        ResponseField("ranges", { $0.ranges = $2.bool($1) }, { $0.ranges.map { .bool($0) } }),
        ResponseField("conditional", { $0.conditional = $2.bool($1) }, { $0.conditional.map { .bool($0) } }),
        ResponseField("fallThrough", { $0.fallThrough = $2.bool($1) }, { $0.fallThrough.map { .bool($0) } }),
    ]

    static let names = all.map(\.name)
}

extension ResponseDefinition {
    /// Reads a status, or the template of one.
    fileprivate mutating func readStatus(_ value: JSONValue, _ reader: inout ModelReader) {
        if let text = value.stringValue, text.contains(text: "{{") {
            statusTemplate = text
        } else {
            status = reader.status(value)
        }
    }

    /// Reads a number, or the template of one.
    fileprivate mutating func readFixedDelay(_ value: JSONValue, _ reader: inout ModelReader) {
        if let text = value.stringValue, text.contains(text: "{{") {
            fixedDelayTemplate = text
        } else {
            fixedDelayMilliseconds = reader.integer(value, .boxedInt)
            if fixedDelayMilliseconds ?? 0 < 0 { reader.warn("a negative delay counts as none") }
        }
    }
}

extension String {
    fileprivate var json: JSONValue { .string(self) }
}

extension JSONValue {
    fileprivate var orNil: JSONValue? { isNull ? nil : self }
}
