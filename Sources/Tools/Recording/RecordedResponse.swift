import SDBasics
import SDCapture
import SDHTTPMessages
import SDJSON
import SDJournal
import SDMatching
import SDPlatform
import SDStubModel

extension RecordedExchange {
    /// The response that WireMock makes of the answer: decompressed, without the headers that the server sets itself.
    ///
    /// Parts that could not be reproduced are kept raw: an unknown content coding, and as Base64 a text that is not
    /// UTF-8. Trailers, which WireMock lacks, are kept; the server announces them.
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
            ["content-length", "transfer-encoding", "connection", "keep-alive", "trailer"]
            + (isPlain ? ["content-encoding"] : [])
        response.headers = grouped(
            responseHeaders.filter { !dropped.contains($0.name.lowercased()) }.map { ($0.name, $0.value) },
            ignoringCase: true)
        response.trailers = grouped(trailers.map { ($0.name, $0.value) }, ignoringCase: true)
        return response
    }

    /// The body without its content coding, and whether it could be removed.
    package var plainBody: (bytes: [UInt8], isPlain: Bool) {
        let codings = ContentCoding.codings(of: responseHeaders)
        if codings.isEmpty || responseBody.isEmpty { return (responseBody, true) }
        guard missingBytes == 0, let plain = ContentCoding.decoded(responseBody, codings) else {
            return (responseBody, false)
        }
        return (plain, true)
    }
}

extension ResponseDefinition {
    /// Whether routes would take any part of it for a template.
    var looksLikeTemplate: Bool {
        func isLike(_ text: String) -> Bool { text.contains(text: "{{") }
        return body.map(isLike) ?? false || jsonBody.map { isLike($0.compactText) } ?? false
            || (headers + trailers).contains { $0.values.contains(where: isLike) }
            || statusMessage.map(isLike) ?? false || stream?.hasText(where: isLike) ?? false
    }

    /// Keeps a non-standard reason phrase, and drops headers with invalid names, which stubs cannot have.
    mutating func keepOwn(of exchange: RecordedExchange) {
        let reason = exchange.reason
        if !reason.isEmpty, reason != statusPhrase(exchange.status),
            reason.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        {
            statusMessage = reason
        }
        headers.removeAll { !HTTPToken.isToken($0.name) }
        trailers.removeAll { !HTTPToken.isToken($0.name) }
    }
}
