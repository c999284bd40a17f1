public import SDJSON

extension StubMapping {
    /// The purpose of a mapping's JSON.
    public enum View: Sendable, Hashable {
        /// The admin API and its clients.
        case api
        /// A file that the daemon writes and reads again; it also has `insertionIndex`.
        case file
    }

    /// Reads a mapping in WireMock's JSON; `$schema` is allowed. Without an id it gets a random one.
    /// - Throws: all problems, in document order.
    public init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        let stub = Self.read(json, &reader)
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
        self = stub
    }

    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> StubMapping {
        guard case .object(let object) = value else {
            let isList = value.arrayValue != nil && reader.place.tokens.isEmpty
            reader.reportMismatch(
                value, .stubMapping,
                expected: "a stub mapping, an object"
                    + (isList ? " (POST /__admin/mappings/import takes several, as {\"mappings\": […]})" : ""))
            return StubMapping()
        }
        var stub = unread
        stub.read(object, &reader)
        return stub
    }

    /// Reads an object into an empty mapping.
    package mutating func read(_ object: JSONObject, _ reader: inout ModelReader) {
        readMembers(of: object, &reader)
        if scenarioName == nil {
            for (name, state) in [
                ("requiredScenarioState", requiredScenarioState), ("newScenarioState", newScenarioState),
            ] where state != nil {
                reader.warn("\"\(name)\" is ignored without \"scenarioName\"", name: name)
            }
        }
        checkLifecycle(object, &reader)
        takeOwnMetadata(&reader)
        checkResource(object, &reader)
        if id == Self.noID { id = reader.derivedID ?? Self.randomID() }
    }

    /// The metadata key of our own fields.
    private static let ownMetadata = "stuntdouble"

    /// The metadata as shown by the admin API, including the fields that WireMock's mappings do not have: its clients
    /// reject unknown members of a mapping.
    private var metadataWithOwn: JSONObject? {
        guard resource != nil || cors != nil else { return metadata }
        var metadata = metadata ?? JSONObject()
        var ours = metadata[Self.ownMetadata]?.objectValue ?? JSONObject()
        ours["resource"] = resource?.json
        ours["cors"] = cors?.json
        metadata[Self.ownMetadata] = .object(ours)
        return metadata
    }

    /// Moves our own fields from the metadata of a mapping shown by the admin API into the mapping.
    private mutating func takeOwnMetadata(_ reader: inout ModelReader) {
        guard case .object(var ours) = metadata?[Self.ownMetadata], ours["resource"] != nil || ours["cors"] != nil
        else { return }
        reader.within("metadata") { reader in
            reader.within(Self.ownMetadata) { reader in
                if resource == nil, let value = ours["resource"] {
                    resource = reader.within("resource") { ResourceDefinition.read(value, &$0) }
                }
                if cors == nil, let value = ours["cors"] {
                    cors = reader.within("cors") { CORSPolicy.read(value, &$0) }
                }
            }
        }
        ours["resource"] = nil
        ours["cors"] = nil
        metadata?[Self.ownMetadata] = ours.isEmpty ? nil : .object(ours)
        if metadata?.isEmpty == true { metadata = nil }
    }

    private func checkResource(_ object: JSONObject, _ reader: inout ModelReader) {
        guard resource != nil, responses != nil else { return }
        reader.within("responses") {
            $0.refuse("a resource makes its own responses", expected: "\"resource\" or \"responses\"", found: "both")
        }
    }

    /// Reads a priority, or a word for one in other tools.
    package static func readPriority(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
        let words = [
            "highest": "1", "high": "1", "first": "1", "top": "1", "normal": "5", "medium": "5", "default": "5",
            "low": "10", "lowest": "10", "last": "10",
        ]
        return reader.integer(
            value, .boxedInt, expected: "an integer: 1 comes first, and 5 is the priority of a stub without one",
            suggestion: value.stringValue.flatMap { words[$0.trimmingBlanks.lowercased()] })
    }

    package static func readID(_ value: JSONValue, _ reader: inout ModelReader) -> ID? {
        guard let given = reader.string(value) else { return nil }
        let text = given.trimmingBlanks
        if text.isEmpty { return nil }
        if let id = id(text: text) { return id }
        let detail: String
        let stray = text.unicodeScalars.first { !$0.properties.isASCIIHexDigit && $0 != "-" }
        if text.utf8.count == 36, let stray {
            let code = String(stray.value, radix: 16)
            detail = "Non-hex character '\(stray)' (value 0x\(code)), not valid for UUID String"
        } else {
            detail = "UUID has to be represented by standard 36-char representation"
        }
        let quoted = JSONValue.string(given).compactText
        reader.report(
            detail: "Cannot deserialize value of type `java.util.UUID` from String \(quoted): \(detail)",
            message: "not a UUID", expected: "a UUID, such as 8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7",
            found: value.shortDescription)
        return nil
    }

    /// Reads a list of `{"name", "parameters"}`; the old notation `{"name": parameters}` is converted to such a list.
    static func readActions(_ value: JSONValue, _ reader: inout ModelReader) -> JSONValue? {
        if case .object(let object) = value {
            let actions = object.members.map { member in
                var action: JSONObject = ["name": .string(member.key)]
                action["parameters"] = reader.within(member.key) { $0.object(member.value, .parameters) }
                    .map(JSONValue.object)
                return JSONValue.object(action)
            }
            return .array(actions)
        }
        let names = DialectNames.action
        return readDefinitions(value, .postServeAction, names, &reader) { member, reader in
            if member.key == "name" {
                _ = reader.string(member.value)
            } else {
                _ = reader.object(member.value, .parameters)
            }
        }
    }

    static func readListeners(_ value: JSONValue, _ reader: inout ModelReader) -> JSONValue? {
        let names = DialectNames.listener
        return readDefinitions(value, .serveEventListener, names, &reader) { member, reader in
            switch member.key {
            case "name": _ = reader.string(member.value)
            case "parameters":
                // Recorded values become strings, and so do headers and bodies of webhooks.
                for name in ["context", "state", "list", "headers", "body"] {
                    if let texts = member.value[name] { reader.within(name) { $0.wantsTexts(in: texts) } }
                }
                _ = reader.object(member.value, .parameters)
            default:
                let javaType = "com.github.tomakehurst.wiremock.extension.ServeEventListener$RequestPhase"
                let phases = reader.array(member.value, elementOf: javaType) ?? []
                for (index, phase) in phases.enumerated() {
                    reader.within(String(index)) { reader in
                        let order = ["AFTER_MATCH", "AFTER_COMPLETE", "BEFORE_MATCH", "BEFORE_RESPONSE_SENT"]
                        let _: RequestPhase? = reader.constant(phase, javaType: javaType, order: order)
                    }
                }
            }
        }
    }

    /// Checks a list of definitions, which is kept as written. WireMock reports all of its problems at the list.
    private static func readDefinitions(
        _ value: JSONValue, _ javaClass: JavaClass, _ names: [String], _ reader: inout ModelReader,
        check: (JSONObject.Member, inout ModelReader) -> Void
    ) -> JSONValue? {
        guard let elements = reader.array(value, elementOf: javaClass.name) else { return nil }
        reader.anchored(at: reader.pointer) { reader in
            for (index, element) in elements.enumerated() {
                reader.within(String(index)) { reader in
                    guard let object = reader.object(element, javaClass) else { return }
                    for member in object.members {
                        reader.member(member, class: javaClass, of: names) { check(member, &$0) }
                    }
                }
            }
        }
        return value
    }
}

extension StubMapping {
    /// The mapping in WireMock 3's order of members, without absent ones, with the id also as `uuid`.
    public func json(view: View = .api) -> JSONValue {
        var shown = self
        switch view {
        case .api:
            shown.metadata = metadataWithOwn
            shown.insertionIndex = nil
            shown.resource = nil
            shown.cors = nil
        case .file: shown.timesLeft = nil
        }
        var object = shown.members
        if responses != nil { object["response"] = nil }
        return .object(object)
    }
}
