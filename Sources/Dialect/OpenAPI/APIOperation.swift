public import SDJSON
public import SDStubModel

/// A method on a path.
public struct APIOperation: Sendable {
    /// `operationId`; nil without one.
    public var id: String?
    /// The method in capitals, such as `GET`; others as the document has them.
    public var method: String
    /// The path as the document has it, such as `/pets/{petId}`.
    public var path: String
    /// The paths before it, if it or its path has servers of its own.
    public var basePaths: [String]?
    /// Where it stands.
    public var place: DocumentSet.Place
    /// A line on what it does; nil without one.
    public var summary: String?
    /// Its parameters and those of its path, each once; without bodies and forms of 2.0, which are in `body`.
    public var parameters: [APIParameter]
    /// The body of its requests.
    public var body: APIBody?
    /// Its answers, in the order of the document.
    public var responses: [APIResponse]
    /// Alternatives, of which each is a list of schemes that are needed together; empty if it needs none.
    public var security: [[String]]
    /// Whether clients should use it no more.
    public var isDeprecated = false
    /// Requests that are made because of it, by name and expression, as the document has them.
    public var callbacks: JSONObject?
    /// The same, read.
    public var calls: [APICallback] = []
    /// Why it cannot be served; nil if it can.
    public var problem: ModelProblem?

    /// A short name that is unique in its document: `GET /pets/{petId}`.
    public var key: String { "\(method) \(path)" }
}

/// Requests that a service makes because of one that it got.
public struct APICallback: Sendable {
    /// The name of the group, such as `onEvent`.
    public var name: String
    /// Where the requests go, with expressions such as `{$request.body#/url}`.
    public var expression: String
    /// The requests; their `path` is the expression.
    public var operations: [APIOperation]
    /// Where it stands.
    public var place: DocumentSet.Place
}

/// A parameter of a request, or a header of an answer.
public struct APIParameter: Sendable {
    public enum Location: String, Sendable, CaseIterable {
        case path, query, header, cookie
        /// The whole query of a URL.
        case querystring
    }

    /// How a value is written.
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
    /// The schema; nil if it has a content, or says nothing.
    public var schema: APISchema?
    /// The content, such as JSON; nil if it has a schema.
    public var content: APIContent?
    /// Examples as values.
    public var examples: [APIExample]
    /// Where it stands.
    public var place: DocumentSet.Place
}

/// A schema at its place: references in it are relative to that.
public struct APISchema: Sendable {
    public var place: DocumentSet.Place
    /// The schema, references not followed.
    public var json: JSONValue

    /// Makes a schema of a place.
    public init(place: DocumentSet.Place, json: JSONValue) {
        self.place = place
        self.json = json
    }
}

/// A named example.
public struct APIExample: Sendable {
    /// The name; empty for that of `example`.
    public var name: String
    /// The value before it is written; nil if there is a text only.
    public var value: JSONValue?
    /// The text as it is sent; nil if there is a value only.
    public var serialized: String?
}

/// A content type with what it holds.
public struct APIContent: Sendable {
    /// The content type, such as `application/json`, or a range, such as `text/*`.
    public var type: String
    /// The schema of the whole; nil if it says nothing.
    public var schema: APISchema?
    /// The schema of each item of a sequence, such as an event stream.
    public var itemSchema: APISchema?
    public var examples: [APIExample]
    /// How the parts of a form are written, by name, as the document has them.
    public var encoding: JSONObject?
    public var place: DocumentSet.Place
}

/// The body of a request.
public struct APIBody: Sendable {
    public var isRequired: Bool
    public var contents: [APIContent]
    public var place: DocumentSet.Place
}

/// An answer of an operation.
public struct APIResponse: Sendable {
    public enum Code: Sendable, Hashable {
        case status(Int)
        /// All of a class, such as 4 of `4XX`.
        case range(Int)
        case standard
    }

    public var code: Code
    public var description: String?
    /// Its headers, without Content-Type; their location is `header`.
    public var headers: [APIParameter]
    public var contents: [APIContent]
    public var place: DocumentSet.Place
    /// Why it cannot be given; nil if it can, as the operation's others may.
    public var problem: ModelProblem?
}
