public import SDJSON

/// A request in the journal, or the subject of a near-miss query: WireMock's `LoggedRequest`. If a client wrote it, any
/// member may be missing.
public struct LoggedRequest: Sendable, Hashable {
    /// The path and query as sent.
    public var url: String?
    /// The whole URL: scheme, host, path and query.
    public var absoluteURL: String?
    /// The method as sent.
    public var method: String?
    /// The client's address, or the text of `X-Forwarded-For`.
    public var clientIP: String?
    /// The header fields in the order and case of the request; the values of one name are grouped.
    public var headers: [ResponseHeader]?
    /// The cookies, each name with its values.
    public var cookies: [ResponseHeader]?
    /// The time of the request in milliseconds since 1970.
    public var loggedDate: Int64?
    /// `loggedDate` as text.
    public var loggedDateText: String?
    /// The body without its content coding; nil if a client gave no `bodyAsBase64`.
    public var body: [UInt8]?
    /// The full size of the body if only its beginning is shown; nil if it is whole.
    public var wholeBody: Int?
    /// The `body` of a request from a client, which WireMock ignores.
    public var bodyText: String?
    /// The version, such as `HTTP/1.1`.
    public var httpVersion: String?
    /// `http` or `https`.
    public var scheme: String?
    /// The requested host, without its port.
    public var host: String?
    /// The port; like WireMock, -1 if unknown.
    public var port = -1
    /// Whether the client used the daemon as a proxy, and the request was forwarded to its target.
    public var isBrowserProxy = false
    /// The decoded query parameters, each name with its values.
    public var query: [ResponseHeader] = []
    /// The form fields, each name with its values.
    public var form: [ResponseHeader] = []

    /// Makes an empty request.
    public init() {}
}

extension LoggedRequest {
    /// The valid members of a request: those that are read, and those that only appear in the journal.
    private static let fieldNames = [
        "url", "absoluteUrl", "method", "clientIp", "headers", "cookies", "body", "bodyAsBase64", "protocol", "scheme",
        "host", "port", "loggedDate", "queryParams", "formParams", "id", "browserProxyRequest", "loggedDateString",
        "bodyTruncatedFrom", "multiparts", "parts", "pathParams",
    ]
    /// Names from other formats.
    private static let otherNames = [
        "uri": "url", "path": "url", "urlPath": "url", "query": "queryParams", "queryParameters": "queryParams",
        "form": "formParams", "formParameters": "formParams", "base64Body": "bodyAsBase64", "data": "body",
        "json": "body", "jsonBody": "body",
    ]

    /// Reads a request from a client. Scalars are accepted as strings.
    /// - Parameter refusesUnknown: whether unknown members are problems; WireMock ignores them.
    /// - Throws: all problems.
    public init(json: JSONValue, refusesUnknown: Bool = false) throws(ModelProblems) {
        self.init()
        var reader = ModelReader()
        if let object = reader.object(json, .loggedRequest) {
            read(object, &reader)
            for name in object.keys where refusesUnknown && !Self.fieldNames.contains(name) {
                reader.reportUnknownKey(name, valid: Self.fieldNames, suggestion: Self.otherNames[name])
            }
        }
        if !reader.problems.isEmpty { throw ModelProblems(reader.problems) }
    }

    private mutating func read(_ object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members where !member.value.isNull {
            reader.within(member.key) { read(member, &$0) }
        }
    }

    private mutating func read(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        let value = member.value
        switch member.key {
        case "url": url = reader.string(value)
        case "absoluteUrl": absoluteURL = reader.string(value)
        case "method": method = reader.string(value)
        case "clientIp": clientIP = reader.string(value)
        case "headers": headers = Self.readFields(value, &reader)
        case "cookies": cookies = Self.readFields(value, &reader)
        case "scheme": scheme = reader.string(value)
        case "host": host = reader.string(value)
        case "port": port = reader.integer(value, .boxedInt) ?? -1
        case "protocol": httpVersion = reader.string(value)
        case "loggedDate": loggedDate = value.intValue.map(Int64.init) ?? value.stringValue.flatMap { Int64($0) }
        case "queryParams": query = Self.readParameters(value)
        case "formParams": form = Self.readParameters(value)
        case "body": bodyText = reader.string(value)
        case "bodyAsBase64":
            guard let text = reader.string(value) else { return }
            do throws(Base64.Problem) {
                body = try Base64.decode(text)
            } catch {
                reader.report(
                    detail: error.detail, message: "not Base64", expected: "Base64", found: value.shortDescription)
            }
        default: break
        }
    }

    /// Reads a string or a list of strings for each name.
    private static func readFields(_ value: JSONValue, _ reader: inout ModelReader) -> [ResponseHeader]? {
        guard let object = reader.object(value, .loggedRequest) else { return nil }
        return object.members.compactMap { member in
            reader.within(member.key) { reader in
                if case .array = member.value {
                    return reader.strings(member.value).map { ResponseHeader(member.key, $0) }
                }
                return reader.string(member.value).map { ResponseHeader(member.key, [$0]) }
            }
        }
    }

    /// Reads parameters in the format of `json`; drops anything else.
    private static func readParameters(_ value: JSONValue) -> [ResponseHeader] {
        (value.objectValue?.members ?? []).compactMap { member in
            member.value["values"]?.arrayValue.map { ResponseHeader(member.key, $0.compactMap(\.stringValue)) }
        }
    }

    /// The request in WireMock's JSON.
    public var json: JSONValue {
        var json = JSONObject()
        json["url"] = url.map { .string($0) }
        json["absoluteUrl"] = absoluteURL.map { .string($0) }
        json["method"] = method.map { .string($0) }
        json["clientIp"] = clientIP.map { .string($0) }
        json["headers"] = headers.map(Self.fields)
        json["cookies"] = cookies.map(Self.fields)
        json["browserProxyRequest"] = .bool(isBrowserProxy)
        json["loggedDate"] = loggedDate.map { .number(JSONNumber(Int($0))) }
        json["bodyAsBase64"] = body.map { .string(Base64.encode($0)) }
        json["body"] = bodyText.map { .string($0) }
        json["protocol"] = httpVersion.map { .string($0) }
        json["scheme"] = scheme.map { .string($0) }
        json["host"] = host.map { .string($0) }
        json["port"] = .number(JSONNumber(port))
        json["loggedDateString"] = loggedDateText.map { .string($0) }
        json["queryParams"] = Self.parameters(query)
        json["formParams"] = Self.parameters(form)
        // WireMock's clients ignore unknown keys here.
        json["bodyTruncatedFrom"] = wholeBody.map { .number(JSONNumber($0)) }
        return .object(json)
    }

    private static func fields(_ fields: [ResponseHeader]) -> JSONValue {
        .object(
            JSONObject(
                fields.map { field in
                    let values = field.values.map { JSONValue.string($0) }
                    return (field.name, values.count == 1 ? values[0] : .array(values))
                }))
    }

    private static func parameters(_ fields: [ResponseHeader]) -> JSONValue {
        .object(
            JSONObject(
                fields.map { field in
                    (field.name, ["key": .string(field.name), "values": .array(field.values.map { .string($0) })])
                }))
    }
}

extension JavaClass {
    fileprivate static let loggedRequest = JavaClass("com.github.tomakehurst.wiremock.verification.LoggedRequest")
}
