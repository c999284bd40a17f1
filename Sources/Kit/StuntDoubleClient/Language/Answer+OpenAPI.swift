import SDStubModel

/// Answers of OpenAPI documents.
extension Stub.Answer {
    /// The answer of an operation of an OpenAPI document that the server has: its status, its header fields and its body, by
    /// the document's examples or made from its schemas.
    /// - Parameters:
    ///   - operation: its `operationId`, or its method and path: `"GET /pets/{petId}"`.
    ///   - code: the status; nil for the lowest success.
    ///   - example: the name of the example.
    ///   - answers: where the body comes from; nil for `.examples`.
    ///   - document: the name of the document, such as the file's path in the folder; needed only if several documents have
    ///     such an operation.
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
