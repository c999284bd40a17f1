import SDBasics
import SDJSON
import SDShorthand
import SDStubModel

/// Converts a stub file to routes in YAML, or to WireMock's mappings in JSON. The converted file has the same stubs,
/// and its comments stay with what they describe.
public struct StubConversion: Sendable {
    /// The target formats.
    public enum Form: String, Sendable, CaseIterable {
        /// Routes in YAML, with mappings for stubs that routes cannot express.
        case yaml
        /// Mappings in JSON.
        case wiremock

        /// The file extension.
        public var ending: String { self == .yaml ? ".yaml" : ".json" }
    }

    /// The target format.
    public let form: Form
    /// The text; nil for a file without stubs.
    public private(set) var text: String?
    /// Content without a place in WireMock's JSON, such as fault sets and a folder's CORS rules, as YAML; nil for none.
    public private(set) var rest: String?
    /// The number of stubs, and the number that routes cannot express.
    public private(set) var stubs = 0
    public private(set) var mappings = 0
    /// The number of stubs that would become templates if all responses were templates.
    public private(set) var texts = 0
    /// The keys of WebSocket routes.
    private var sockets: [String] = []
    /// The indices of their stubs.
    private var ofSockets: Set<Int> = []
    /// The names of our additions in it, which WireMock rejects.
    public private(set) var additions: [String] = []

    /// Converts a file.
    /// - Parameters:
    ///   - file: a file without errors.
    ///   - form: the target format; nil for the other one than the file's.
    ///   - keepsIDs: whether to keep ids given in the file.
    ///   - areTemplates: whether responses of mappings are templates by default.
    public init(
        of file: ParsedStubFile, to form: Form? = nil, keepsIDs: Bool = true, areTemplates: Bool = false
    ) {
        let document = file.value
        let isOfRoutes = file.origins.allSatisfy { $0.routeKey != nil }
        let ofSockets = file.origins.indices.filter { index in
            let key = file.origins[index].routeKey?.tokens.last
            return key.map { (try? RouteKey($0))?.isWebSocket == true } ?? false
        }
        self.ofSockets = Set(ofSockets)
        sockets = document.objectValue?.keys.filter { (try? RouteKey($0))?.isWebSocket == true } ?? []
        self.form = form ?? (isOfRoutes ? .wiremock : .yaml)
        stubs = file.stubs.count
        var fileComments = StubComments(of: file, document)
        var stubs = file.stubs
        for index in stubs.indices {
            StubComments.remove(from: &stubs[index])
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
                file.format == .yaml
                ? String(decoding: file.bytes, as: UTF8.self) : Self.yaml(document, file, &fileComments)
        case .yaml:
            let commented = stubs.indices.reversed().map { index in
                StubFileText.CommentedStub(
                    stub: stubs[index], comment: fileComments[index], keepsID: hasOwnID[index])
            }
            let written = StubFileText.yaml(commented)
            mappings = written.mappings
            text = Self.framed(written.text, fileComments)
        case .wiremock: writeMappings(stubs, hasOwnID, document, fileComments)
        }
    }

    // MARK: YAML

    /// Adds the schema line and the comments of the file to a text.
    private static func framed(_ text: String, _ fileComments: StubComments) -> String {
        func lines(_ comment: [String]) -> String {
            comment.map { $0.isEmpty ? "\n" : "# \($0)\n" }.joined()
        }
        let head = lines(fileComments.head) + "\n"
        let end = fileComments.end.isEmpty ? "" : "\n" + lines(fileComments.end)
        return StubSchema.modeline + head + text + end
    }

    /// A document of routes as YAML, with the comments above the routes.
    private static func yaml(_ document: JSONValue, _ file: ParsedStubFile, _ fileComments: inout StubComments)
        -> String
    {
        var comments: [[String]: [String]] = [:]
        for (index, origin) in file.origins.enumerated() where !fileComments[index].isEmpty {
            comments[origin.place.tokens] = fileComments[index]
        }
        return framed(document.yamlText(isSpaced: true, comments: comments), fileComments)
    }

    // MARK: WireMock

    private mutating func writeMappings(
        _ stubs: [StubMapping], _ hasOwnID: [Bool], _ document: JSONValue, _ fileComments: StubComments
    ) {
        var used: Set<String> = []
        let kept = stubs.indices.filter { !ofSockets.contains($0) }
        let documents = kept.map { index in
            var mapping = stubs[index].json(view: .api).objectValue ?? JSONObject()
            if !hasOwnID[index] {
                mapping["id"] = nil
                mapping["uuid"] = nil
            }
            mapping["insertionIndex"] = stubs[index].insertionIndex.map { .number(JSONNumber($0)) }
            Additions.collect(mapping, in: &used)
            StubComments.add(fileComments[index], to: &mapping)
            return JSONValue.object(mapping)
        }
        additions = used.sorted()
        mappings = kept.count
        var rest = JSONObject()
        // The keys of a routes file that concern its folder get a file of their own. A WebSocket route is not a
        // mapping, and neither is one that refuses the upgrade.
        let basis = sockets.isEmpty ? [] : [RouteKey.defaultsKey]
        for name in basis + [RouteKey.faultsKey, RouteKey.contractsKey, RouteKey.corsKey] + sockets
        where name != RouteKey.corsKey || stubs.isEmpty {
            rest[name] = document[name]
        }
        if !rest.isEmpty { self.rest = StubSchema.modeline + JSONValue.object(rest).yamlText(isSpaced: true) }
        if kept.isEmpty { return }
        var meta = JSONObject()
        meta[StubComments.key] = StubComments.json(fileComments.head)
        meta[StubComments.endKey] = StubComments.json(fileComments.end)
        if documents.count == 1, meta.isEmpty {
            text = documents[0].prettyText + "\n"
        } else {
            var collection: JSONObject = ["mappings": .array(documents)]
            collection["meta"] = meta.isEmpty ? nil : .object(meta)
            text = JSONValue.object(collection).prettyText + "\n"
        }
    }
}

/// Our additions to WireMock's mappings, which WireMock rejects.
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
                // Embedded documents are not searched.
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
