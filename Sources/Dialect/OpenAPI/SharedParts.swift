import SDJSON

/// What several operations refer to, each read once and by its place.
struct SharedParts {
    /// Something with what was first wrong with it.
    typealias Part<Value> = (value: Value?, trouble: DescriptionReader.Trouble?)

    var parameters: [DocumentSet.Place: Part<APIParameter>] = [:]
    var responses: [DocumentSet.Place: Part<APIResponse>] = [:]
    var bodies: [DocumentSet.Place: Part<APIBody>] = [:]
    /// Those that stand nowhere in the document.
    var schemas: [JSONValue: APISchema] = [:]
    var callbacks: [DocumentSet.Place: [(expression: String, operations: [APIOperation])]] = [:]
}
