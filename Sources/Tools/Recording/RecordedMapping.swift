package import SDCapture
import SDJSON
import SDSecrets
package import SDStubModel

/// The stub and files that WireMock's `--record-mappings` makes of an exchange: matched by the whole URL, with the body
/// always in a file.
package struct RecordedMapping: Sendable {
    package let stub: StubMapping
    /// The name of the mapping's file.
    package let fileName: String
    /// Nil for an answer that cannot have a body.
    package let bodyFile: RecordedStubs.BodyFile?

    /// The maximum length of a path in a name, in bytes; and the characters that are removed.
    private static let longestPath = 150
    private static let special = ",~:/?#[]@!$&'()*+;=\\".unicodeScalars

    /// The pattern of an exchange's request.
    /// - Parameters:
    ///   - headers: the names of the request headers that the stub matches.
    ///   - variants: distinguishes exchanges that one pattern would match.
    package static func pattern(
        of exchange: RecordedExchange, matching headers: [String], _ variants: inout RecordedVariants
    ) -> RequestPattern {
        var pattern = variants.apart(RecordedRequest(exchange).mappingPattern(headers), exchange)
        if RequestPattern.hasOddBytes(exchange.target) || exchange.target.isRedacted { pattern.expandPath() }
        pattern = pattern.withoutSecrets(SecretNames())
        return pattern
    }

    /// - Parameters:
    ///   - pattern: the pattern of the exchange's request.
    ///   - names: the names of the files made before.
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

    /// The path followed by five letters and digits, as in WireMock. They are taken from the id, so that recording
    /// again yields the same name; more of them if the name is taken.
    private static func unused(_ path: String, _ id: StubMapping.ID, _ names: inout Set<String>) -> String {
        let digits = String(UInt64(id.lowercasedString.filter { $0 != "-" }.prefix(16), radix: 16) ?? 0, radix: 36)
        var count = 5
        while true {
            let name = "\(path)-\(digits.suffix(count))"
            // Some file systems ignore case.
            if names.insert(name.lowercased()).inserted || count >= digits.count { return name }
            count += 1
        }
    }

    /// The text without characters special to file systems or URLs, cut to the length of a file name.
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
