import SDJSON

/// Parts that several operations refer to, each read once, by location.
struct SharedParts {
    /// A part with its first error.
    typealias Part<Value> = (value: Value?, trouble: DescriptionReader.Trouble?)

    var parameters: [DocumentSet.Place: Part<APIParameter>] = [:]
    var responses: [DocumentSet.Place: Part<APIResponse>] = [:]
    var bodies: [DocumentSet.Place: Part<APIBody>] = [:]
    /// Synthetic schemas, which are not in the document.
    var schemas: [JSONValue: APISchema] = [:]
    var callbacks: [DocumentSet.Place: [(expression: String, operations: [APIOperation])]] = [:]
}
