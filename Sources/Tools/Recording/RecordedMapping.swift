package import SDCapture
import SDJSON
import SDSecrets
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
    private static let special = ",~:/?#[]@!$&'()*+;=\\".unicodeScalars

    /// The pattern of an exchange's request.
    /// - Parameters:
    ///   - headers: the names of the request headers that the stub matches.
    ///   - variants: tells apart what one pattern would match.
    package static func pattern(
        of exchange: RecordedExchange, matching headers: [String], _ variants: inout RecordedVariants
    ) -> RequestPattern {
        var pattern = variants.apart(RecordedRequest(exchange).mappingPattern(headers), exchange)
        if RequestPattern.hasOddBytes(exchange.target) || exchange.target.isRedacted { pattern.spellOutPath() }
        pattern = pattern.withoutSecrets(SecretNames())
        return pattern
    }

    /// - Parameters:
    ///   - pattern: that of the exchange's request.
    ///   - names: those of the files that were made before.
    package init(_ exchange: RecordedExchange, _ pattern: RequestPattern, _ names: inout Set<String>) {
        var stub = StubMapping(
            id: StubMapping.id(hashing: "recorded mapping \(pattern.json.compactText)"), request: pattern)
        stub.response = exchange.response
        stub.response.body = nil
        stub.response.base64Body = nil
        let parts = RecordedName.scenario(path: exchange.path)
        let name = Self.unused(parts.isEmpty ? "(root)" : Self.cleaned(parts), stub.id, &names)
        let body = exchange.plainBody.bytes
        let type = RecordedType(exchange.responseHeaders.first(named: "Content-Type"))
        let bodyName = "body-\(name).\(type.fileExtension(path: exchange.path, body: body))"
        let hasBody = !body.isEmpty || ![204, 304].contains(exchange.status)
        if hasBody { stub.response.bodyFileName = bodyName }
        let isEarly = pattern.host != nil || !RecordedCondition.matchers(exchange).isEmpty
        stub.priority = RecordedStubs.priority(isEarly: isEarly)
        stub.markUnusual()
        self.stub = stub
        fileName = "mapping-\(name).json"
        bodyFile = hasBody ? RecordedStubs.BodyFile(name: bodyName, bytes: body) : nil
    }

    /// The path with five letters and digits behind it, as in WireMock. They are those of the id, so that what is recorded
    /// again has the same name; more where others have them.
    private static func unused(_ path: String, _ id: StubMapping.ID, _ names: inout Set<String>) -> String {
        let digits = String(UInt64(id.lowercasedString.filter { $0 != "-" }.prefix(16), radix: 16) ?? 0, radix: 36)
        var count = 5
        while true {
            let name = "\(path)-\(digits.suffix(count))"
            // Case makes no difference to some file systems.
            if names.insert(name.lowercased()).inserted || count >= digits.count { return name }
            count += 1
        }
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
