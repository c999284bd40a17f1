import SDBasics
import SDJSON
import SDJSONSchema
import SDOpenAPI
import SDPlatform

/// The check of one request, or of one answer.
struct ContractCheck {
    let contract: Contract
    let operation: APIOperation
    let direction: Contract.Direction
    let budget: WorkBudget
    var violations: [Violation] = []

    /// The maximum number of reported violations.
    static let limit = 100

    init(_ contract: Contract, _ operation: APIOperation, _ direction: Contract.Direction, _ budget: WorkBudget) {
        self.contract = contract
        self.operation = operation
        self.direction = direction
        self.budget = budget
    }

    var schemas: SchemaDocuments { contract.schemas }
    var reading: ValueReading { ValueReading(schemas: schemas, direction: direction, budget: budget) }

    mutating func add(_ violation: Violation) {
        if violations.count < Self.limit { violations.append(violation) }
    }

    func shape(_ schema: APISchema?) -> SchemaShape {
        SchemaShape(schema.map { [$0.place.inSchemas] } ?? [], schemas, budget)
    }

    // MARK: - Values

    /// Checks a value by its schema.
    /// - Parameter subject: the subject of messages, such as `the query parameter "limit"`.
    mutating func check(
        _ value: JSONValue, by place: SchemaDocuments.Place, _ location: Violation.Location, name: String? = nil,
        under pointer: JSONPointer = .root, subject: String
    ) {
        guard violations.count < Self.limit, !budget.isSpent else { return }
        let errors = schemas.errors(
            in: value, at: place, direction, most: Self.limit - violations.count, budget)
        for error in errors {
            let place = pointer.appending(error.instance)
            let at = place.tokens.isEmpty ? "" : " at \(place.text.shortened)"
            add(
                Violation(
                    location, name: name, pointer: place, keyword: error.keyword.isEmpty ? nil : error.keyword,
                    message: "\(subject) is not valid\(at): \(error.message)", expected: error.expected,
                    found: error.found))
        }
    }

    /// Checks a value serialised in a style or by a content type.
    mutating func check(_ written: WrittenValue, of parameter: APIParameter, _ location: Violation.Location) {
        let subject = Self.subject(location, parameter.name)
        if let content = parameter.content {
            guard case .text(let text) = written else { return }
            check(text.text, of: content, location, parameter.name, subject)
        } else if let schema = parameter.schema {
            let value = reading.value(of: written, shape(schema))
            check(value, by: schema.place.inSchemas, location, name: parameter.name, subject: subject)
        }
    }

    /// Checks a parameter whose value is a document.
    private mutating func check(
        _ text: String, of content: APIContent, _ location: Violation.Location, _ name: String, _ subject: String
    ) {
        guard let schema = content.schema else { return }
        guard MediaType(content.type).isJSON else {
            let value = reading.value(of: WrittenText(text), shape(schema))
            return check(value, by: schema.place.inSchemas, location, name: name, subject: subject)
        }
        do throws(JSONSyntaxError) {
            let value = try JSONValue(parsing: Array(text.utf8))
            check(value, by: schema.place.inSchemas, location, name: name, subject: subject)
        } catch {
            add(
                Violation(
                    location, name: name, message: "\(subject) is not JSON: \(error)", expected: "JSON",
                    found: JSONValue.string(text).shortDescription))
        }
    }

    static func subject(_ location: Violation.Location, _ name: String) -> String {
        let shown = JSONValue.string(name).compactText
        switch location {
        case .header: return "the header \(shown)"
        case .cookie: return "the cookie \(shown)"
        case .path: return "the path parameter \(shown)"
        default: return "the query parameter \(shown)"
        }
    }

    /// The requirements of a schema in a few words; nil if there are none.
    func wanted(_ schema: APISchema?) -> String? {
        guard let schema else { return nil }
        let shape = shape(schema)
        if let values = shape.parts.lazy.compactMap({ $0.json["enum"]?.arrayValue }).first, !values.isEmpty {
            let shown = values.prefix(5).map { JSONValue.shownBriefly($0) }.joined(separator: ", ")
            return "one of \(shown)" + (values.count > 5 ? " and \(values.count - 5) more" : "")
        }
        let types = shape.types.subtracting(["null"]).sorted().joined(separator: " or ")
        guard !types.isEmpty else { return nil }
        let format = shape.parts.lazy.compactMap { $0.json["format"]?.stringValue }.first
        return types + (format.map { " (\($0))" } ?? "")
    }
}

extension JSONValue {
    static func shownBriefly(_ value: JSONValue) -> String {
        switch value {
        case .array, .object: value.shortDescription
        default: value.compactText
        }
    }
}

extension DocumentSet.Place {
    /// The same location among the compiled schemas.
    var inSchemas: SchemaDocuments.Place { SchemaDocuments.Place(document: document, pointer: pointer) }
}

extension APISchema {
    /// Whether it accepts everything.
    var saysNothing: Bool { json.objectValue?.isEmpty == true || json.boolValue == true }
}
