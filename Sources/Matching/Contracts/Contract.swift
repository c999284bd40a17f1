import SDBasics
import SDJSON
public import SDJSONSchema
public import SDOpenAPI
private import Synchronization

/// A description ready for serving and checking. Schemas are compiled on first use.
public final class Contract: Sendable {
    /// Which side sends a value.
    public typealias Direction = SchemaDocuments.Direction

    /// The description.
    public let description: APIDescription
    /// All schemas, shared by all operations.
    let schemas: SchemaDocuments

    private let knownRouter = Mutex<ContractRouter?>(nil)

    /// Makes a contract; cheap, whatever the document's size.
    public init(_ description: APIDescription) {
        self.description = description
        let set = description.documents
        let documents = set.documents.enumerated().map { index, document in
            // The folder of the first document is the root of the others' names.
            (
                name: index == 0 && !document.name.contains(text: "://")
                    ? document.name.split(separator: "/").last.map { String($0) } ?? "" : document.name,
                json: document.json
            )
        }
        schemas = SchemaDocuments(documents, Self.rules(of: description)) { reference, place in
            set.resolve(reference, from: DocumentSet.Place(document: place.document, pointer: place.pointer))?.inSchemas
        } heirs: { place in
            let heirs = set.heirs[DocumentSet.Place(document: place.document, pointer: place.pointer)] ?? []
            return heirs.map { ($0.value, $0.place.inSchemas) }
        }
    }

    private static func rules(of description: APIDescription) -> SchemaDocuments.Rules {
        switch description.version {
        case .v2: return .swagger
        case .v30: return .openAPI30
        case .v31, .v32:
            let named = description.documents.documents.first?.json["jsonSchemaDialect"]?.stringValue
            return .openAPI31(named.flatMap { JSONSchema.Draft(metaschema: $0) } ?? .v202012)
        }
    }

    /// The router of all operations.
    var router: ContractRouter {
        knownRouter.withLock { known in
            if let known { return known }
            let made = ContractRouter(description.operations)
            known = made
            return made
        }
    }
}
