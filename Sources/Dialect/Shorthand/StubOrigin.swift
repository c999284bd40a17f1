public import SDJSON
import SDStubModel

/// The origin of a stub in its file's document.
public struct StubOrigin: Sendable, Hashable {
    /// A part of the request pattern whose path in the shorthand differs from WireMock's JSON.
    public struct Source: Sendable, Hashable {
        /// The path within the stub's mapping, such as `/request/bodyPatterns/0`.
        public var pointer: JSONPointer
        /// The path within the document, such as `/GET ~1a/when/json`.
        public var place: JSONPointer
        /// Whether the paths below `pointer` and `place` correspond.
        public var keepsRest: Bool
    }

    /// The path of the mapping, or of the response of a route.
    public var place: JSONPointer
    /// The path of the route's key; nil for a WireMock mapping.
    public var routeKey: JSONPointer?
    /// The sources that cannot be derived from a route's keys.
    public var sources: [Source]
    /// The path from a route to the list of its responses.
    var sequence = ["sequence"]

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
        "multipartPatterns": "multipart", "bodyPatterns": "body", "clientCertificate": "clientCertificate",
    ]

    private static let otherNames = [
        "scenarioName": ["scenario", "name"], "requiredScenarioState": ["scenario", "from"],
        "newScenarioState": ["scenario", "to"], "resource": [],
    ]

    /// The location in the document for `pointer` in the stub's WireMock JSON: in a route, `/request/headers/Accept` is
    /// under `when`, and `/request/urlPath` in the route's key.
    public func place(of pointer: JSONPointer) -> (place: JSONPointer, isName: Bool) {
        guard let routeKey else { return (place.appending(pointer), false) }
        let named = sources.filter { pointer.tokens.starts(with: $0.pointer.tokens) }
        if let source = named.max(by: { $0.pointer.tokens.count < $1.pointer.tokens.count }) {
            let rest = pointer.tokens.dropFirst(source.pointer.tokens.count)
            return (source.keepsRest ? JSONPointer(source.place.tokens + rest) : source.place, false)
        }
        var rest = pointer.tokens[...]
        switch rest.popFirst() {
        // The list element is more precise than the shared key.
        case "request" where rest.isEmpty && place != routeKey: return (place, false)
        case "request":
            guard let field = rest.popFirst(), let name = Self.conditionNames[field] else { return (routeKey, true) }
            return (place.appending(JSONPointer(["when", name] + rest)), false)
        case "response":
            guard let name = rest.popFirst() else { return (place, false) }
            return (place.appending(JSONPointer([Self.responseNames[name] ?? name] + rest)), false)
        case "responses":
            guard let index = rest.popFirst() else { return (place.appending(JSONPointer(sequence)), false) }
            let name = rest.popFirst().map { [Self.responseNames[$0] ?? $0] } ?? []
            return (place.appending(JSONPointer(sequence + [index] + name + rest)), false)
        case let name?:
            return (place.appending(JSONPointer((Self.otherNames[name] ?? [name]) + rest)), false)
        case nil: return (place, false)
        }
    }
}

/// A stub with its origin.
struct LocatedStub {
    var stub: StubMapping
    var origin: StubOrigin
}

/// The stubs of a document.
struct RouteStubs {
    var stubs: [LocatedStub] = []
    /// The message stubs of routes.
    var messages: [LocatedMessage] = []

    var reversed: RouteStubs { RouteStubs(stubs: stubs.reversed(), messages: messages.reversed()) }
}
