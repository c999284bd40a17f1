public import JSON

/// Settings for all stubs of a session: WireMock's global settings.
public struct GlobalSettings: Sendable, Hashable {
    /// The delay in milliseconds of each response whose stub has no `fixedDelayMilliseconds`.
    public var fixedDelay: Int?
    /// The delay added to each response whose stub has no `delayDistribution`.
    public var delayDistribution: DelayDistribution?
    /// JSON for the user's own use; nil until it is set.
    public var extended: JSONObject?
    public var proxyPassThrough: Bool
    /// What templates and date matchers call `now`; nil for the real time. An addition to WireMock's settings.
    public var clock: SessionClock?

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

    static let fieldNames = ["fixedDelay", "delayDistribution", "extended", "proxyPassThrough", "clock"]

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
                case "extended": extended = reader.object(member.value, .parameters)
                default: proxyPassThrough = reader.bool(member.value) ?? false
                }
            }
        }
    }

    /// The settings as `{"settings": {…}}`, in WireMock's order.
    public var json: JSONValue {
        var object = JSONObject()
        object["fixedDelay"] = fixedDelay.map { .number(JSONNumber($0)) }
        object["delayDistribution"] = delayDistribution?.json
        object["extended"] = extended.map(JSONValue.object)
        object["proxyPassThrough"] = .bool(proxyPassThrough)
        object["clock"] = clock?.json
        return ["settings": .object(object)]
    }
}
