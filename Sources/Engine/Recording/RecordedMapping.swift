import SDJSON
package import SDStubModel

/// The stub and the files that WireMock's `--record-mappings` makes of an exchange: the whole URL, the body always in a
/// file.
package struct RecordedMapping: Sendable {
    package let stub: StubMapping
    /// The name of the mapping's file.
    package let fileName: String
    /// Nil for an answer that never has a body.
    package let bodyFile: RecordedStubs.BodyFile?

    /// The most bytes of a path in a name; and the characters that are not in it.
    private static let longestPath = 150
    private static let special = ",~:/?#[]@!$&'()*+;=\\ ".unicodeScalars

    /// - Parameters:
    ///   - headers: the names of the request headers that the stub matches.
    ///   - variants: tells apart what one pattern would match.
    package init(_ exchange: RecordedExchange, matching headers: [String], _ variants: inout RecordedVariants) {
        var pattern = variants.apart(RecordedRequest(exchange).mappingPattern(headers), exchange)
        if RequestPattern.hasOddBytes(exchange.target) { pattern.spellOutPath() }
        var stub = StubMapping(
            id: StubMapping.id(hashing: "recorded mapping \(pattern.json.compactText)"), request: pattern)
        stub.response = exchange.response
        stub.response.body = nil
        stub.response.base64Body = nil
        let parts = RecordedName.scenario(path: exchange.path)
        let name = Self.cleaned(parts.isEmpty ? "(root)" : parts)
        // Thousands of requests to one path must not share a name.
        let id = stub.idText.filter { $0 != "-" }.prefix(12)
        let body = exchange.plainBody.bytes
        let type = RecordedType(exchange.responseHeaders.first(named: "Content-Type"))
        let bodyName = "body-\(name)-\(id).\(type.fileExtension(path: exchange.path, body: body))"
        let hasBody = !body.isEmpty || ![204, 304].contains(exchange.status)
        if hasBody { stub.response.bodyFileName = bodyName }
        if pattern.host != nil || !RecordedCondition.matchers(exchange).isEmpty { stub.priority = RecordedStubs.early }
        self.stub = stub
        fileName = "mapping-\(name)-\(id).json"
        bodyFile = hasBody ? RecordedStubs.BodyFile(name: bodyName, bytes: body) : nil
    }

    /// The text without what file systems or URLs have a meaning for, as long as a file's name may be.
    private static func cleaned(_ text: String) -> String {
        var name = ""
        for scalar in text.unicodeScalars {
            let isKept = scalar.value >= 0x20 && scalar.value != 0x7F && !Self.special.contains(scalar)
            name.unicodeScalars.append(isKept ? scalar : "_")
            if name.utf8.count >= longestPath { break }
        }
        return name
    }
}
