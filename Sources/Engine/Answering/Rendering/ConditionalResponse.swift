package import SDHTTPMessages
import SDHTTPTransport
import SDRecords
package import SDStubModel

/// Responses that answer a request's conditions, by the field `conditional`.
extension ResponseDefinition {
    /// The first value of a header.
    /// - Parameter name: in lower case.
    func firstValue(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.values.first
    }

    /// Whether conditions apply to it, and it says nothing that they could be about.
    var lacksValidator: Bool {
        conditional == true && fault == nil && firstValue("etag") == nil && firstValue("last-modified") == nil
    }

    package mutating func add(tag: String) { headers.append(ResponseHeader("ETag", [tag])) }

    /// The tag of a body. It is weak, because the same body may be sent compressed; one with `ranges` never is.
    package func tag(of body: [UInt8]) -> String { prefix + "\"" + String(Fingerprint(body).value, radix: 16) + "\"" }

    package func tag(of file: BodyFile) -> String { prefix + file.tag }

    private var prefix: String { ranges == true ? "" : "W/" }

    /// The fields about a body that is not sent.
    private static let bodyFields: Set<String> = [
        "content-type", "content-length", "content-encoding", "content-language", "content-range", "content-md5",
        "transfer-encoding", "trailer",
    ]

    /// The answer to a client that has this version already (RFC 9110, section 15.4.5); nil to any other. Conditions
    /// apply to GET and HEAD, and where the answer would be a success (section 13.2.1).
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
