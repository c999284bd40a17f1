package import SDHTTPMessages
import SDHTTPTransport
import SDRecords
package import SDStubModel

/// Responses to conditional requests, by the field `conditional`.
extension ResponseDefinition {
    /// The first value of a header.
    /// - Parameter name: in lower case.
    func firstValue(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.values.first
    }

    /// Whether conditions apply to the response, and it has no validator.
    var lacksValidator: Bool {
        conditional == true && fault == nil && firstValue("etag") == nil && firstValue("last-modified") == nil
    }

    package mutating func add(tag: String) { headers.append(ResponseHeader("ETag", [tag])) }

    /// The entity tag of a body. It is weak, because the same body may be sent compressed; with `ranges` it is strong.
    package func tag(of body: [UInt8]) -> String { prefix + "\"" + String(Fingerprint(body).value, radix: 16) + "\"" }

    package func tag(of file: BodyFile) -> String { prefix + file.tag }

    private var prefix: String { ranges == true ? "" : "W/" }

    /// The fields about a body, which a 304 leaves out.
    private static let bodyFields: Set<String> = [
        "content-type", "content-length", "content-encoding", "content-language", "content-range", "content-md5",
        "transfer-encoding", "trailer",
    ]

    /// The 304 for a client that has this version (RFC 9110, section 15.4.5); nil for any other. Conditions apply to
    /// GET and HEAD, and to successful answers (section 13.2.1).
    func notModified(for request: Request) -> ResponseDefinition? {
        guard conditional == true, fault == nil, (200..<300).contains(status),
            request.method.elementsEqual("GET".utf8) || request.method.elementsEqual("HEAD".utf8)
        else { return nil }
        let tag = firstValue("etag")
        guard Validators(tag: tag, lastModified: firstValue("last-modified")).areKnown(to: request) else { return nil }
        var response = self
        response.status = 304
        response.statusMessage = nil
        response.chunkedDribbleDelay = nil
        response.trailers = []
        response.headers.removeAll { header in
            let name = header.name.lowercased()
            return Self.bodyFields.contains(name) || name == "last-modified" && tag != nil
        }
        return response
    }
}
