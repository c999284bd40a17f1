public import SDJSON
public import SDPlatform
private import Synchronization

/// The schemas of OpenAPI documents. Each is compiled on first use, and shared by all schemas that refer to it.
///
/// Keywords with invalid values and dangling references are ignored: the reader of the document reports them.
public final class SchemaDocuments: Sendable {
    /// The rules that apply.
    public enum Rules: Sendable {
        /// Swagger 2.0: draft 4, with `x-nullable`.
        case swagger
        /// OpenAPI 3.0: draft 4, with `nullable`.
        case openAPI30
        /// OpenAPI 3.1 and later: draft 2020-12 unless a schema names another.
        case openAPI31(JSONSchema.Draft)
    }

    /// Which side sends a value.
    public enum Direction: Sendable, Hashable {
        case request, response
    }

    /// A location in one of the documents.
    public struct Place: Sendable, Hashable {
        /// The document's index.
        public var document: Int
        /// The pointer in it.
        public var pointer: JSONPointer

        /// Makes a location.
        public init(document: Int, pointer: JSONPointer) {
            self.document = document
            self.pointer = pointer
        }
    }

    static let noSchema = JSONSchema(without: .v4)

    private let compiler: Mutex<SchemaCompiler>

    /// Makes schemas of documents, named by URIs or by paths relative to one folder.
    /// - Parameters:
    ///   - resolve: resolves references that the schemas' own names do not.
    ///   - heirs: the derived schemas of the one at a location, by the value of its discriminator; empty if it lists
    ///     alternatives.
    public init(
        _ documents: [(name: String, json: JSONValue)], _ rules: Rules,
        resolve: (@Sendable (_ reference: String, _ from: Place) -> Place?)? = nil,
        heirs: (@Sendable (Place) -> [(value: String, place: Place)])? = nil
    ) {
        var dialect: Dialect
        switch rules {
        case .swagger:
            dialect = Dialect(.v4)
            dialect.nullableKeyword = "x-nullable"
        case .openAPI30: dialect = Dialect(.v4)
        case .openAPI31(let draft):
            dialect = Dialect(draft)
            dialect.nullableKeyword = nil
        }
        dialect.nullableCountsForEnum = false
        dialect.isOpenAPI = true
        let elsewhere = resolve.map { resolve in
            { @Sendable (reference: String, document: Int) -> SchemaPlace? in
                resolve(reference, Place(document: document, pointer: .root)).map {
                    SchemaPlace(document: $0.document, tokens: $0.pointer.tokens)
                }
            }
        }
        let library = SchemaLibrary(openAPI: documents, dialect, elsewhere: elsewhere)
        compiler = Mutex(
            SchemaCompiler(openAPI: library) { place in
                let heirs = heirs?(Place(document: place.document, pointer: JSONPointer(place.tokens))) ?? []
                return heirs.map { heir in
                    (heir.value, SchemaPlace(document: heir.place.document, tokens: heir.place.pointer.tokens))
                }
            })
    }

    /// Whether a value satisfies the schema at a location.
    public func validate(
        _ value: JSONValue, at place: Place, _ direction: Direction?, _ budget: WorkBudget = WorkBudget()
    ) -> Bool {
        guard let root = number(of: place) else { return true }
        var evaluation = Evaluation(self, direction, collects: false, errorLimit: 0, budget)
        return evaluation.run(value, from: root)
    }

    /// The violations of the schema at a location, at most `most`; empty if the value is valid.
    public func errors(
        in value: JSONValue, at place: Place, _ direction: Direction?, most: Int = 100,
        _ budget: WorkBudget = WorkBudget()
    ) -> [SchemaError] {
        guard let root = number(of: place) else { return [] }
        var evaluation = Evaluation(self, direction, collects: true, errorLimit: most, budget)
        _ = evaluation.run(value, from: root)
        return evaluation.errors
    }

    /// The target of a reference from a schema; nil if there is none.
    public func target(of reference: String, from place: Place) -> Place? {
        compiler.withLock { compiler in
            guard compiler.library.documents.indices.contains(place.document) else { return nil }
            let own = SchemaPlace(document: place.document, tokens: place.pointer.tokens)
            let resource = compiler.library.resource(of: own)
            guard let (target, _) = compiler.library.target(of: reference, in: resource) else { return nil }
            return Place(document: target.document, pointer: JSONPointer(target.tokens))
        }
    }

    /// The value at a location; nil if there is none.
    public func value(at place: Place) -> JSONValue? {
        compiler.withLock { compiler in
            guard compiler.library.documents.indices.contains(place.document) else { return nil }
            return compiler.library.value(at: SchemaPlace(document: place.document, tokens: place.pointer.tokens))
        }
    }

    /// The number of schemas compiled or referred to.
    public var knownCount: Int {
        compiler.withLock { $0.count }
    }

    private func number(of place: Place) -> Int? {
        compiler.withLock { compiler in
            guard compiler.library.documents.indices.contains(place.document) else { return nil }
            return compiler.node(at: SchemaPlace(document: place.document, tokens: place.pointer.tokens))
        }
    }

    /// A node, and the steps that compiling it took; 0 if it was compiled before.
    func node(_ number: Int) -> (node: SchemaNode, steps: Int) {
        compiler.withLock { $0.compiledNode(number) }
    }

    func dynamicAnchor(_ name: String, in resource: Int) -> Int? {
        compiler.withLock { $0.dynamicAnchor(name, in: resource) }
    }
}
