import SDJSON
import SDMatching
import SDRequestTemplates
import SDStubModel
package import SDTemplating

/// The turns in a sequence that is kept for each value of its requests: of the values that came last, as clients could
/// fill the memory with others.
struct TurnTable {
    /// The number of values that are kept for certain.
    static let certain = 10_000
    /// The longest value that is kept as it is, in bytes.
    private static let longest = 64

    // Two halves: all that was asked for since there was room for half, and what was asked for before that.
    private var recent: [[UInt8]: Int] = [:]
    private var former: [[UInt8]: Int] = [:]
    /// Whether a value was forgotten.
    private(set) var hasForgotten = false

    /// The index of the next response for a value; nil for one that is new, or forgotten.
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

    /// A value as it is kept: one that is long by a number that is as good as its own.
    static func key(_ value: String) -> [UInt8] {
        let bytes = Array(value.utf8)
        return bytes.count <= longest ? bytes : Array(StubMapping.id(hashing: value).lowercasedString.utf8)
    }
}

/// Reads the value of a request for which a sequence is kept.
package struct TurnKey: Sendable {
    /// The key as stubs have it.
    package let text: String
    private let source: Source

    private enum Source: Sendable {
        /// A value of the model that templates see.
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
            // A template that cannot read it would take all requests for the same.
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
    package func value(in environment: RenderEnvironment) -> [UInt8] { TurnTable.key(text(in: environment)) }

    private func text(in environment: RenderEnvironment) -> String {
        switch source {
        case .template(let template):
            let text = (try? template.text(environment)) ?? ""
            // What a helper prints of a body that is no JSON is no value.
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
