public import SDJSON
public import SDPlatform
import SDRegularExpressions

/// `matchesGraphql`, an addition to WireMock: a GraphQL request as a JSON body (`{"query", "operationName",
/// "variables"}`).
///
/// The operand is an object with at least one of these keys; an absent key does not restrict.
/// - `query`: compared by structure. White space, commas, comments and the order of fields, arguments, variables and
///   definitions do not matter.
/// - `operationName`: exactly this text, or null for none.
/// - `variables`: compared like `equalToJson` without options, placeholders included. A body without variables has
///   `{}`.
public struct GraphQLMatcher: Sendable {
    /// The reason why an operand cannot be used.
    public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// The pointer in the operand.
        public let pointer: JSONPointer
        /// What was expected there and what was found, in one sentence.
        public let message: String

        public var description: String { message }
    }

    private static let keys = ["operationName", "query", "variables"]

    private let query: GraphQLDocument?
    private let operationName: JSONValue?
    private let variables: JSONEquality?

    /// Compiles an operand.
    /// - Throws: for an unknown or missing key, a value of the wrong type, and a query that is not GraphQL.
    public init(_ operand: JSONValue) throws(Problem) {
        let list = "\"query\", \"operationName\" or \"variables\""
        guard case .object(let object) = operand, !object.isEmpty else {
            throw Problem(
                pointer: .root, message: "expected an object with \(list), found \(operand.shortDescription)")
        }
        if let unknown = object.keys.first(where: { !Self.keys.contains($0) }) {
            throw Problem(pointer: JSONPointer([unknown]), message: "expected \(list), found \"\(unknown)\"")
        }
        query = try object["query"].map(Self.query)
        operationName = try object["operationName"].map(Self.operationName)
        variables = try object["variables"].map(Self.variables)
    }

    /// Whether a body is a GraphQL request as described. If its query cannot be parsed, it never matches an expected
    /// query.
    public func matches(_ body: JSONValue, _ budget: WorkBudget = WorkBudget()) -> Bool {
        guard case .object(let request) = body, case .string(let text)? = request["query"] else { return false }
        if let operationName, (request["operationName"] ?? .null) != operationName { return false }
        if let variables {
            let actual = request["variables"] ?? .null
            guard variables.matches(actual.isNull ? .object([:]) : actual, budget) else { return false }
        }
        guard let query else { return true }
        return (try? GraphQLDocument(text, budget))?.canonicalText.hasSameCodePoints(as: query.canonicalText) ?? false
    }

    private static func query(_ json: JSONValue) throws(Problem) -> GraphQLDocument {
        let pointer = JSONPointer(["query"])
        guard case .string(let text) = json else {
            throw Problem(pointer: pointer, message: "expected a GraphQL document, found \(json.shortDescription)")
        }
        do throws(GraphQLSyntaxError) {
            return try GraphQLDocument(text)
        } catch {
            throw Problem(pointer: pointer, message: "not a GraphQL document: \(error)")
        }
    }

    private static func operationName(_ json: JSONValue) throws(Problem) -> JSONValue {
        switch json {
        case .string, .null: return json
        default:
            throw Problem(
                pointer: JSONPointer(["operationName"]),
                message: "expected a text or null, found \(json.shortDescription)")
        }
    }

    private static func variables(_ json: JSONValue) throws(Problem) -> JSONEquality {
        guard case .object = json else {
            throw Problem(
                pointer: JSONPointer(["variables"]), message: "expected an object, found \(json.shortDescription)")
        }
        do throws(JSONEquality.Problem) {
            return try JSONEquality(expected: json, ignoreArrayOrder: false, ignoreExtraElements: false)
        } catch {
            throw Problem(pointer: JSONPointer(["variables"] + error.pointer.tokens), message: error.regex.description)
        }
    }
}
