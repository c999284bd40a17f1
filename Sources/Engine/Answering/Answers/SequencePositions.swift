import SDJSON
import SDMatching
import SDRequestTemplates
import SDStubModel
package import SDTemplating

/// The turns in a sequence that is kept per value of its requests. Only the most recent values are stored, so that
/// clients cannot fill the memory.
struct SequencePositions {
    /// The number of values that are stored for certain.
    static let certain = 10_000
    /// The longest value that is stored unhashed, in bytes.
    private static let longest = 64

    // Two generations: the values used since the last rotation, and those of the generation before.
    private var recent: [[UInt8]: Int] = [:]
    private var former: [[UInt8]: Int] = [:]
    /// Whether a value was dropped.
    private(set) var hasForgotten = false

    /// The index of the next response for a value; nil for one that is new or dropped.
    subscript(value: [UInt8]) -> Int? {
        get { recent[value] ?? former[value] }
        set {
            if recent.count >= Self.certain, recent[value] == nil {
                if former.keys.contains(where: { recent[$0] == nil }) { hasForgotten = true }
                former = recent
                recent = [:]
            }
            recent[value] = newValue
        }
    }

    /// The stored form of a value: a long one is hashed.
    static func key(_ value: String) -> [UInt8] {
        let bytes = Array(value.utf8)
        return bytes.count <= longest ? bytes : Array(StubMapping.id(hashing: value).lowercasedString.utf8)
    }
}

/// Reads the value of a request that selects its turn.
package struct SequenceValueKey: Sendable {
    /// The key as stubs state it.
    package let text: String
    private let source: Source

    private enum Source: Sendable {
        /// The path of a value in the template model.
        case names([String])
        case cookie(String)
        case template(Template)
    }

    /// - Throws: what is wrong with a JSONPath.
    init?(_ key: SequenceKey?, of stub: StubMapping.ID) throws(StubRefusal) {
        guard let key else { return nil }
        text = key.text
        switch key.part {
        case .path: source = .names(["path", key.name])
        case .query: source = .names(["request", "query", key.name])
        case .header: source = .names(["request", "headers", key.name])
        case .cookie: source = .cookie(key.name)
        case .body:
            // A template that cannot read it would treat all requests alike.
            do throws(PatternProblems) {
                _ = try CompiledMatcher(ValueMatcher(.matchesJsonPath, key.name), at: "/per")
            } catch {
                throw .unserved(stub, error.problems.map { ServingProblem($0) })
            }
            let mark = key.name.contains("'") ? "\"" : "'"
            guard let template = try? Template("{{{jsonPath request.body \(mark)\(key.name)\(mark)}}}") else {
                let message = "not an expression that a template can have"
                throw .unserved(stub, [ServingProblem(pointer: JSONPointer(["per"]), message: message)])
            }
            source = .template(template)
        }
    }

    /// The value of a request; empty if it has none.
    package func value(in environment: RenderEnvironment) -> [UInt8] { SequencePositions.key(text(in: environment)) }

    private func text(in environment: RenderEnvironment) -> String {
        switch source {
        case .template(let template):
            let text = (try? template.text(environment)) ?? ""
            // A helper's error text for a body that is not JSON is not a value.
            return environment.failure == nil ? text : ""
        case .names(let names):
            return environment.model.value(atPath: names)?.text ?? ""
        case .cookie(let name):
            guard case .object(let request) = environment.model.member("request"),
                case .map(let cookies) = request.member("cookies")
            else { return "" }
            return cookies[name]?.text ?? ""
        }
    }
}
