public import SDJSON

/// Settings for all stubs of a session: WireMock's global settings.
public struct GlobalSettings: Sendable, Hashable {
    /// The delay in milliseconds of each response whose stub has no `fixedDelayMilliseconds`.
    public var fixedDelay: Int?
    /// The delay added to each response whose stub has no `delayDistribution`.
    public var delayDistribution: DelayDistribution?
    /// The delays of each response whose stub has none of its own. An addition to WireMock's settings, as `timeScale`
    /// is.
    public var delays: ResponseDelays?
    /// The part of each wait that is waited, from 0; nil for the daemon's.
    public var timeScale: Double?
    /// JSON for the user's own use; nil until it is set.
    public var extended: JSONObject?
    /// Whether requests that no stub matches go on to a proxied server.
    public var proxyPassThrough: Bool
    /// The time that templates and date matchers call `now`; nil for the real time. An addition to WireMock's settings.
    public var clock: SessionClock?
    /// Where requests go that no stub and no file answers; nil answers them with a report. An addition to WireMock's
    /// settings.
    public var passThrough: ProxyDefinition?

    /// Makes the settings of a fresh server. As in WireMock, reading a document without `proxyPassThrough` yields false
    /// instead.
    public init(
        fixedDelay: Int? = nil, delayDistribution: DelayDistribution? = nil, extended: JSONObject? = nil,
        proxyPassThrough: Bool = true
    ) {
        self.fixedDelay = fixedDelay
        self.delayDistribution = delayDistribution
        self.extended = extended
        self.proxyPassThrough = proxyPassThrough
    }

    static let fieldNames = [
        "fixedDelay", "delayDistribution", "extended", "proxyPassThrough", "clock", "delays", "timeScale",
        "passThrough",
    ]

    /// The largest scale of time, by which a test runs slower.
    public static let largestTimeScale = 1_000.0

    /// Reads the bare settings or `{"settings": {…}}`.
    /// - Throws: all problems.
    public init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        self.init(json, &reader)
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
    }

    package init(_ json: JSONValue, _ reader: inout ModelReader) {
        self.init(proxyPassThrough: false)
        if let object = reader.object(json, .settingsDocument) {
            if let wrapped = object["settings"] {
                for key in object.keys where key != "settings" {
                    reader.reportUnknown(key, in: .settingsDocument, valid: ["settings"])
                }
                reader.within("settings") { reader in
                    if let settings = reader.object(wrapped, .settings) { read(settings, .settings, &reader) }
                }
            } else {
                read(object, .settingsDocument, &reader)
            }
        }
    }

    private mutating func read(_ object: JSONObject, _ javaClass: JavaClass, _ reader: inout ModelReader) {
        for member in object.members {
            reader.member(member, class: javaClass, of: Self.fieldNames) { reader in
                switch member.key {
                case "fixedDelay": fixedDelay = reader.integer(member.value, .boxedInt)
                case "delayDistribution": delayDistribution = DelayDistribution.read(member.value, &reader)
                case "clock": clock = SessionClock.read(member.value, &reader)
                case "delays": delays = ResponseDelays.read(member.value, &reader)
                case "timeScale": timeScale = readScale(member.value, &reader)
                case "passThrough":
                    passThrough =
                        member.value.isNull
                        ? nil : ProxyDefinition.read(member.value, allowsTemplate: false, &reader)
                case "extended": extended = reader.object(member.value, .parameters)
                default: proxyPassThrough = reader.bool(member.value) ?? false
                }
            }
        }
    }

    private func readScale(_ value: JSONValue, _ reader: inout ModelReader) -> Double? {
        if value.isNull { return nil }
        if let scale = value.doubleValue, (0...Self.largestTimeScale).contains(scale) { return scale }
        reader.report(
            detail: nil, message: "not a scale", expected: "a number from 0 to 1000, such as 0.1",
            found: value.shortDescription)
        return nil
    }

    /// The settings as `{"settings": {…}}`, in WireMock's order; additions only where they are set.
    public var json: JSONValue {
        var object = JSONObject()
        object["fixedDelay"] = fixedDelay.map { .number(JSONNumber($0)) }
        object["delayDistribution"] = delayDistribution?.json
        object["extended"] = extended.map(JSONValue.object)
        object["proxyPassThrough"] = .bool(proxyPassThrough)
        object["clock"] = clock?.json
        object["delays"] = delays?.json
        object["passThrough"] = passThrough?.json
        object["timeScale"] = timeScale.flatMap { JSONNumber($0) }.map(JSONValue.number)
        return ["settings": .object(object)]
    }
}
