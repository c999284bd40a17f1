import SDPlatform

/// The decoded parts of a request, for making its response.
extension RequestViews {
    /// A request's destination and client, as WireMock determines them.
    public struct Destination: Sendable {
        public let scheme: String
        public let host: String
        public let port: Int
        /// The client's address.
        public let client: String
    }

    /// A part of a multipart body.
    public struct Part: Sendable {
        /// The name in its Content-Disposition; nil without one.
        public let name: String?
        /// The file name; nil if the part is not a file.
        public let fileName: String?
        /// The headers in order; names in lower case.
        public let headers: [(name: String, value: String)]
        public let body: [UInt8]
    }

    public mutating func destination(of request: some MatchableRequest) -> Destination {
        let origin = content(of: request).origin(of: request)
        return Destination(
            scheme: String(decoding: origin.scheme, as: UTF8.self), host: String(decoding: origin.host, as: UTF8.self),
            port: origin.port, client: String(decoding: origin.client, as: UTF8.self))
    }

    /// The cookies in order, decoded.
    public mutating func cookies(of request: some MatchableRequest) -> [(name: String, value: String)] {
        content(of: request).cookies(of: request).map { cookie in
            (String(decoding: cookie.name, as: UTF8.self), String(decoding: cookie.value, as: UTF8.self))
        }
    }

    /// The body without content coding; empty if there is none.
    public mutating func body(of request: some MatchableRequest) -> ArraySlice<UInt8> {
        content(of: request).body?.binary ?? []
    }

    public mutating func isMultipart(_ request: some MatchableRequest) -> Bool { content(of: request).isMultipart }

    public mutating func parts(of request: some MatchableRequest) -> [Part] {
        content(of: request).parts.map { part in
            Part(
                name: part.dispositionParameter("name").map { String(decoding: $0, as: UTF8.self) },
                fileName: part.dispositionParameter("filename").map { String(decoding: $0, as: UTF8.self) },
                headers: part.headers.map {
                    (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
                },
                body: Array(part.document.binary))
        }
    }
}

extension CompiledPattern {
    /// The value of a variable of the pattern's path template; nil if there is none of that name.
    public func pathVariable(_ name: String, _ views: inout RequestViews) -> String? {
        pathVariableBytes(name, &views).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a variable's value in the pattern's path template; nil if there is none of that name.
    public func pathVariableBytes(_ name: String, _ views: inout RequestViews) -> ArraySlice<UInt8>? {
        guard case .template(let template) = url, let place = template.names.firstIndex(of: name) else { return nil }
        return template.capture(place, of: views.path, views.budget)
    }

    /// The variables of the pattern's path template with their values in a path; empty without a template.
    public func pathVariables(_ views: inout RequestViews) -> [(name: String, value: String)] {
        guard case .template(let template) = url, let values = template.captures(of: views.path, views.budget) else {
            return []
        }
        return zip(template.names, values).map { ($0, String(decoding: $1, as: UTF8.self)) }
    }
}
