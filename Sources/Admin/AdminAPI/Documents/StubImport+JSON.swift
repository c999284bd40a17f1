import SDBasics
import SDJSON
import SDMockEngine
import SDStubModel
import SDStubs

/// The body of `POST /__admin/mappings/import`.
extension StubImport {
    /// Reads the document. Other members than `mappings` and `importOptions` are ignored, as in WireMock.
    ///
    /// - Throws: all problems, including missing `mappings`, for which WireMock answers 500.
    init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        self = Self.read(json, &reader)
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
    }

    static func read(_ json: JSONValue, _ reader: inout ModelReader) -> StubImport {
        var document = StubImport(mappings: [])
        if let object = reader.object(json, .stubImport) {
            if let mappings = object["mappings"], !mappings.isNull {
                reader.within("mappings") { document.readMappings(mappings, &$0) }
            } else {
                let others = object.keys.filter { $0 != "mappings" && $0 != "importOptions" }
                let slip = others.first { nearestName(to: $0, among: ["mappings", "importOptions"]) == "mappings" }
                reader.report(
                    detail: nil, message: "\"mappings\" is missing", expected: "a list of mappings",
                    found: slip.map(quoted), suggestion: slip == nil ? nil : "mappings")
            }
            if let options = object["importOptions"] {
                reader.within("importOptions") { document.readOptions(options, &$0) }
            } else if let slip = object.keys.first(where: { nearestName(to: $0, among: ["importOptions"]) != nil }) {
                reader.warn("\(quoted(slip)) is ignored", suggestion: "importOptions", name: slip)
            }
        }
        return document
    }

    fileprivate mutating func readMappings(_ value: JSONValue, _ reader: inout ModelReader) {
        guard let elements = reader.array(value, elementOf: JavaClass.stubMapping.name) else { return }
        for (index, element) in elements.enumerated() where !reader.isFull {
            mappings.append(reader.within(String(index)) { StubMapping.read(element, &$0) })
        }
    }

    fileprivate mutating func readOptions(_ value: JSONValue, _ reader: inout ModelReader) {
        guard let object = reader.object(value, .importOptions) else { return }
        for member in object.members {
            reader.member(member, class: .importOptions, of: ["duplicatePolicy", "deleteAllNotInImport"]) { reader in
                if member.key == "duplicatePolicy" {
                    let javaType = JavaClass.importOptions.name + "$DuplicatePolicy"
                    let order = ["IGNORE", "OVERWRITE"]
                    duplicatePolicy = reader.constant(member.value, javaType: javaType, order: order) ?? .overwrite
                } else {
                    deleteAllNotInImport = reader.bool(member.value) ?? false
                }
            }
        }
    }
}
