import SDJournal
import SDMatching
import SDPlatform
import SDStubModel

extension RecordedExchange {
    /// The most bytes that a compressed body is decompressed to. A larger one stays as it came: a few kilobytes can expand to
    /// gigabytes.
    private static let longestBody = 32 << 20

    /// The response that WireMock makes of the answer: decompressed, and without the fields that the server sets itself.
    ///
    /// What would not come back as it was stays as it is: a content coding that is not gzip, and in Base64 a text whose
    /// bytes are not UTF-8.
    var response: ResponseDefinition {
        var response = ResponseDefinition(status: status)
        let (body, isPlain) = plainBody
        if !body.isEmpty {
            let contentType = responseHeaders.first(named: "Content-Type")
            if isPlain, RecordedType(contentType).isText, let text = String(validating: body, as: UTF8.self) {
                response.body = text
            } else {
                response.base64Body = Base64.encode(body)
            }
        }
        let dropped =
            ["content-length", "transfer-encoding", "connection", "keep-alive"] + (isPlain ? ["content-encoding"] : [])
        response.headers = grouped(
            responseHeaders.filter { !dropped.contains($0.name.lowercased()) }.map { ($0.name, $0.value) },
            ignoringCase: true)
        return response
    }

    /// The body without its content coding, and whether it has none any more.
    package var plainBody: (bytes: [UInt8], isPlain: Bool) {
        let codings = responseHeaders.filter { $0.name.lowercased() == "content-encoding" }
            .flatMap { $0.value.lowercased().split { $0 == "," || $0 == " " } }.filter { $0 != "identity" }
        if codings.isEmpty || responseBody.isEmpty { return (responseBody, true) }
        guard codings.count == 1, codings[0] == "gzip" || codings[0] == "x-gzip", missingBytes == 0,
            let plain = try? decompressed(responseBody[...], limit: Self.longestBody)
        else { return (responseBody, false) }
        return (plain, true)
    }
}
