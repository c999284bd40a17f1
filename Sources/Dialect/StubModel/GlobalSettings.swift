public import SDJSON

extension GlobalSettings {
    /// The maximum factor by which a session's delays are longer.
    public static let largestTimeScale = 1_000.0

    /// Reads the plain settings or `{"settings": {…}}`.
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
                    if let settings = reader.object(wrapped, .settings) {
                        readMembers(of: settings, .settings, &reader)
                    }
                }
            } else {
                readMembers(of: object, .settingsDocument, &reader)
            }
        }
    }

    static func readTarget(_ value: JSONValue, _ reader: inout ModelReader) -> ProxyDefinition? {
        value.isNull ? nil : ProxyDefinition.read(value, allowsTemplate: false, &reader)
    }

    static func readScale(_ value: JSONValue, _ reader: inout ModelReader) -> Double? {
        if value.isNull { return nil }
        if let scale = value.doubleValue, (0...Self.largestTimeScale).contains(scale) { return scale }
        reader.report(
            detail: nil, message: "not a scale", expected: "a number from 0 to 1000, such as 0.1",
            found: value.shortDescription)
        return nil
    }

    /// The settings as `{"settings": {…}}` in WireMock's order; additions only if set.
    public var json: JSONValue { ["settings": .object(members)] }
}

extension GlobalSettings {
    /// The settings with the user and password in the URL of `passThrough` redacted.
    package var shown: GlobalSettings {
        var shown = self
        shown.passThrough = passThrough?.shown
        return shown
    }
}
