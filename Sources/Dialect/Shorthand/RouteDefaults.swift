import SDJSON
import SDStubModel

/// Defaults for all routes of an object: `defaults: { basePath: /api, headers: { X-Source: mock }, delay: 50ms }`. A
/// route's own values take precedence.
struct RouteDefaults {
    static let key = RouteKey.defaultsKey
    static let keys = DialectNames.defaults

    /// Names from other formats.
    private static let otherNames = DialectNames.defaultsAliases

    /// The prefix of each route's path, in wire format, without a trailing slash; empty if there is none.
    private(set) var basePath = ""
    private var headers: [ResponseHeader] = []
    /// A response of which only the delays are used.
    private var delay = ResponseDefinition()
    private var conditional: Bool?
    private var fallThrough: Bool?
    private var place = JSONPointer.root
    /// The CORS policy; nil if there is none.
    private(set) var cors: CORSPolicy?
    /// Additional names of secrets, effective for the whole daemon.
    private(set) var redacted: [String] = []

    init() {}

    /// The problem for a key beside routes, or in one, that belongs under `defaults`; nil for any other key.
    /// - Parameter isInRoute: whether it is inside a route, where some of the keys are valid.
    static func misplaced(
        _ member: JSONObject.Member, isInRoute: Bool
    ) -> (message: String, expected: String, suggestion: String)? {
        let others = ["base": "basePath", "prefix": "basePath", "urlPrefix": "basePath", "baseUrl": "basePath"]
        let given = member.key.lowercased().filter { !"-_".contains($0) }
        guard
            let name = (keys + others.keys.sorted()).first(where: { $0.lowercased() == given })
                .map({ others[$0] ?? $0 }) ?? (given == "pathprefix" ? "basePath" : nil),
            name != "cors", !isInRoute || !RouteShorthand.responseKeys.contains(name)
        else { return nil }
        return (
            "\(quoted(member.key)) belongs under \(quoted(key)), which stands beside the routes",
            "\(key): {\(name): …}",
            "\(key): {\(name): \(member.value.inRoutes)}"
        )
    }

    /// The additional names of secrets in a document.
    static func redacted(in json: JSONValue) -> [String] {
        (json.arrayValue ?? json["mappings"]?.arrayValue ?? [json]).flatMap { element in
            guard let object = element.objectValue, RouteShorthand.isShorthand(object), let value = object[key] else {
                return [String]()
            }
            // Problems were already reported when the routes were read.
            var reader = ModelReader()
            return RouteDefaults(value, &reader).redacted
        }
    }

    /// Reads `defaults` at the current path.
    init(_ value: JSONValue, _ reader: inout ModelReader) {
        place = reader.place
        guard case .object(let object) = value else {
            reader.report(
                detail: nil, message: "wrong type",
                expected: "an object of \(Self.keys.joined(separator: ", ")), such as {headers: {X-Source: mock}}",
                found: value.shortDescription)
            return
        }
        for member in object.members {
            reader.key(member, of: Self.keys, otherNames: Self.otherNames) { reader in
                switch member.key {
                case "basePath": readBasePath(member.value, &reader)
                case "conditional": conditional = reader.bool(member.value)
                case "fallThrough": fallThrough = reader.bool(member.value)
                case "headers": headers = RouteShorthand.readHeaders(member.value, &reader)
                case "cors": cors = CORSPolicy.read(member.value, &reader)
                case "redact": readNames(member.value, &reader)
                case "delay": RouteDelay.readDelay(member.value, into: &delay, &reader)
                default: break
                }
            }
        }
    }

    private mutating func readNames(_ value: JSONValue, _ reader: inout ModelReader) {
        let names = value.arrayValue ?? [value]
        for (index, name) in names.enumerated() {
            guard let text = name.stringValue, text.contains(where: { $0.isLetter || $0.isNumber }) else {
                let report = { (reader: inout ModelReader) in
                    reader.report(
                        detail: nil, message: "not the name of a secret",
                        expected: "names of headers, parameters or members, such as [iban, X-Card]",
                        found: name.shortDescription)
                }
                if value.arrayValue == nil { report(&reader) } else { reader.within(String(index), report) }
                continue
            }
            redacted.append(text)
        }
    }

    private mutating func readBasePath(_ value: JSONValue, _ reader: inout ModelReader) {
        guard var path = reader.text(value) else { return }
        while path.hasSuffix("/") { path.removeLast() }
        let isPlain = path.isEmpty || path.hasPrefix("/")
        guard isPlain, !path.contains("?"), !path.contains("#") else {
            reader.report(
                detail: nil, message: "not a base path", expected: "a path such as /api/v1, without a query",
                found: value.shortDescription,
                suggestion: isPlain
                    ? nil
                    : RouteKeySpelling.corrected("GET " + path)
                        .map { String($0.dropFirst("GET ".count)) })
            return
        }
        do throws(RouteKey.Failure) {
            basePath = try RoutePath.spelling(path).text
        } catch {
            reader.report(
                detail: nil, message: error.message, expected: error.expected, found: error.found)
        }
    }

    // MARK: Use

    /// Adds the defaults that `response` does not set.
    /// - Parameter object: the response in the file.
    func complete(_ response: inout ResponseDefinition, of object: JSONObject) {
        if object["delay"] == nil {
            response.fixedDelayMilliseconds = delay.fixedDelayMilliseconds
            response.fixedDelayTemplate = delay.fixedDelayTemplate
            response.delayDistribution = delay.delayDistribution
        }
        // A fault sends no headers.
        guard response.fault == nil else { return }
        if response.conditional == nil, response.stream == nil { response.conditional = conditional }
        if response.fallThrough == nil, response.bodyFileName != nil { response.fallThrough = fallThrough }
        let own = Set(response.headers.map { $0.name.lowercased() })
        response.headers += headers.filter { !own.contains($0.name.lowercased()) }
    }

    /// The origins of a stub's headers that came from the defaults.
    func sources(in stub: StubMapping) -> [StubOrigin.Source] {
        guard !headers.isEmpty else { return [] }
        func sources(_ response: ResponseDefinition, _ path: [String]) -> [StubOrigin.Source] {
            headers.filter(response.headers.contains).map {
                StubOrigin.Source(
                    pointer: JSONPointer(path + ["headers", $0.name]),
                    place: place.appending(JSONPointer(["headers", $0.name])), keepsRest: true)
            }
        }
        guard let sequence = stub.responses else { return sources(stub.response, ["response"]) }
        return sequence.entries.enumerated().flatMap { sources($1.response, ["responses", String($0)]) }
    }
}
