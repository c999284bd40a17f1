public import JSON

/// Where a stub stands in its file's document.
public struct StubOrigin: Sendable, Hashable {
    /// The mapping, or the response of a route.
    public var place: JSONPointer
    /// The key of the route; nil for a mapping in WireMock's form.
    public var routeKey: JSONPointer?

    public init(place: JSONPointer, routeKey: JSONPointer? = nil) {
        self.place = place
        self.routeKey = routeKey
    }

    private static let responseNames = [
        "jsonBody": "json", "bodyFileName": "file", "base64Body": "base64", "fixedDelayMilliseconds": "delay",
        "delayDistribution": "delay", "chunkedDribbleDelay": "dribble",
    ]

    /// Where the document says what stands at `pointer` in WireMock's form of the stub: for a route,
    /// `/request/headers/Accept` is said under `when`, and `/request/urlPath` by the route's key.
    public func place(of pointer: JSONPointer) -> (place: JSONPointer, isName: Bool) {
        guard let routeKey else { return (place.appending(pointer), false) }
        var rest = pointer.tokens[...]
        switch rest.popFirst() {
        case "request":
            switch rest.popFirst() {
            case "headers": return (place.appending(JSONPointer(["when", "headers"] + rest)), false)
            case "queryParameters": return (place.appending(JSONPointer(["when", "query"] + rest)), false)
            default: return (routeKey, true)
            }
        case "response":
            guard let name = rest.popFirst() else { return (place, false) }
            return (place.appending(JSONPointer([Self.responseNames[name] ?? name] + rest)), false)
        default: return (place.appending(pointer), false)
        }
    }
}

/// A stub that was read, and from where.
struct LocatedStub {
    var stub: StubMapping
    var origin: StubOrigin
}
