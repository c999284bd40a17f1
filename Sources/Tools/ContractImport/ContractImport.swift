import SDBasics
import SDContracts
package import SDJSON
package import SDOpenAPI
import SDStubFiles
package import SDStubModel

/// The operations of an OpenAPI document as stubs of their own: each answers like the document, with the default
/// status, or with another answer that the request asks for. They can be edited by hand.
package struct ContractImport: Sendable {
    /// Something that an operation does and its stubs do not.
    package struct Loss: Sendable, Hashable {
        /// The pointer to the operation, in the description's own document.
        package var place: JSONPointer
        /// A sentence without a full stop.
        package var message: String
    }

    /// The stubs, in the order in which they are tried.
    package private(set) var stubs: [StubMapping] = []
    /// What could not be converted, in document order.
    package private(set) var losses: [Loss] = []
    private var comments: [[String]] = []
    private let title: String

    /// Makes stubs.
    /// - Parameters:
    ///   - served: the description with its name.
    ///   - idSeed: the seed of the stubs' ids, with methods and paths; importing again yields the same ids.
    package init(_ served: ServedDescription, idSeed: String) {
        title = served.description.title
        let contract = Contract(served.description)
        let operations = served.description.operations
        var imported: [ImportedOperation] = []
        for operation in operations {
            let one = ImportedOperation(operation, below: served.prefixes(of: operation).first ?? "", contract)
            let place = operation.place.document == 0 ? operation.place.pointer : .root
            losses += one.losses.map { Loss(place: place, message: $0) }
            imported.append(one)
        }
        if imported.contains(where: { !$0.answers.isEmpty }) {
            losses.insert(
                Loss(
                    place: .root,
                    message:
                        "requests are not checked, and what they ask for and the document does not have is not refused: "
                        + "serve the document itself for that"), at: 0)
        }
        // Stubs inserted last are tried first.
        for made in served.stubs(idSeed: idSeed).reversed() {
            let operation = operations[made.operation]
            for (index, answer) in imported[made.operation].answers.enumerated() {
                var stub = made.stub
                stub.priority = nil
                stub.request.headers = answer.asked.conditions
                stub.response = answer.response
                stub.name = operation.id
                if let words = answer.asked.words {
                    stub.name = operation.id.map { "\($0) \(words)" }
                    stub.id = StubMapping.id(hashing: "\(stub.idText) \(words)")
                }
                stubs.append(stub)
                comments.append(index == 0 ? operation.summary.map { [Self.line($0)] } ?? [] : [])
            }
        }
    }

    /// The stubs as routes in YAML.
    /// - Parameter file: the document's name, for the first line.
    package func routes(of file: String) -> String {
        let commented = stubs.indices.map {
            StubFileText.CommentedStub(stub: stubs[$0], comment: comments[$0], keepsID: true)
        }
        let name = title.isEmpty ? "" : Self.line(title) + ", "
        return StubSchema.modeline + "# \(name)imported from \(file)\n\n" + StubFileText.yaml(commented).text
    }

    /// The stubs as WireMock's mappings, where the last one is tried first.
    package var mappings: JSONValue { ["mappings": .array(stubs.reversed().map { $0.json(view: .file) })] }

    /// A text on one line.
    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).first.map { String($0).trimmingBlanks } ?? ""
    }
}
