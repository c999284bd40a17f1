public import JSON

/// Where a stub stands in its file's document.
public struct StubOrigin: Sendable, Hashable {
    /// What the shorthand says otherwise than WireMock's form: a part of the request pattern, and where it is said.
    public struct Source: Sendable, Hashable {
        /// Within the stub's mapping, such as `/request/bodyPatterns/0`.
        public var pointer: JSONPointer
        /// Within the document, such as `/GET ~1a/when/json`.
        public var place: JSONPointer
        /// Whether what lies below `pointer` lies below `place` alike.
        public var keepsRest: Bool
    }

    /// The mapping, or the response of a route.
    public var place: JSONPointer
    /// The key of the route; nil for a mapping in WireMock's form.
    public var routeKey: JSONPointer?
    /// Of a route: those that its keys alone do not tell.
    public var sources: [Source]

    public init(place: JSONPointer, routeKey: JSONPointer? = nil, sources: [Source] = []) {
        self.place = place
        self.routeKey = routeKey
        self.sources = sources
    }

    private static let responseNames = [
        "jsonBody": "json", "bodyFileName": "file", "base64Body": "base64", "fixedDelayMilliseconds": "delay",
        "delayDistribution": "delay", "chunkedDribbleDelay": "dribble",
    ]

    private static let conditionNames = [
        "scheme": "scheme", "host": "host", "port": "port", "clientIp": "clientIp", "headers": "headers",
        "queryParameters": "query", "formParameters": "form", "pathParameters": "path", "cookies": "cookies",
        "basicAuth": "basicAuth", "basicAuthCredentials": "basicAuth", "customMatcher": "custom",
        "multipartPatterns": "multipart", "bodyPatterns": "body",
    ]

    private static let otherNames = [
        "scenarioName": ["scenario", "name"], "requiredScenarioState": ["scenario", "from"],
        "newScenarioState": ["scenario", "to"],
    ]

    /// Where the document says what stands at `pointer` in WireMock's form of the stub: for a route,
    /// `/request/headers/Accept` is said under `when`, and `/request/urlPath` by the route's key.
    public func place(of pointer: JSONPointer) -> (place: JSONPointer, isName: Bool) {
        guard let routeKey else { return (place.appending(pointer), false) }
        let named = sources.filter { pointer.tokens.starts(with: $0.pointer.tokens) }
        if let source = named.max(by: { $0.pointer.tokens.count < $1.pointer.tokens.count }) {
            let rest = pointer.tokens.dropFirst(source.pointer.tokens.count)
            return (source.keepsRest ? JSONPointer(source.place.tokens + rest) : source.place, false)
        }
        var rest = pointer.tokens[...]
        switch rest.popFirst() {
        // The element of a route's list tells more than the key that it shares.
        case "request" where rest.isEmpty && place != routeKey: return (place, false)
        case "request":
            guard let field = rest.popFirst(), let name = Self.conditionNames[field] else { return (routeKey, true) }
            return (place.appending(JSONPointer(["when", name] + rest)), false)
        case "response":
            guard let name = rest.popFirst() else { return (place, false) }
            return (place.appending(JSONPointer([Self.responseNames[name] ?? name] + rest)), false)
        case "responses":
            guard let index = rest.popFirst() else { return (place.appending("sequence"), false) }
            let name = rest.popFirst().map { [Self.responseNames[$0] ?? $0] } ?? []
            return (place.appending(JSONPointer(["sequence", index] + name + rest)), false)
        case let name?:
            return (place.appending(JSONPointer((Self.otherNames[name] ?? [name]) + rest)), false)
        case nil: return (place, false)
        }
    }
}

/// A stub that was read, and from where.
struct LocatedStub {
    var stub: StubMapping
    var origin: StubOrigin
}
