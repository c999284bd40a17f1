public import JSON

/// The content of a stub file, whichever form it has: one mapping, `{"mappings": […]}`, a list of mappings, or the route
/// shorthand.
public struct StubDocument: Sendable {
    /// In the order in which they have to be inserted: among equal priorities a later one wins over an earlier one. The
    /// routes of the shorthand are therefore in the reverse of their order in the file, where the first wins.
    public var stubs: [StubMapping]
    /// Where each stub stands in the document.
    public var places: [StubMapping.ID: JSONPointer]
    /// What is wrong. With any problem the stubs are not to be used.
    public var problems: [ModelProblem]
    /// What is valid and does probably not do what its author thinks.
    public var warnings: [ModelProblem]

    /// - Parameter idSeed: What tells this document from others, such as its path. A stub without an id gets one that
    ///   depends on it and on the stub's place alone, so that reading a file again keeps the ids. Nil: random ids.
    public init(json: JSONValue, idSeed: String? = nil) {
        var reader = ModelReader(idSeed: idSeed)
        stubs = Self.read(json, &reader)
        Self.checkIDs(stubs, json, &reader)
        places = reader.stubPlaces
        problems = reader.problems
        warnings = reader.warnings
    }

    private static func read(_ json: JSONValue, _ reader: inout ModelReader) -> [StubMapping] {
        switch json {
        case .array(let elements): return readList(elements, &reader)
        case .object(let object) where RouteShorthand.isShorthand(object):
            return RouteShorthand.read(object, &reader).reversed()
        case .object(let object) where object["mappings"] != nil: return readCollection(object, &reader)
        case .object: return [StubMapping.read(json, &reader)]
        case .null:
            reader.report(
                detail: "No content to map due to end-of-input", message: "the file holds no stubs",
                expected: "a stub mapping, a list of them, or routes such as \"GET /path: {status: 200}\"",
                found: "nothing")
            return []
        default:
            reader.report(
                detail: nil, message: "no stubs",
                expected: "a stub mapping, a list of them, or routes such as \"GET /path: {status: 200}\"",
                found: json.shortDescription)
            return []
        }
    }

    private static func readCollection(_ object: JSONObject, _ reader: inout ModelReader) -> [StubMapping] {
        var stubs: [StubMapping] = []
        let javaClass = JavaClass("com.github.tomakehurst.wiremock.stubbing.StubMappingCollection")
        for member in object.members where !["$schema", "meta", "uuid"].contains(member.key) {
            reader.member(member, class: javaClass, of: ["mappings", "meta", "$schema"]) { reader in
                let elements = reader.array(member.value, elementOf: JavaClass.stubMapping.name)
                stubs = readList(elements ?? [], &reader)
            }
        }
        return stubs
    }

    /// An element may also be an object of routes.
    private static func readList(_ elements: [JSONValue], _ reader: inout ModelReader) -> [StubMapping] {
        var stubs: [StubMapping] = []
        for (index, element) in elements.enumerated() {
            reader.within(String(index)) { reader in
                if case .object(let object) = element, RouteShorthand.isShorthand(object) {
                    stubs += RouteShorthand.read(object, &reader).reversed()
                } else {
                    stubs.append(StubMapping.read(element, &reader))
                }
            }
        }
        return stubs
    }

    /// Two stubs of one document with the same id: the second would replace the first.
    private static func checkIDs(_ stubs: [StubMapping], _ json: JSONValue, _ reader: inout ModelReader) {
        var seen: Set<StubMapping.ID> = []
        for stub in stubs where !seen.insert(stub.id).inserted {
            reader.report(
                ModelProblem(
                    code: 109, title: "Duplicate stub mapping ID", pointer: .root,
                    place: Self.place(of: stub, in: json),
                    message: "the id \(stub.idText) stands twice", expected: "an id of its own for each stub"))
        }
    }

    private static func place(of stub: StubMapping, in json: JSONValue) -> JSONPointer {
        let base: JSONPointer = json["mappings"] == nil ? .root : JSONPointer(["mappings"])
        let elements = json[base]?.arrayValue ?? []
        let index = elements.lastIndex { element in
            ["id", "uuid"].contains { element[$0]?.stringValue?.lowercased() == stub.idText }
        }
        return index.map { base.appending($0).appending("id") } ?? base
    }
}
