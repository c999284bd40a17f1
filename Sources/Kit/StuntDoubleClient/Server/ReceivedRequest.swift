import SDJSON
package import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MockServer {
    /// A request that the server received.
    public struct ReceivedRequest: Sendable, Hashable {
        /// The id in the journal.
        public internal(set) var id: String
        /// The number of the request in the session, from 1.
        public internal(set) var sequence: Int
        /// The method: `GET`.
        public var method: String { logged.method ?? "" }
        /// The path with the query, as it was sent.
        public var target: String { logged.url ?? "" }
        /// The URL with scheme, host and port. Invalid characters are percent-encoded.
        public var url: URL {
            let text = logged.absoluteURL ?? target
            // A fully percent-encoded text is always a valid URL.
            return URL(string: text) ?? URL(string: URLEscaping.component(text)) ?? URL(filePath: "/")
        }
        /// The path, without the query, as it was sent.
        public var path: String { String(target.prefix { $0 != "?" }) }
        /// The header fields in their order, one entry for each name.
        public var headers: [(name: String, values: [String])] { (logged.headers ?? []).map { ($0.name, $0.values) } }
        /// The body without its content coding. If it was too large for the server's journal, only its beginning: see
        /// `wholeBodySize`.
        public var body: Data { Data(logged.body ?? []) }
        /// The body as UTF-8 text; invalid bytes are replaced.
        public var text: String { String(decoding: logged.body ?? [], as: UTF8.self) }
        /// The full size in bytes if the server kept only the beginning of the body, because it exceeded
        /// `--journal-body-limit` (64 MiB where the kit starts the server); nil if the body is complete.
        public var wholeBodySize: Int? { logged.wholeBody }
        /// Whether a stub answered it.
        public internal(set) var wasMatched: Bool
        /// The stub that answered it; nil if none did.
        public internal(set) var stub: Stub.ID?
        /// The status of the answer; nil until there is one, and for a broken connection.
        public internal(set) var status: Int?
        /// The complete record in WireMock's terms.
        package var logged: LoggedRequest

        /// The first value of a header; names compare case-insensitively.
        public func header(_ name: String) -> String? { Self.values(logged.headers ?? [], name, caseless: true).first }
        /// All values of a header.
        public func headerValues(_ name: String) -> [String] { Self.values(logged.headers ?? [], name, caseless: true) }
        /// The first value of a query parameter, decoded.
        public func query(_ name: String) -> String? { Self.values(logged.query, name).first }
        /// The first value of a form field, decoded.
        public func form(_ name: String) -> String? { Self.values(logged.form, name).first }
        /// The value of a cookie.
        public func cookie(_ name: String) -> String? { Self.values(logged.cookies ?? [], name).first }

        /// Decodes the body from JSON.
        /// - Throws: `MockServerError` with the decoder's error, the request and its body, or if the body is not
        ///   complete.
        public func body<Value: Decodable>(
            as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
        ) throws -> Value {
            try requireWholeBody()
            do {
                return try decoder.decode(type, from: body)
            } catch {
                throw MockServerError("the body of \(method) \(target) is no \(type): \(error)\nit is: \(shownBody)")
            }
        }

        /// The body as a JSON document.
        /// - Throws: `MockServerError` if the body is not JSON, or not complete.
        public var json: Stub.JSON {
            get throws {
                try requireWholeBody()
                do throws(JSONSyntaxError) {
                    return Stub.JSON(try JSONValue(parsing: logged.body ?? []))
                } catch {
                    throw MockServerError("the body of \(method) \(target) is no JSON: \(error)\nit is: \(shownBody)")
                }
            }
        }

        private func requireWholeBody() throws(MockServerError) {
            guard let wholeBodySize else { return }
            throw MockServerError(
                """
                the body of \(method) \(target) is not whole: the server's journal kept the first \(body.count) of its \
                \(wholeBodySize) bytes, see --journal-body-limit
                """)
        }

        private var shownBody: String {
            let shown = text.prefix(500)
            return shown.isEmpty ? "empty" : shown.count < text.count ? shown + "…" : String(shown)
        }

        private static func values(_ fields: [ResponseHeader], _ name: String, caseless: Bool = false) -> [String] {
            let wanted = caseless ? name.lowercased() : name
            return fields.first { (caseless ? $0.name.lowercased() : $0.name) == wanted }?.values ?? []
        }
    }
}

extension MockServer.ReceivedRequest {
    /// Reads a journal event in the admin API's detailed form.
    /// - Throws: the problems of a request that cannot be read.
    init(event: JSONValue) throws(ModelProblems) {
        var request = event["request"] ?? .object(JSONObject())
        // Foundation's base64 decoder is fast even in unoptimized builds of tests.
        let body = request["bodyAsBase64"]?.stringValue.flatMap { Data(base64Encoded: $0) }
        if body != nil { request = request.replacing("bodyAsBase64", by: nil) }
        logged = try LoggedRequest(json: request)
        if let body { logged.body = Array(body) }
        logged.wholeBody = request["bodyTruncatedFrom"]?.intValue
        id = event["id"]?.stringValue ?? ""
        sequence = event["sequence"]?.intValue ?? 0
        wasMatched = event["wasMatched"]?.boolValue ?? false
        status = event["response"]?["status"]?.intValue
        if wasMatched { stub = event["stubMapping"]?["id"]?.stringValue.flatMap(SDStubModel.StubMapping.id(text:)) }
    }
}
