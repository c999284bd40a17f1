import SDBasics
public import SDJSON
public import SDStubModel

/// The content of a stub file in any format: one mapping, `{"mappings": […]}`, a list of mappings, or the route
/// shorthand.
public struct StubDocument: Sendable {
    /// The stubs in insertion order: among equal priorities a later one wins. Routes, of which the first wins, are
    /// therefore in reverse order.
    public var stubs: [StubMapping]
    /// The origin of each of `stubs`.
    public var origins: [StubOrigin]
    /// The stubs removed for their problems, as far as they could be read; their further problems are reported as well.
    public internal(set) var badStubs: [(stub: StubMapping, origin: StubOrigin)] = []
    /// The message stubs of routes in insertion order, and their origins.
    public var messageStubs: [MessageStub]
    public var messageOrigins: [MessageOrigin]
    /// The fault sets; invalid ones are left out.
    public var faultSets: [FaultSet]
    /// The OpenAPI documents to serve after its routes; invalid ones are left out.
    public var contracts: [NamedContract]
    /// The CORS policy for the folder's stubs; nil if there is none.
    public var cors: CORSPolicy?
    /// Additional names of secrets.
    public var redacted: [String]
    /// The problems. If there are any, the stubs must not be used.
    public var problems: [ModelProblem]
    /// Warnings about valid values that probably do not do what their author intends.
    public var warnings: [ModelProblem]

    /// Reads a document.
    /// - Parameters:
    ///   - idSeed: a text that identifies this document, such as its path. The ids of stubs without one are derived
    ///     from it and from their positions, so that they stay the same on a reload. With nil they are random.
    ///   - texts: returns the document with each scalar as its literal text; nil if JSON has the same spellings. For
    ///     YAML: where a string is expected, `007` is taken literally.
    public init(json: JSONValue, idSeed: String? = nil, texts: (() -> JSONValue?)? = nil) {
        var reader = ModelReader(idSeed: idSeed, warns: true, notesTexts: texts != nil)
        self.init(json, &reader)
        guard let places = reader.textPlaces, let texts = texts?() else { return }
        if !places.isEmpty, let respelt = json.withTexts(at: places, of: texts) {
            reader = ModelReader(idSeed: idSeed, warns: true)
            self.init(respelt, &reader)
        }
        warnings += json.lostZeros(in: texts, except: places)
    }

    private init(_ json: JSONValue, _ reader: inout ModelReader) {
        let read = Self.read(json, &reader)
        let located = read.stubs
        Self.checkIDs(located, &reader)
        messageStubs = read.messages.map(\.stub)
        messageOrigins = read.messages.map(\.origin)
        faultSets = RouteFaults.read(json, &reader)
        contracts = RouteContracts.read(json, &reader)
        cors = RouteCORS.ofFolder(json, &reader)
        redacted = RouteDefaults.redacted(in: json)
        stubs = located.map(\.stub)
        origins = located.map(\.origin)
        let unknown = reader.problems.unknownPlaces
        problems = reader.problems.withoutConsequences(of: unknown)
        warnings = reader.warnings.withoutConsequences(of: unknown)
    }

    /// Whether the value at `pointer` is inside an object of routes: the document itself, or an element of its list.
    public static func isOfRoutes(_ pointer: JSONPointer, in json: JSONValue) -> Bool {
        func isShorthand(_ value: JSONValue?) -> Bool { value?.objectValue.map(RouteShorthand.isShorthand) ?? false }
        if isShorthand(json) { return true }
        var tokens = pointer.tokens[...]
        let isCollection = json["mappings"] != nil && tokens.first == "mappings"
        if isCollection { tokens.removeFirst() }
        guard let elements = (isCollection ? json["mappings"] : json)?.arrayValue,
            let index = tokens.first.flatMap({ Int($0) }), elements.indices.contains(index)
        else { return false }
        return isShorthand(elements[index])
    }

    private static func read(_ json: JSONValue, _ reader: inout ModelReader) -> RouteStubs {
        switch json {
        case .array(let elements): return readList(elements, &reader)
        case .object(let object) where RouteShorthand.isShorthand(object):
            return RouteShorthand.read(object, &reader).reversed
        case .object(let object) where object["mappings"] != nil: return readCollection(object, &reader)
        case .object(let object):
            if let key = misspeltList(object) {
                reader.reportUnknown(key, in: listClass, valid: [listKey])
                return RouteStubs()
            }
            return RouteStubs(stubs: readSingle(object, &reader))
        case .null:
            reader.report(
                detail: "No content to map due to end-of-input", message: "the file holds no stubs",
                expected: "a stub mapping, a list of them, or routes such as \"GET /path: {status: 200}\"",
                found: "nothing")
            return RouteStubs()
        default:
            if let text = json.stringValue, let meant = MissingSpace(inText: text) {
                reader.report(
                    detail: nil, message: meant.message, expected: meant.expected, suggestion: meant.suggestion)
                return RouteStubs()
            }
            reader.report(
                detail: nil, message: "no stubs",
                expected: "a stub mapping, a list of them, or routes such as \"GET /path: {status: 200}\"",
                found: json.shortDescription)
            return RouteStubs()
        }
    }

