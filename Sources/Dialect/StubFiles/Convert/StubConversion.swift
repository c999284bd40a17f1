import SDBasics
import SDJSON
import SDShorthand
import SDStubModel

/// A stub file written anew: as routes in YAML, or as WireMock's mappings in JSON. What it reads as stays the same, and its
/// comments stay with what they are about.
public struct StubConversion: Sendable {
    /// The two forms.
    public enum Form: String, Sendable, CaseIterable {
        /// Routes in YAML, and in WireMock's form what these cannot say.
        case yaml
        /// Mappings in JSON.
        case wiremock

        /// The ending of a file's name.
        public var ending: String { self == .yaml ? ".yaml" : ".json" }
    }

    /// The form that it has been written in.
    public let form: Form
    /// The text; nil for a file that has no stubs.
    public private(set) var text: String?
    /// What WireMock's form has no place for, sets of faults and the rules of a folder for other origins, as YAML; nil for
    /// none.
    public private(set) var rest: String?
    /// The number of stubs, and of those that routes cannot say.
    public private(set) var stubs = 0
    public private(set) var mappings = 0
    /// The number of stubs whose texts would be templates where all responses are.
    public private(set) var texts = 0
    /// The names of our additions in it, which WireMock refuses.
    public private(set) var additions: [String] = []

    /// Writes a file anew.
    /// - Parameters:
    ///   - file: one without errors.
    ///   - form: nil for the form that the file does not have.
    ///   - keepsIDs: whether ids that the file gives are kept.
    ///   - areTemplates: whether the responses of mappings are templates, unless they say otherwise.
    public init(
        of file: ParsedStubFile, to form: Form? = nil, keepsIDs: Bool = true, areTemplates: Bool = false
    ) {
        let document = file.value
        let isOfRoutes = file.origins.allSatisfy { $0.routeKey != nil }
        self.form = form ?? (isOfRoutes ? .wiremock : .yaml)
        stubs = file.stubs.count
        var remarks = StubRemarks(of: file, document)
        var stubs = file.stubs
        for index in stubs.indices {
            StubRemarks.remove(from: &stubs[index])
            guard !isOfRoutes else { continue }
            if areTemplates { stubs[index].adoptTemplates() }
            if stubs[index].hasUntoldTemplates { texts += 1 }
        }
        let hasOwnID = file.origins.map { origin in
            keepsIDs && ["id", "uuid"].contains { document[origin.place]?[$0].map { !$0.isNull } ?? false }
        }
        switch self.form {
        case .yaml where isOfRoutes:
            text =
                file.format == .yaml ? String(decoding: file.bytes, as: UTF8.self) : Self.yaml(document, file, &remarks)
        case .yaml:
            let commented = stubs.indices.reversed().map { index in
                StubFileText.CommentedStub(
                    stub: stubs[index], comment: remarks[index], keepsID: hasOwnID[index])
            }
            let written = StubFileText.yaml(commented)
            mappings = written.mappings
            text = Self.framed(written.text, remarks)
        case .wiremock: writeMappings(stubs, hasOwnID, document, remarks)
        }
    }

    // MARK: YAML

    /// A text with the comments of the file.
    private static func framed(_ text: String, _ remarks: StubRemarks) -> String {
        func lines(_ comment: [String]) -> String {
            comment.map { $0.isEmpty ? "\n" : "# \($0)\n" }.joined()
        }
        let head = lines(remarks.head) + "\n"
        let end = remarks.end.isEmpty ? "" : "\n" + lines(remarks.end)
        return StubSchema.modeline + head + text + end
    }

    /// A document of routes as it is, its comments above the routes.
    private static func yaml(_ document: JSONValue, _ file: ParsedStubFile, _ remarks: inout StubRemarks) -> String {
        var comments: [[String]: [String]] = [:]
        for (index, origin) in file.origins.enumerated() where !remarks[index].isEmpty {
            comments[origin.place.tokens] = remarks[index]
        }
        return framed(document.yamlText(isSpaced: true, comments: comments), remarks)
    }

