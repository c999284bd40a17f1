public import SDJSON
public import SDPlatform

/// A compiled JSONPath expression: RFC 9535, and the spellings of Jayway JsonPath in use with WireMock.
///
/// Errors are found when it is compiled, that is, when a stub is added. It is immutable and can be evaluated by any
/// number of threads. Each visited value costs budget steps; once the budget is exhausted, the evaluation fails.
public struct JSONPath: Sendable {
    /// Which meaning counts if they differ. `docs/jsonpath.md` lists the differences.
    public enum Dialect: Sendable, Hashable {
        /// WireMock 3.13's meaning. Expressions that only RFC 9535 defines have the meaning defined there.
        case wireMock
        /// Strict RFC 9535; everything else is rejected.
        case rfc9535
    }

    /// The result of an evaluation.
    public enum Evaluation: Sendable, Hashable {
        /// A definite path that finds nothing.
        case notFound
        /// The value of a definite path or a function; may be null.
        case value(JSONValue)
        /// The values of an indefinite path in the order of the document; may be empty.
        case list([JSONValue])
        /// Why the expression cannot be evaluated on this document.
        case failed(String)
    }

    /// The result of a name at the end of a path on an object that has no such member.
    public enum MissingMembers: Sendable, Hashable {
        /// Nothing.
        case leftOut
        /// Null, as in WireMock's template helper: `$..id` yields a null for each object without an `id`.
        case null
    }

    /// The maximum length of an expression, in characters.
    public static let maximumLength = 16_384
    /// The maximum nesting of filters, parentheses and function calls.
    public static let maximumDepth = 64

    /// The expression as written.
    public let text: String

    let query: PathQuery
    let dialect: Dialect

    /// Compiles an expression.
    /// - Throws: the first error and its position.
    public init(_ text: String, dialect: Dialect = .wireMock) throws(JSONPathProblem) {
        var parser = PathParser(text, dialect: dialect)
        query = try parser.expression()
        self.text = text
        self.dialect = dialect
    }

    /// Whether the path finds at most one value, so that the result is that value instead of a list.
    public var isDefinite: Bool { query.isDefinite(in: dialect) }

    /// Evaluates the path. `missing` is for the template helper `jsonPath`; matchers omit it.
    public func evaluate(
        _ document: JSONValue, missing: MissingMembers = .leftOut, _ budget: WorkBudget = WorkBudget()
    ) -> Evaluation {
        evaluate(.tree(document), missing: missing, budget)
    }

    /// Evaluates the path on a document that may be a tape. Only the values found are built as trees.
    public func evaluate(
        _ document: JSONDocument, missing: MissingMembers = .leftOut, _ budget: WorkBudget = WorkBudget()
    ) -> Evaluation {
        run(document, missing, budget) { evaluator, found throws(PathEvaluator.Stop) in
            switch found {
            case .nothing: .notFound
            case .one(let value): .value(try evaluator.json(value))
            case .many(let values): .list(try evaluator.json(values))
            }
        } orElse: {
            .failed($0)
        }
    }

    /// Evaluates on the tape if there is one, and on a tree if the tape is too expensive. An error thrown by `answer`
    /// becomes the text for `failure`.
    func run<Answer>(
        _ document: JSONDocument, _ missing: MissingMembers, _ budget: WorkBudget,
        _ answer: (inout PathEvaluator, PathEvaluator.Found) throws(PathEvaluator.Stop) -> Answer,
        orElse failure: (String) -> Answer
    ) -> Answer {
        var evaluator = PathEvaluator(document, self, missing: missing, budget)
        do throws(PathEvaluator.Stop) {
            let found = try evaluator.result(of: query, at: evaluator.root)
            return try answer(&evaluator, found)
        } catch {
            guard error.needsTree else { return failure(error.reason) }
            return run(.tree(document.value), missing, budget, answer, orElse: failure)
        }
    }
}

extension JSONPath: Hashable {
    public static func == (left: JSONPath, right: JSONPath) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8) && left.dialect == right.dialect
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(dialect)
    }
}
