import SDJSON
package import SDStubModel

/// The stub and the files that WireMock's `--record-mappings` makes of an exchange: the whole URL, the body always in a
/// file.
package struct RecordedMapping: Sendable {
    package let stub: StubMapping
    /// The name of the mapping's file.
    package let fileName: String
    package let bodyFile: RecordedStubs.BodyFile

    private static let longestPath = 150

    /// - Parameter headers: the names of the request headers that the stub matches.
    package init(_ exchange: RecordedExchange, matching headers: [String]) {
        let pattern = RecordedRequest(exchange).mappingPattern(headers)
        var stub = StubMapping(
            id: StubMapping.id(hashing: "recorded mapping \(pattern.json.compactText)"), request: pattern)
        stub.response = exchange.response
        stub.response.body = nil
        stub.response.base64Body = nil
        let parts = RecordedName.scenario(path: exchange.path)
        let name = Self.cleaned(parts.isEmpty ? "(root)" : parts).prefix(Self.longestPath)
        let id = stub.idText.prefix(5)
        let body = exchange.plainBody.bytes
        let type = RecordedType(exchange.responseHeaders.first(named: "Content-Type"))
        let bodyName = "body-\(name)-\(id).\(type.fileExtension(path: exchange.path, body: body))"
        stub.response.bodyFileName = bodyName
        self.stub = stub
        fileName = "mapping-\(name)-\(id).json"
        bodyFile = RecordedStubs.BodyFile(name: bodyName, bytes: body)
    }

    /// The text without what file systems or URLs have a meaning for.
    private static func cleaned(_ text: String) -> String {
        String(text.map { ",~:/?#[]@!$&'()*+;=\\ ".contains($0) ? "_" : $0 })
    }
}
