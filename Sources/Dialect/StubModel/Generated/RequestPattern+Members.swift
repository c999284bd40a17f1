// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// WireMock's request pattern: conditions, all of which must hold for the stub to answer.
public struct RequestPattern: Sendable {
    /// The scheme: `https` if the request came over TLS or its target is an absolute `https` URL, otherwise `http`.
    public var scheme: String?
    /// The requested host from the `Host` header, without the port.
    public var host: ValueMatcher?
    /// The requested port from the `Host` header, or the scheme's default.
    public var port: Int?
    /// The client's address, or the value of `X-Forwarded-For` if present.
    public var clientIp: ValueMatcher?
    /// The path, or the path with its query.
    public var url: URLPattern = .any
    /// `GET`, …; `ANY`, the default, matches every method. `{oneOf: […]}` and `{noneOf: […]}` are from WireMock 4.
    public var method: MethodPattern = .any
    /// Names and matchers; names compare case-insensitively.
    public var headers: [NamedMatcher] = []
    /// Variables of `urlPathTemplate`, not decoded, with matchers.
    public var pathParameters: [NamedMatcher] = []
    /// Decoded query parameters with matchers; names are case-sensitive.
    public var queryParameters: [NamedMatcher] = []
    /// Form fields with matchers, if the `Content-Type` is `application/x-www-form-urlencoded`.
    public var formParameters: [NamedMatcher] = []
    /// Names and matchers; values are not decoded, and surrounding quotes are removed.
    public var cookies: [NamedMatcher] = []
    /// `Authorization: Basic …` of this user, `{username, password}`; written as `basicAuthCredentials`.
    public var basicAuth: BasicAuth?
    /// Matchers of the body, all of which must hold.
    public var bodyPatterns: [ValueMatcher] = []
    /// A matcher of an extension, `{name, parameters}`; an unknown name never matches.
    public var customMatcher: CustomMatcher?
    /// Patterns of the parts of a `multipart/…` body.
    public var multipartPatterns: [MultipartPattern] = []
    /// Matchers for the client certificate: `subject`, `issuer`, `serialNumber`, `fingerprint`, `notBefore`,
    /// `notAfter`, `alternativeNames` and `pem`. An addition to WireMock.
    public var clientCertificate: [NamedMatcher] = []

    /// Makes one without any member.
    public init() {}
}

extension RequestPattern {
    package static var names: [String] { DialectNames.request }
    /// Whether it has nothing but url, method, headers, queryParameters, bodyPatterns.
    package var isShort: Bool {
        scheme == nil
            && host == nil
            && port == nil
            && clientIp == nil
            && pathParameters.isEmpty
            && formParameters.isEmpty
            && cookies.isEmpty
            && basicAuth == nil
            && customMatcher == nil
            && multipartPatterns.isEmpty
            && clientCertificate.isEmpty
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, urls: inout [(name: String, text: String)], _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, class: .requestPattern, in: DialectNames.request) else { continue }
            reader.within(member.key) { readMember(index, member.value, urls: &urls, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, urls: inout [(name: String, text: String)], _ reader: inout ModelReader) {
        switch index {
        case 0: scheme = reader.string(value)
        case 1: host = value.isNull ? nil : ValueMatcher.read(value, .single, &reader)
        case 2: port = reader.integer(value, .boxedInt)
        case 3: clientIp = value.isNull ? nil : ValueMatcher.read(value, .single, &reader)
        case 4: readURL("url", value, &urls, &reader)
        case 5: readURL("urlPattern", value, &urls, &reader)
        case 6: readURL("urlPath", value, &urls, &reader)
        case 7: readURL("urlPathPattern", value, &urls, &reader)
        case 8: readURL("urlPathTemplate", value, &urls, &reader)
        case 9: method = MethodPattern.read(value, &reader)
        case 10: headers = RequestPattern.readMatchers(value, .multiValue, &reader)
        case 11: pathParameters = RequestPattern.readMatchers(value, .single, &reader)
        case 12: queryParameters = RequestPattern.readMatchers(value, .multiValue, &reader)
        case 13: formParameters = RequestPattern.readMatchers(value, .multiValue, &reader)
        case 14: cookies = RequestPattern.readMatchers(value, .single, &reader)
        case 15: basicAuth = BasicAuth.read(value, &reader)
        case 16: basicAuth = BasicAuth.read(value, &reader)
        case 17: bodyPatterns = RequestPattern.readBodyPatterns(value, &reader)
        case 18: customMatcher = CustomMatcher.read(value, &reader)
        case 19: multipartPatterns = MultipartPattern.readList(value, &reader)
        case 20: clientCertificate = Self.readCertificate(value, &reader, by: ValueMatcher.read)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["scheme"] = scheme?.json
        object["host"] = host?.jsonValue
        object["port"] = port?.json
        object["clientIp"] = clientIp?.jsonValue
        object["url"] = url.json("url")
        object["urlPattern"] = url.json("urlPattern")
        object["urlPath"] = url.json("urlPath")
        object["urlPathPattern"] = url.json("urlPathPattern")
        object["urlPathTemplate"] = url.json("urlPathTemplate")
        object["method"] = method.json
        object["headers"] = headers.json
        object["pathParameters"] = pathParameters.json
        object["queryParameters"] = queryParameters.json
        object["formParameters"] = formParameters.json
        object["cookies"] = cookies.json
        object["bodyPatterns"] = bodyPatterns.isEmpty ? nil : .array(bodyPatterns.map(\.jsonValue))
        object["customMatcher"] = customMatcher?.json
        object["multipartPatterns"] = multipartPatterns.isEmpty ? nil : .array(multipartPatterns.map(\.json))
        object["basicAuthCredentials"] = basicAuth?.json
        object["clientCertificate"] = clientCertificate.json
        return object
    }

    /// The document that it is read from.
    public var json: JSONValue { .object(members) }
}
