public import SDHTTPTransport

/// The properties of a request that change the bytes of a response. A rendered response is shared by all requests with
/// the same variant.
public struct ResponseVariant: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    /// HTTP/1.0: no chunked coding, and keep-alive must be stated.
    public static let http10 = ResponseVariant(rawValue: 1)
    /// The connection closes after the response.
    public static let closing = ResponseVariant(rawValue: 2)
    /// HEAD: only the head is sent.
    public static let headOnly = ResponseVariant(rawValue: 4)
    /// The client accepts gzip.
    public static let gzip = ResponseVariant(rawValue: 8)

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public init(_ request: borrowing Request, gzipAllowed: Bool) {
        var form: ResponseVariant = []
        if request.version == .http10 { form.insert(.http10) }
        if !request.keepAlive { form.insert(.closing) }
        if request.method.count == 4, request.method.elementsEqual("HEAD".utf8) { form.insert(.headOnly) }
        if gzipAllowed, acceptsGzip(request), isCompressible(request.method) { form.insert(.gzip) }
        self = form
    }
}

/// Whether WireMock compresses answers to the method.
private func isCompressible(_ method: ArraySlice<UInt8>) -> Bool {
    switch method.count {
    case 3: method.elementsEqual("GET".utf8) || method.elementsEqual("PUT".utf8)
    case 4: method.elementsEqual("POST".utf8)
    case 5: method.elementsEqual("PATCH".utf8)
    case 6: method.elementsEqual("DELETE".utf8)
    default: false
    }
}

private let acceptEncoding = Array("accept-encoding".utf8)

/// Whether a coding of Accept-Encoding is gzip, with a weight above zero (RFC 9110 section 12.5.3).
private func acceptsGzip(_ request: borrowing Request) -> Bool {
    var accepts = false
    request.forEachHeaderValue(acceptEncoding) { value in
        for coding in value.split(separator: UInt8(ascii: ",")) where isGzip(coding) {
            accepts = true
        }
        return !accepts
    }
    return accepts
}

private func isGzip(_ coding: ArraySlice<UInt8>) -> Bool {
    let parts = coding.split(separator: UInt8(ascii: ";"), maxSplits: 1)
    guard let name = parts.first, trimmed(name).map(lowercase).elementsEqual("gzip".utf8) else { return false }
    guard parts.count == 2 else { return true }
    let weight = trimmed(parts[1])
    guard weight.count > 2, weight.starts(with: "q=".utf8) || weight.starts(with: "Q=".utf8) else { return true }
    return weight.dropFirst(2).contains { $0 != UInt8(ascii: "0") && $0 != UInt8(ascii: ".") }
}

private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    var slice = bytes.drop(while: isBlank)
    while let last = slice.last, isBlank(last) { slice = slice.dropLast() }
    return slice
}

private func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
}
