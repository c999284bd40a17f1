import SDJSON
import SDJSONSchema
public import SDOpenAPI
import SDPlatform
import SDRegularExpressions
import SDStubModel

/// Problems of a document that reading it does not find: examples that violate their schemas, and invalid patterns.
extension Contract {
    /// Warnings, each once, in the order of the operations and then of the documents. Slow: each example is validated
    /// against its schema.
    public func warnings() -> [APIDescription.Finding] {
        var warnings = ContractWarnings(self)
        for operation in description.operations { warnings.look(at: operation) }
        for index in description.documents.documents.indices { warnings.lookForPatterns(in: index) }
        return warnings.found
    }
}

private struct ContractWarnings {
    private let contract: Contract
    private(set) var found: [APIDescription.Finding] = []
    private var seen: Set<DocumentSet.Place> = []
    /// The problems of the patterns compiled so far.
    private var patterns: [String: String?] = [:]

    /// The maximum number of warnings per document.
    private static let most = 1_000
    /// The maximum number of values visited in search of patterns.
    private static let maxValues = 5_000_000
    private var visited = 0

    init(_ contract: Contract) {
        self.contract = contract
    }

    private var documents: DocumentSet { contract.description.documents }

    private mutating func report(
        _ place: DocumentSet.Place, _ message: String, expected: String? = nil, found value: String? = nil
    ) {
        guard found.count < Self.most else { return }
        found.append(
            APIDescription.Finding(
                document: place.document,
                problem: ModelProblem(
                    pointer: place.pointer, message: message, expected: expected, found: value), isError: false))
    }

    // MARK: Examples

    mutating func look(at operation: APIOperation) {
        for parameter in operation.parameters { look(at: parameter, .request) }
        for content in operation.body?.contents ?? [] { look(at: content, .request) }
        for response in operation.responses {
            for header in response.headers { look(at: header, .response) }
            for content in response.contents { look(at: content, .response) }
        }
    }

    private mutating func look(at parameter: APIParameter, _ direction: Contract.Direction) {
        guard let schema = parameter.schema, !parameter.examples.isEmpty, seen.insert(parameter.place).inserted else {
            return
        }
        for example in parameter.examples {
            guard let value = example.value else { continue }
            // A serialised example is not a value yet.
            if value.stringValue != nil, !contract.isValid(value, schema: schema, direction: direction),
                let read = try? JSONValue(parsing: value.stringValue ?? ""),
                contract.isValid(read, schema: schema, direction: direction)
            {
                continue
            }
            look(at: value, example, parameter.place, schema, direction, "")
        }
    }

    private mutating func look(at content: APIContent, _ direction: Contract.Direction) {
        guard let schema = content.schema, !content.examples.isEmpty, BodyKind(of: content.type) == .json,
            seen.insert(content.place).inserted
        else { return }
        for example in content.examples {
            let text = example.serialized ?? example.value?.stringValue
            if let read = text.flatMap({ try? JSONValue(parsing: $0) }),
                contract.isValid(read, schema: schema, direction: direction)
            {
                continue
            }
            guard let value = example.value else { continue }
            look(
                at: value, example, content.place, schema, direction,
                direction == .response ? "; another answer is sent in its place" : "")
        }
    }

    private mutating func look(
        at value: JSONValue, _ example: APIExample, _ holder: DocumentSet.Place, _ schema: APISchema,
        _ direction: Contract.Direction, _ effect: String
    ) {
        let budget = WorkBudget()
        let errors = contract.problems(of: value, schema: schema, direction: direction, most: 1, budget: budget)
        guard !errors.isEmpty, !budget.isSpent else { return }
        let place = place(of: example, in: holder)
        for error in errors {
            var spot = place
            spot.pointer.tokens += error.instance.tokens
            let inner = documents.value(at: spot) == nil ? place : spot
            report(
                inner, "the schema does not allow this example: \(error.message)\(effect)", expected: nil, found: nil)
        }
    }

    /// The location of an example's value, or of its holder if unknown.
    private func place(of example: APIExample, in holder: DocumentSet.Place) -> DocumentSet.Place {
        func below(_ place: DocumentSet.Place, _ tokens: String...) -> DocumentSet.Place {
            var place = place
            place.pointer.tokens += tokens
            return place
        }
        let own = below(holder, "example")
        if example.name.isEmpty { return documents.value(at: own) == nil ? holder : own }
        for spot in [
            below(holder, "examples", example.name), below(holder, "examples", String((Int(example.name) ?? 0) - 1)),
        ] {
            guard let target = documents.target(of: spot) else { continue }
            for member in ["dataValue", "value"] where target.value[member] != nil {
                return below(target.place, member)
            }
            return target.place
        }
        return holder
    }

    // MARK: Patterns

    /// Members whose values are not schemas, even if they look like some.
    private static let others: Set = ["example", "examples", "default", "enum", "const"]

    mutating func lookForPatterns(in index: Int) {
        lookForPatterns(
            in: documents.documents[index].json, DocumentSet.Place(document: index, pointer: .root),
            isSchema: index == 0)
    }

    private mutating func lookForPatterns(in value: JSONValue, _ place: DocumentSet.Place, isSchema: Bool) {
        visited += 1
        guard visited <= Self.maxValues, place.pointer.tokens.count < 500 else { return }
        func below(_ token: String) -> DocumentSet.Place {
            DocumentSet.Place(document: place.document, pointer: place.pointer.appending(token))
        }
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() where element.isContainer {
                lookForPatterns(in: element, below(String(index)), isSchema: isSchema)
            }
        case .object(let object):
            if let pattern = object["pattern"]?.stringValue, isSchema || object["type"] != nil {
                look(at: pattern, below("pattern"))
            }
            if let schemas = object["patternProperties"]?.objectValue, isSchema || object["type"] != nil {
                for name in schemas.keys { look(at: name, below("patternProperties")) }
            }
            for member in object.members
            where member.value.isContainer && !Self.others.contains(member.key) && !member.key.hasPrefix("x-") {
                lookForPatterns(in: member.value, below(member.key), isSchema: isSchema)
            }
        default: break
        }
    }

    private mutating func look(at pattern: String, _ place: DocumentSet.Place) {
        let problem: String?
        if let known = patterns[pattern] {
            problem = known
        } else {
            do throws(RegexProblem) {
                _ = try SchemaPattern(pattern)
                problem = nil
            } catch {
                problem = error.reason
            }
            patterns.updateValue(problem, forKey: pattern)
        }
        if let problem {
            report(
                place, "the pattern cannot be read, so nothing is held against it: \(problem)",
                expected: "a regular expression", found: String(pattern.prefix(100)))
        }
    }
}

extension JSONValue {
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}
