// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// Settings for all stubs of a session: WireMock's global settings.
public struct GlobalSettings: Sendable, Hashable {
    /// The delay in milliseconds of each response whose stub has no `fixedDelayMilliseconds`.
    public var fixedDelay: Int?
    /// A random delay for each response whose stub has no `delayDistribution`.
    public var delayDistribution: DelayDistribution?
    /// JSON for your own use.
    public var extended: JSONObject?
    /// Whether proxy requests that match no stub are forwarded to the requested server.
    public var proxyPassThrough: Bool = true
    /// The time that templates and date matchers call now; by default the real time. An addition to WireMock.
    public var clock: SessionClock?
    /// The delays of each response whose stub has no `delays`. An addition to WireMock.
    public var delays: ResponseDelays?
    /// The factor on each delay; by default the daemon's. An addition to WireMock.
    public var timeScale: Double?
    /// The server to which requests without a stub or file are forwarded; by default they are answered with a mismatch
    /// report. An addition to WireMock.
    public var passThrough: ProxyDefinition?
    /// The treatment of requests that violate an OpenAPI document; by default the document's, or else the daemon's. An
    /// addition to WireMock.
    public var openapiValidate: OpenAPISettings.Check?

    /// Makes one without any member.
    public init() {}

    /// Makes one of these.
    public init(fixedDelay: Int? = nil, delayDistribution: DelayDistribution? = nil, extended: JSONObject? = nil, proxyPassThrough: Bool = true) {
        self.fixedDelay = fixedDelay
        self.delayDistribution = delayDistribution
        self.extended = extended
        self.proxyPassThrough = proxyPassThrough
    }
}

extension GlobalSettings {
    package static var names: [String] { DialectNames.settings }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ javaClass: JavaClass, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, class: javaClass, in: DialectNames.settings) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: fixedDelay = reader.integer(value, .boxedInt)
        case 1: delayDistribution = DelayDistribution.read(value, &reader)
        case 2: extended = reader.object(value, .parameters)
        case 3: proxyPassThrough = reader.bool(value) ?? false
        case 4: clock = SessionClock.read(value, &reader)
        case 5: delays = ResponseDelays.read(value, &reader)
        case 6: timeScale = Self.readScale(value, &reader)
        case 7: passThrough = Self.readTarget(value, &reader)
        case 8: openapiValidate = reader.choice(value, "a way to check requests")
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["fixedDelay"] = fixedDelay?.json
        object["delayDistribution"] = delayDistribution?.json
        object["extended"] = extended?.json
        object["proxyPassThrough"] = proxyPassThrough.json
        object["clock"] = clock?.json
        object["delays"] = delays?.json
        object["passThrough"] = passThrough?.json
        object["openapiValidate"] = openapiValidate?.json
        object["timeScale"] = timeScale?.json
        return object
    }
}
