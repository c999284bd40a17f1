import SDPlatform

/// All parts of a request that matchers decode, for the journal, near misses and reports. Made from the start of a long
/// body.
public struct RequestDetails {
    /// The body without its content coding.
    public let body: ArraySlice<UInt8>
    /// The size of a truncated body; nil if it is complete. For a gzip body, the size stated at its end.
    public let wholeBody: Int?
    /// The body in UTF-8.
    public let bodyText: ArraySlice<UInt8>
    public let cookies: [QueryParameter]
    /// The query's parameters; empty if an escape is invalid.
    public let query: [QueryParameter]
    public let form: [QueryParameter]
    public let scheme: String
    public let host: String
    public let port: Int
    /// The client's address, or the text of `X-Forwarded-For`.
    public let clientIP: String

    /// - Parameter bodyLimit: the maximum number of body bytes, without content coding.
    public init(_ request: some MatchableRequest, bodyLimit: Int) {
        let content = RequestContent(request, .unlimited, .showing(bodyLimit))
        body = content.body?.binary ?? []
        wholeBody = content.wholeBody
        bodyText = content.body?.text ?? []
        cookies = content.cookies(of: request)
        query = request.query.flatMap { QueryDecoding.query.parameters(of: $0) } ?? []
        form = content.form
        let origin = content.origin(of: request)
        scheme = String(decoding: origin.scheme, as: UTF8.self)
        host = String(decoding: origin.host, as: UTF8.self)
        port = origin.port
        clientIP = String(decoding: origin.client, as: UTF8.self)
    }
}