    // MARK: WireMock

    private mutating func writeMappings(
        _ stubs: [StubMapping], _ hasOwnID: [Bool], _ document: JSONValue, _ remarks: StubRemarks
    ) {
        var used: Set<String> = []
        let documents = stubs.indices.map { index in
            var mapping = stubs[index].json(view: .api).objectValue ?? JSONObject()
            if !hasOwnID[index] {
                mapping["id"] = nil
                mapping["uuid"] = nil
            }
            mapping["insertionIndex"] = stubs[index].insertionIndex.map { .number(JSONNumber($0)) }
            Additions.collect(mapping, in: &used)
            StubRemarks.add(remarks[index], to: &mapping)
            return JSONValue.object(mapping)
        }
        additions = used.sorted()
        mappings = stubs.count
        var rest = JSONObject()
        // What a file of routes says of its folder stands alone in it.
        for name in [RouteKey.faultsKey, RouteKey.contractsKey, RouteKey.corsKey]
        where name != RouteKey.corsKey || stubs.isEmpty {
            rest[name] = document[name]
        }
        if !rest.isEmpty { self.rest = StubSchema.modeline + JSONValue.object(rest).yamlText(isSpaced: true) }
        if stubs.isEmpty { return }
        var meta = JSONObject()
        meta[StubRemarks.key] = StubRemarks.json(remarks.head)
        meta[StubRemarks.endKey] = StubRemarks.json(remarks.end)
        if documents.count == 1, meta.isEmpty {
            text = documents[0].prettyText + "\n"
        } else {
            var collection: JSONObject = ["mappings": .array(documents)]
            collection["meta"] = meta.isEmpty ? nil : .object(meta)
            text = JSONValue.object(collection).prettyText + "\n"
        }
    }
}

/// What we have added to WireMock's mappings, and WireMock refuses.
private enum Additions {
    private static let conditions = DialectNames.requestAdditions.union(DialectNames.matcherAdditions)

    static func collect(_ mapping: JSONObject, in used: inout Set<String>) {
        used.formUnion(mapping.keys.filter(DialectNames.mappingAdditions.contains))
        let responses = mapping["responses"]?.arrayValue ?? [mapping["response"] ?? .null]
        for json in responses {
            used.formUnion((json.objectValue?.keys ?? []).filter(DialectNames.responseAdditions.contains))
            if let fault = json["fault"], fault.stringValue == nil { used.insert("fault") }
            if json["status"]?.stringValue != nil { used.insert("status") }
            if json["fixedDelayMilliseconds"]?.stringValue != nil { used.insert("fixedDelayMilliseconds") }
        }
        visit(mapping["request"] ?? .null, in: &used)
    }

    private static func visit(_ value: JSONValue, in used: inout Set<String>) {
        switch value {
        case .object(let object):
            for member in object.members {
                if conditions.contains(member.key) { used.insert(member.key) }
                // Documents are none of ours.
                if !["equalToJson", "matchesJsonSchema", "parameters"].contains(member.key) {
                    visit(member.value, in: &used)
                }
            }
        case .array(let elements): for element in elements { visit(element, in: &used) }
        default: return
        }
    }
}

extension StubMapping {
    fileprivate mutating func adoptTemplates() {
        RouteTemplate.adopt(&response)
        guard responses != nil else { return }
        for index in responses?.entries.indices ?? 0..<0 {
            if var entry = responses?.entries[index].response {
                RouteTemplate.adopt(&entry)
                responses?.entries[index].response = entry
            }
        }
    }

    fileprivate var hasUntoldTemplates: Bool {
        guard let entries = responses?.entries else { return RouteTemplate.isText(response) }
        return entries.contains { RouteTemplate.isText($0.response) }
    }
}
