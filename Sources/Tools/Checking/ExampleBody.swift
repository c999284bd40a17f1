import SDBasics
import SDJSON
import SDStubModel

/// A body that passes all of a stub's matchers.
struct ExampleBody {
    var bytes: [UInt8] = []
    /// The media type; nil if unknown.
    var type: String?
    /// Whether it is a GraphQL query, which changes nothing.
    var isQuery = false

    /// - Parameter values: the values of parts without an example.
    /// - Throws: the reason why there is none.
    init(_ matchers: [ValueMatcher], _ values: [String: String] = [:]) throws(NoExample) {
        var document: JSONValue?
        var texts: [String] = []
        for matcher in matchers {
            switch matcher.operator {
            case .equalToJson:
                document = try? JSONValue(parsing: try ExampleValue.json(matcher.operand))
            case .matchesJsonSchema: document = try Self.schema(matcher.operand)
            case .matchesGraphql:
                let query = try Self.query(matcher.operand, values)
                document = .object(query)
                isQuery = Self.isQuery(query["query"]?.stringValue ?? "")
            case .matchesJsonPath: document = try Self.adding(matcher.operand, to: document ?? .object(JSONObject()))
            case .binaryEqualTo:
                guard let decoded = matcher.operand.stringValue.flatMap({ try? Base64.decode($0) }) else {
                    throw NoExample("its body is no Base64")
                }
                bytes = decoded
                return
            case .equalToXml:
                texts.append(matcher.operand.stringValue ?? "")
                type = "application/xml"
            default:
                do throws(NoExample) {
                    texts += try ExampleValue.list(matcher)
                } catch {
                    throw NoExample("its body has no example (\(error))")
                }
            }
        }
        if let document {
            bytes = Array(document.compactText.utf8)
            type = "application/json"
        } else {
            bytes = Array((texts.first ?? "").utf8)
            if type == nil, !bytes.isEmpty { type = "text/plain" }
        }
    }

    private static func schema(_ operand: JSONValue) throws(NoExample) -> JSONValue {
        do throws(NoExample) {
            return try SchemaExample.value(operand)
        } catch {
            throw NoExample("its body has no example (\(error))")
        }
    }

    // MARK: - GraphQL

    private static func query(_ operand: JSONValue, _ values: [String: String]) throws(NoExample) -> JSONObject {
        guard let text = operand["query"]?.stringValue ?? values["query"] else {
            throw NoExample("the query of its GraphQL request has no example: give one by --param 'query=DOCUMENT'")
        }
        var request: JSONObject = ["query": .string(text)]
        if let name = operand["operationName"]?.stringValue { request["operationName"] = .string(name) }
        if let variables = operand["variables"] {
            request["variables"] = try? JSONValue(parsing: try ExampleValue.json(variables))
        }
        return request
    }

    /// Whether a document has queries only.
    private static func isQuery(_ document: String) -> Bool {
        let words = document.split { !$0.isLetter && $0 != "{" }
        guard let first = words.first, first.hasPrefix("{") || first == "query" else { return false }
        return !words.contains { $0 == "mutation" || $0 == "subscription" }
    }

    // MARK: - JSONPath

    /// The document extended so that the JSONPath finds something.
    private static func adding(_ operand: JSONValue, to document: JSONValue) throws(NoExample) -> JSONValue {
        let expression = operand["expression"]?.stringValue ?? operand.stringValue ?? ""
        guard let path = PathExample(expression) else { throw NoExample("its body has no example (`\(expression)`)") }
        var value: JSONValue = "text"
        if let object = operand.objectValue {
            let condition = JSONObject(object.members.filter { $0.key != "expression" }.map { ($0.key, $0.value) })
            guard let matcher = try? ValueMatcher(json: .object(condition)) else {
                throw NoExample("its body has no example (`\(expression)`)")
            }
            if matcher.operator == .equalToJson {
                value = (try? JSONValue(parsing: try ExampleValue.json(matcher.operand))) ?? .null
            } else {
                // A value compared as text may be written as itself.
                guard let text = try ExampleValue(matcher).text else { return document }
                value = (try? JSONValue(parsing: Array(text.utf8))) ?? .string(text)
            }
        }
        return path.setting(operand.objectValue == nil && path.endsInFilter ? nil : value, in: document)
    }
}
