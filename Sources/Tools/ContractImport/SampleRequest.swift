import SDBasics
import SDContracts
import SDJSON
import SDOpenAPI
import SDPlatform
import SDStubModel

/// A request for an operation, with path values only.
struct SampleRequest {
    let request: ContractRequest
    /// The path values by parameter name.
    let values: [String: String]

    /// - Parameter turn: 0 for the document's example values, if any; other numbers give other values.
    init(_ operation: APIOperation, _ contract: Contract, turn: Int) {
        var path = operation.path
        var values: [String: String] = [:]
        for parameter in operation.parameters where parameter.location == .path {
            let text = Self.text(for: parameter, contract, turn)
            values[parameter.name] = text
            path = path.replacing(text: "{\(parameter.name)}", with: URLEscaping.component(text))
        }
        self.values = values
        path = URLEscaping.escaping(String(path.prefix { $0 != "?" && $0 != "#" })) { $0 <= 0x20 || $0 >= 0x7F }
        request = ContractRequest(method: operation.method, path: path)
    }

    private static func text(for parameter: APIParameter, _ contract: Contract, _ turn: Int) -> String {
        let shown = turn == 0 ? parameter.examples.lazy.compactMap(\.value).first : nil
        let schema = parameter.schema ?? parameter.content?.schema
        let value = shown ?? schema.flatMap { contract.sample(of: $0, named: parameter.name, turn: turn) }
        let text: String
        switch value {
        case .array(let items)?: text = items.map { $0.stringValue ?? $0.compactText }.joined(separator: ",")
        case .object?, .null?, nil: text = ""
        // Spaces are inconvenient in a path.
        case .string(let value)?: text = value.replacing(text: " ", with: "-")
        case .some(let value): text = value.compactText
        }
        // An empty value or one with a slash would change the path's segments.
        return text.isEmpty || text.contains("/") ? parameter.name + (turn == 0 ? "" : String(turn)) : text
    }
}
