import JSON

/// What the routes of an object share: `defaults: { basePath: /api, headers: { X-Source: mock }, delay: 50ms }`. A route's
/// own words win.
struct RouteDefaults {
    static let key = "defaults"
    static let keys = ["basePath", "headers", "delay"]

    /// What people write who know another format.
    private static let otherNames = [
        "base": "basePath", "path": "basePath", "prefix": "basePath", "url": "basePath", "urlPrefix": "basePath",
        "header": "headers", "responseHeaders": "headers", "fixedDelayMilliseconds": "delay", "latency": "delay",
    ]

    /// Stands before the path of each route, spelt as clients send it; empty for none. Does not end with a slash.
    private(set) var basePath = ""
    private var headers: [ResponseHeader] = []
    /// Only its delay counts.
    private var delay = ResponseDefinition()
    private var place = JSONPointer.root

    init() {}

    /// Reads what stands under `defaults` at the current place.
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
                case "headers": headers = RouteShorthand.readHeaders(member.value, &reader)
                default: RouteDuration.readDelay(member.value, into: &delay, &reader)
                }
            }
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

    /// Adds what `response` does not say itself.
    /// - Parameter object: the response as the file has it.
    func complete(_ response: inout ResponseDefinition, of object: JSONObject) {
        if object["delay"] == nil {
            response.fixedDelayMilliseconds = delay.fixedDelayMilliseconds
            response.delayDistribution = delay.delayDistribution
        }
        // A fault sends no headers.
        guard response.fault == nil else { return }
        let own = Set(response.headers.map { $0.name.lowercased() })
        response.headers += headers.filter { !own.contains($0.name.lowercased()) }
    }

    /// Where the headers of a stub stand that came from here.
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
