import JSON

/// A field of a response definition: its name, how it is read and written, and whether it is served.
///
/// With its member in `ResponseDefinition` a field stands in `all`, and nowhere else: the names that are known, what is read
/// and what is written, and the refusal of what is not served, come from there.
public struct ResponseField: Sendable {
    typealias Reading = @Sendable (inout ResponseDefinition, JSONValue, inout ModelReader) -> Void
    typealias Writing = @Sendable (ResponseDefinition) -> JSONValue?

    public let name: String
    /// A stub that uses a field that is not served is refused: to ignore it would be to answer wrongly.
    public let isServed: Bool
    let read: Reading
    /// Nil where the field is left out.
    let write: Writing

    private init(
        _ name: String, isServed: Bool = true, _ read: @escaping Reading, _ write: @escaping Writing
    ) {
        self.name = name
        self.isServed = isServed
        self.read = read
        self.write = write
    }

    /// Whether the response says anything in this field.
    public func isUsed(by response: ResponseDefinition) -> Bool { write(response) != nil }

    /// In the order in which WireMock writes them.
    public static let all: [ResponseField] = [
        ResponseField("status", { $0.status = $2.status($1) }, { .number(JSONNumber($0.status)) }),
        ResponseField("statusMessage", { $0.statusMessage = $2.string($1) }, { $0.statusMessage?.json }),
        ResponseField("body", { $0.body = $2.string($1) }, { $0.body?.json }),
        ResponseField("jsonBody", { (response, value, _) in response.jsonBody = value.orNil }, { $0.jsonBody }),
        ResponseField("base64Body", { $0.base64Body = $2.base64($1) }, { $0.base64Body?.json }),
        ResponseField("bodyFileName", { $0.bodyFileName = $2.string($1) }, { $0.bodyFileName?.json }),
        ResponseField("headers", { $0.headers = $2.responseHeaders($1) }, { $0.headers.json }),
        ResponseField(
            "additionalProxyRequestHeaders", isServed: false,
            { $0.additionalProxyRequestHeaders = $2.responseHeaders($1) }, { $0.additionalProxyRequestHeaders.json }),
        ResponseField(
            "removeProxyRequestHeaders", isServed: false,
            { $0.removeProxyRequestHeaders = $2.strings($1) ?? [] }, { $0.removeProxyRequestHeaders.json }),
        ResponseField(
            "fixedDelayMilliseconds",
            { $0.fixedDelayMilliseconds = $2.integer($1, .boxedInt) },
            { $0.fixedDelayMilliseconds.map { .number(JSONNumber($0)) } }),
        ResponseField(
            "delayDistribution",
            { $0.delayDistribution = DelayDistribution.read($1, &$2) }, { $0.delayDistribution?.json }),
        ResponseField(
            "chunkedDribbleDelay",
            { $0.chunkedDribbleDelay = DribbleDelay.read($1, &$2) }, { $0.chunkedDribbleDelay?.json }),
        ResponseField(
            "proxyBaseUrl", isServed: false,
            { $0.proxyBaseUrl = $2.string($1)?.trimmingBlanks }, { $0.proxyBaseUrl?.json }),
        ResponseField(
            "proxyUrlPrefixToRemove", isServed: false,
            { $0.proxyUrlPrefixToRemove = $2.string($1) }, { $0.proxyUrlPrefixToRemove?.json }),
        ResponseField("fault", { $0.fault = $2.fault($1) }, { $0.fault?.rawValue.json }),
        ResponseField(
            "transformers", isServed: false, { $0.transformers = $2.strings($1) ?? [] }, { $0.transformers.json }),
        ResponseField(
            "transformerParameters",
            { $0.transformerParameters = $2.object($1, .parameters) },
            { $0.transformerParameters.flatMap { $0.isEmpty ? nil : .object($0) } }),
        ResponseField(
            "fromConfiguredStub",
            { $0.fromConfiguredStub = $2.bool($1) }, { $0.fromConfiguredStub == false ? .bool(false) : nil }),
    ]

    static let names = all.map(\.name)
    public static let unserved = all.filter { !$0.isServed }
}

extension String {
    fileprivate var json: JSONValue { .string(self) }
}

extension JSONValue {
    fileprivate var orNil: JSONValue? { isNull ? nil : self }
}
