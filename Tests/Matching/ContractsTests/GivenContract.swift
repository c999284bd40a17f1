import SDContracts
import SDJSON
import SDOpenAPI
import SDStubFiles
import SDStubModel
import Testing

/// A contract of a description in YAML, with other documents beside it.
func contract(_ text: String, beside files: [String: String] = [:]) throws -> Contract {
    let json = try JSONValue(parsingYAML: text)
    let description = APIDescription(reading: json, named: "api.yaml") { path in
        files[path].map { text in
            (try? JSONValue(parsingYAML: text)).map { .success($0) }
                ?? .failure(ModelProblem(pointer: .root, message: "not valid YAML"))
        }
    }
    return Contract(description)
}

/// A contract of one operation `GET /things/{id}` with one parameter, given as YAML in flow style.
func contract(parameter: String, version: String = "3.0.3") throws -> Contract {
    try contract(
        """
        openapi: \(version)
        info: {title: t, version: '1'}
        paths:
          /things/{id}:
            get:
              parameters: [\(parameter)]
              responses: {'200': {description: ok}}
        """)
}

/// A contract of one operation `POST /things` with a body of one content type, given as YAML in flow style.
func contract(
    schema: String, type: String = "application/json", version: String = "3.0.3", components: String = "{}",
    encoding: String = "{}"
) throws -> Contract {
    try contract(
        """
        openapi: \(version)
        info: {title: t, version: '1'}
        paths:
          /things:
            post:
              requestBody:
                required: true
                content: {'\(type)': {schema: \(schema), encoding: \(encoding)}}
              responses:
                '200': {description: ok, content: {'\(type)': {schema: \(schema)}}}
        components: {schemas: \(components)}
        """)
}

extension Contract {
    /// The violations of a request, whose path must be one of an operation.
    func violations(_ request: ContractRequest) throws -> [Violation] {
        guard case .operation(let operation, _, _) = find(method: request.method, path: request.path) else {
            Issue.record("no operation \(request.method) \(request.path)")
            return []
        }
        return violations(in: request, of: operation)
    }

    /// The violations of a body sent to `POST /things`.
    func violations(body: String, type: String = "application/json") throws -> [Violation] {
        try violations(
            ContractRequest(
                method: "POST", path: "/things", headers: [("Content-Type", type)], body: Array(body.utf8)))
    }

    /// The violations of a body that `POST /things` answers.
    func violations(answer body: String, type: String = "application/json", status: Int = 200) -> [Violation] {
        violations(
            in: ContractAnswer(status: status, headers: [("Content-Type", type)], body: Array(body.utf8)),
            to: description.operations[0])
    }
}

extension Violation {
    /// Where it is, and which keyword it breaks: `body /a/0 type`.
    var short: String {
        [location.rawValue, name, pointer.text, keyword].compactMap { $0 }.filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}