    /// Keys beside `mappings` that are ignored.
    private static let ignoredKeys = ["$schema", "meta", "uuid"]

    /// Whether a document with these keys is only a list of mappings.
    public static func isCollection(ofKeys keys: [String]) -> Bool {
        keys.contains("mappings")
            && keys.allSatisfy { $0 == "mappings" || ignoredKeys.contains($0) || RouteShorthand.isSharedValue($0) }
    }

    /// Reads elements of a document's list `mappings`, and calls `use` for each with its index.
    /// - Parameters:
    ///   - places: the tape indices of the elements.
    ///   - first: the index of the first element.
    /// - Returns: false as soon as one causes a diagnostic, or is an object of routes.
    public static func readMappings(
        on tape: JSONTape, at places: [Int], from first: Int, idSeed: String?,
        use: (Int, borrowing StubMapping) -> Void
    ) -> Bool {
        var reader = ModelReader(idSeed: idSeed, warns: true)
        var usual = TapeMappingReader(tape)
        var stub = StubMapping.unread
        return reader.within("mappings") { reader in
            for (offset, place) in places.enumerated() {
                let index = first + offset
                let isRead = reader.within(String(index)) { reader in
                    if !usual.read(&stub, at: place, &reader) {
                        guard case .object(let object) = tape.value(at: place), !RouteShorthand.isShorthand(object)
                        else { return false }
                        stub = StubMapping.unread
                        stub.read(object, &reader)
                        usual.shareHeaders(of: &stub.response)
                    }
                    guard reader.problems.isEmpty, reader.warnings.isEmpty else { return false }
                    use(index, stub)
                    return true
                }
                if !isRead { return false }
            }
            return true
        }
    }

    private static let listKey = "mappings"
    private static let listClass = JavaClass("com.github.tomakehurst.wiremock.stubbing.StubMappingCollection")

    /// The misspelt key of a list that is probably `mappings`; nil if there is none.
    private static func misspeltList(_ object: JSONObject) -> String? {
        guard object["request"] == nil, object["response"] == nil else { return nil }
        return object.members.first { member in
            member.value.arrayValue != nil && !StubMapping.names.contains(member.key)
                && meantName(by: member.key, among: StubMapping.names + [listKey]) == listKey
        }?.key
    }

    private static func readCollection(_ object: JSONObject, _ reader: inout ModelReader) -> RouteStubs {
        var read = RouteStubs()
        for member in object.members
        where !ignoredKeys.contains(member.key) && !RouteShorthand.isSharedValue(member.key) {
            if member.key == RouteCORS.key { continue }
            reader.member(member, class: listClass, of: [listKey, "meta", "$schema"]) { reader in
                let elements = reader.array(member.value, elementOf: JavaClass.stubMapping.name)
                read = readList(elements ?? [], &reader)
            }
        }
        RouteCORS.complete(&read.stubs, of: object, &reader)
        return read
    }

    /// Reads one mapping, ignoring keys that only hold values for YAML aliases.
    private static func readSingle(_ object: JSONObject, _ reader: inout ModelReader) -> [LocatedStub] {
        guard object.members.contains(where: { RouteShorthand.isSharedValue($0.key) }) else {
            return [readMapping(.object(object), &reader)]
        }
        let own = object.members.filter { !RouteShorthand.isSharedValue($0.key) }
        if own.isEmpty {
            reader.report(
                detail: nil, message: "the file holds no stubs, only shared values",
                expected: "a stub mapping, a list of them, or routes such as \"GET /path: {status: 200}\"")
            return []
        }
        return [readMapping(.object(JSONObject(own.map { ($0.key, $0.value) })), &reader)]
    }

    /// Reads a list, whose elements may also be objects of routes.
    private static func readList(_ elements: [JSONValue], _ reader: inout ModelReader) -> RouteStubs {
        var read = RouteStubs()
        read.stubs.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() where !reader.isFull {
            reader.within(String(index)) { reader in
                if case .object(let object) = element, RouteShorthand.isShorthand(object) {
                    let routes = RouteShorthand.read(object, &reader).reversed
                    read.stubs += routes.stubs
                    read.messages += routes.messages
                } else {
                    read.stubs.append(readMapping(element, &reader))
                }
            }
        }
        return read
    }

    private static func readMapping(_ json: JSONValue, _ reader: inout ModelReader) -> LocatedStub {
        LocatedStub(stub: StubMapping.read(json, &reader), origin: StubOrigin(place: reader.place))
    }

    /// Reports stubs of one document with the same id, of which the second would replace the first.
    private static func checkIDs(_ stubs: [LocatedStub], _ reader: inout ModelReader) {
        var seen: Set<StubMapping.ID> = []
        seen.reserveCapacity(stubs.count)
        for located in stubs where !seen.insert(located.stub.id).inserted {
            reader.report(
                ModelProblem(
                    code: 109, title: "Duplicate stub mapping ID", pointer: located.origin.place,
                    place: located.origin.place.appending("id"), message: "duplicate id \(located.stub.idText)",
                    expected: "a unique id for each stub"))
        }
    }
}
