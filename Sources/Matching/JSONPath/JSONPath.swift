public import JSON

/// A JSONPath expression, ready to be evaluated: RFC 9535, and the spellings of Jayway JsonPath that WireMock's users write.
///
/// Checked when it is made, so that mistakes are found when a stub is added. It is a plain value: any number of threads may
/// evaluate it at once. However hostile the expression or the document, an evaluation visits at most
/// `maximumVisits` values.
public struct JSONPath: Sendable {
    /// Whose meaning counts where the two differ. `docs/jsonpath.md` lists the differences.
    public enum Dialect: Sendable, Hashable {
        /// As WireMock 3.13 answers; what only RFC 9535 defines has its meaning.
        case wireMock
        /// RFC 9535 to the letter: everything else is refused.
        case rfc9535
    }

    /// What an evaluation found.
    public enum Evaluation: Sendable, Hashable {
        /// A definite path leads nowhere.
        case notFound
        /// What a definite path or a function yields; may be null.
        case value(JSONValue)
        /// What an indefinite path yields, in the order of the document; may be empty.
        case list([JSONValue])
        /// The expression cannot be evaluated on this document; the reason in words.
        case failed(String)
    }

    /// What a name at the end of a path stands for on an object that has no such member.
    public enum MissingMembers: Sendable, Hashable {
        /// For nothing.
        case leftOut
        /// For null, as in WireMock's template helper: `$..id` yields a null for each object without an `id`.
        case null
    }

    /// An evaluation that would visit more values than this fails.
    public static let maximumVisits = 2_000_000
    /// Expressions longer than this many characters are refused.
    public static let maximumLength = 16_384
    /// Filters, parentheses and function calls nested deeper than this are refused.
    public static let maximumDepth = 64

    /// The expression as written.
    public let text: String

    let query: PathQuery
    let dialect: Dialect

    public init(_ text: String, dialect: Dialect = .wireMock) throws(JSONPathProblem) {
        var parser = PathParser(text, dialect: dialect)
        query = try parser.expression()
        self.text = text
        self.dialect = dialect
    }

    /// Whether the path names at most one value, so that the result is that value rather than a list.
    public var isDefinite: Bool { query.isDefinite(in: dialect) }

    /// `missing` is for the templates' `jsonPath` helper; matchers leave it out.
    public func evaluate(_ document: JSONValue, missing: MissingMembers = .leftOut) -> Evaluation {
        evaluate(.tree(document), missing: missing)
    }

    /// The same of a document that may be a tape, of which trees are made only of what the path finds.
    public func evaluate(_ document: JSONDocument, missing: MissingMembers = .leftOut) -> Evaluation {
        run(document, missing) { evaluator, found throws(PathEvaluator.Stop) in
            switch found {
            case .nothing: .notFound
            case .one(let value): .value(try evaluator.json(value))
            case .many(let values): .list(try evaluator.json(values))
            }
        } orElse: {
            .failed($0)
        }
    }

    /// Evaluates on the tape, if there is one, and on a tree where that takes the tape too often.
    func run<Answer>(
        _ document: JSONDocument, _ missing: MissingMembers,
        _ answer: (inout PathEvaluator, PathEvaluator.Found) throws(PathEvaluator.Stop) -> Answer,
        orElse failure: (String) -> Answer
    ) -> Answer {
        var evaluator = PathEvaluator(document, dialect: dialect, missing: missing)
        do throws(PathEvaluator.Stop) {
            let found = try evaluator.result(of: query, at: evaluator.root)
            return try answer(&evaluator, found)
        } catch {
            guard error.needsTree else { return failure(error.reason) }
            return run(.tree(document.value), missing, answer, orElse: failure)
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
