public import SDJSON
public import SDStubModel

/// A method on a path.
public struct APIOperation: Sendable {
    /// `operationId`; nil without one.
    public var id: String?
    /// The method, such as `GET`; standard methods are in upper case, others as written.
    public var method: String
    /// The path as written, such as `/pets/{petId}`.
    public var path: String
    /// The path prefixes, if the operation or its path has its own servers.
    public var basePaths: [String]?
    /// Its location.
    public var place: DocumentSet.Place
    /// A one-line description; nil without one.
    public var summary: String?
    /// Its parameters and those of its path, without duplicates; bodies and form fields of 2.0 are in `body`.
    public var parameters: [APIParameter]
    /// The request body.
    public var body: APIBody?
    /// Its responses, in document order.
    public var responses: [APIResponse]
    /// Alternative lists of security schemes that are required together; empty if none are required.
    public var security: [[String]]
    /// Whether it is deprecated.
    public var isDeprecated = false
    /// The requests sent because of it, by name and expression, as in the document.
    public var callbacks: JSONObject?
    /// The callbacks, parsed.
    public var calls: [APICallback] = []
    /// Why it cannot be served; nil if it can.
    public var problem: ModelProblem?

    /// A name that is unique in its document: `GET /pets/{petId}`.
    public var key: String { "\(method) \(path)" }
}

/// Requests that a service sends because of a request that it received.
public struct APICallback: Sendable {
    /// The name of the group, such as `onEvent`.
    public var name: String
    /// The target URL, with expressions such as `{$request.body#/url}`.
    public var expression: String
    /// The requests; their `path` is the expression.
    public var operations: [APIOperation]
    /// Its location.
    public var place: DocumentSet.Place
}

/// A request parameter, or a response header.
public struct APIParameter: Sendable {
    public enum Location: String, Sendable, CaseIterable {
        case path, query, header, cookie
        /// The whole query of a URL.
        case querystring
    }

    /// The serialization of a value.
    public enum Style: String, Sendable, CaseIterable {
        case simple, form, label, matrix, spaceDelimited, pipeDelimited, deepObject, tabDelimited
        case cookie
    }

    public var name: String
    public var location: Location
    public var isRequired: Bool
    public var style: Style
    public var explode: Bool
    public var allowReserved: Bool
    public var allowEmptyValue: Bool
    /// The schema; nil if it has a content, or neither.
    public var schema: APISchema?
    /// The content, such as JSON; nil if it has a schema.
    public var content: APIContent?
    /// The example values.
    public var examples: [APIExample]
    /// Its location.
    public var place: DocumentSet.Place
}

/// A schema with its location, to which its references are relative.
public struct APISchema: Sendable {
    public var place: DocumentSet.Place
    /// The schema, with unresolved references.
    public var json: JSONValue

    /// Makes a schema at a location.
    public init(place: DocumentSet.Place, json: JSONValue) {
        self.place = place
        self.json = json
    }
}

/// A named example.
public struct APIExample: Sendable {
    /// The name; empty for the value of `example`.
    public var name: String
    /// The unserialized value; nil if there is only a text.
    public var value: JSONValue?
    /// The text as sent; nil if there is only a value.
    public var serialized: String?
}

/// A media type and its content.
public struct APIContent: Sendable {
    /// The media type, such as `application/json`, or a range, such as `text/*`.
    public var type: String
    /// The schema of the whole content; nil if there is none.
    public var schema: APISchema?
    /// The schema of each item in a sequence, such as an event stream.
    public var itemSchema: APISchema?
    public var examples: [APIExample]
    /// The serialization of a form's parts by name, as in the document.
    public var encoding: JSONObject?
    public var place: DocumentSet.Place
}

/// The body of a request.
public struct APIBody: Sendable {
    public var isRequired: Bool
    public var contents: [APIContent]
    public var place: DocumentSet.Place
}

/// A response of an operation.
public struct APIResponse: Sendable {
    public enum Code: Sendable, Hashable {
        case status(Int)
        /// All statuses of a class: 4 for `4XX`.
        case range(Int)
        case standard
    }

    public var code: Code
    public var description: String?
    /// Its headers, without Content-Type; their `location` is `header`.
    public var headers: [APIParameter]
    public var contents: [APIContent]
    public var place: DocumentSet.Place
    /// Why it cannot be given; nil if it can. Other responses of the operation are independent.
    public var problem: ModelProblem?
}
