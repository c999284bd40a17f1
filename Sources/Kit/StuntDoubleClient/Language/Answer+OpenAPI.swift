import SDStubModel

/// Answers from OpenAPI documents.
extension Stub.Answer {
    /// The answer of an operation in one of the server's OpenAPI documents: its status, headers and body, from the
    /// document's examples or generated from its schemas.
    /// - Parameters:
    ///   - operation: its `operationId`, or its method and path: `"GET /pets/{petId}"`.
    ///   - code: the status; nil for the lowest success.
    ///   - example: the name of the example.
    ///   - answers: the source of the body; nil for `.examples`.
    ///   - document: the document's name, such as its path in the folder; needed only if several documents have the
    ///     operation.
    public static func openAPI(
        _ operation: String, code: Int? = nil, example: String? = nil, answers: Stub.AnswerSource? = nil,
        document: String? = nil
    ) -> Stub.Answer {
        Stub.Answer().body(type: nil) {
            $0.openapi = OpenAPIAnswer(
                operation, document: document, code: code, example: example, answers: answers?.model)
        }
    }
}
