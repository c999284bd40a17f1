/// Everything of a request that matchers decode, for those who show requests to people: the journal, near misses,
/// reports.
public struct RequestDetails {
    /// Without its content coding.
    public let body: ArraySlice<UInt8>
    /// The body in UTF-8.
    public let bodyText: ArraySlice<UInt8>
    public let cookies: [QueryParameter]
    /// Empty where an escape is broken.
    public let query: [QueryParameter]
    public let form: [QueryParameter]
    public let scheme: String
    public let host: String
    public let port: Int
    /// The client's address, or the text of `X-Forwarded-For`.
    public let clientIP: String

    public init(_ request: some MatchableRequest) {
        let content = RequestContent(request)
        body = content.body?.binary ?? []
        bodyText = content.body?.text ?? []
        cookies = content.cookies
        query = request.query.flatMap(QueryDecoding.query.parameters) ?? []
        form = content.form
        scheme = String(decoding: content.origin.scheme, as: UTF8.self)
        host = String(decoding: content.origin.host, as: UTF8.self)
        port = content.origin.port
        clientIP = String(decoding: content.origin.client, as: UTF8.self)
    }
}
