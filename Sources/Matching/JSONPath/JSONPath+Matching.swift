public import SDJSON
public import SDPlatform

/// A value to which a sub-matcher of `matchesJsonPath` is applied.
public struct JSONPathCandidate: Sendable, Hashable {
    /// The value's text for WireMock's text matchers: an object as pretty JSON without its null members, an object in a
    /// list as Java prints maps (`{k=v}`), a number as Java prints it. Nil for a null in a list.
    public let text: String?
    /// The value itself.
    public let value: JSONValue?

    public init(text: String?, value: JSONValue?) {
        self.text = text
        self.value = value
    }
}

extension JSONPath.Evaluation {
    /// Whether the simple form of `matchesJsonPath` matches: an object or a list must not be empty, any other value
    /// must not be null.
    public var isMatch: Bool {
        switch self {
        case .notFound, .failed, .value(.null): false
        case .value(.array(let elements)), .list(let elements): !elements.isEmpty
        case .value(.object(let object)): !object.isEmpty
        case .value: true
        }
    }

    /// The values to which the sub-matcher of `matchesJsonPath` is applied; one match is enough.
    ///
    /// Nil if there are none: the path was not found, or it leads to null or to an empty list. Then only `absent`
    /// matches, not even `not`, `doesNotContain` or `anything`. Empty if the evaluation failed or the budget is
    /// exhausted (making the texts spends it): then nothing matches.
    public func candidates(_ budget: WorkBudget) -> [JSONPathCandidate]? {
        switch self {
        case .failed: return []
        case .notFound, .value(.null): return nil
        case .value(.array(let elements)), .list(let elements):
            guard !elements.isEmpty else { return nil }
            var candidates: [JSONPathCandidate] = []
            for element in elements {
                let text = JavaText.of(element: element)
                // Writing a character takes some nanoseconds, and copying the text some more.
                let steps = 10 + (text?.utf8.count ?? 0)
                guard budget.spend(steps, for: WorkBudget.Work("JSONPath", "the values that it finds")) else {
                    return []
                }
                candidates.append(JSONPathCandidate(text: text, value: element))
            }
            return candidates
        case .value(let value):
            let text = value.isContainer ? value.withoutNullMembers.prettyText : JavaText.of(element: value)
            return [JSONPathCandidate(text: text, value: value)]
        }
    }

    /// The result as one JSON value, which `equalToJson` compares as a whole; nil if the path was not found, leads to
    /// null, or the evaluation failed. WireMock writes its result as JSON and parses it again, which drops null
    /// members.
    public var wholeValue: JSONValue? {
        switch self {
        case .failed, .notFound, .value(.null): nil
        case .value(let value): value.withoutNullMembers
        case .list(let elements): JSONValue.array(elements).withoutNullMembers
        }
    }
}

extension JSONPath {
    /// Whether the simple form of `matchesJsonPath` matches a body that was parsed as `document`. A null body never
    /// matches.
    public func matches(_ document: JSONValue) -> Bool {
        document.isNull ? false : evaluate(document).isMatch
    }

    /// The result of the simple form of `matchesJsonPath` for a document.
    public enum Conclusion: Sendable, Hashable {
        /// See `Evaluation.isMatch`.
        case match, noMatch
        /// A definite path that finds nothing.
        case notFound
        /// Why the expression cannot be evaluated on this document.
        case failed(String)
    }

    /// The result of `evaluate` and `isMatch`, without the values found.
    public func conclusion(_ document: JSONDocument, _ budget: WorkBudget = WorkBudget()) -> Conclusion {
        run(document, .leftOut, budget) { evaluator, found throws(PathEvaluator.Stop) in
            switch found {
            case .nothing: .notFound
            case .one(let value): evaluator.isSomething(value) ? .match : .noMatch
            case .many(let values): values.isEmpty ? .noMatch : .match
            }
        } orElse: {
            .failed($0)
        }
    }

    /// The values to which a sub-matcher of `matchesJsonPath` is applied; see `Evaluation.candidates(_:)`.
    public func candidates(in document: JSONValue) -> [JSONPathCandidate]? {
        document.isNull ? [] : evaluate(document).candidates(.unlimited)
    }

    /// The value that a sub-matcher `equalToJson` compares; see `Evaluation.wholeValue`.
    public func wholeValue(in document: JSONValue) -> JSONValue? {
        document.isNull ? nil : evaluate(document).wholeValue
    }
}

extension JSONValue {
    /// The value as WireMock writes objects: without null members, numbers in Java's form.
    fileprivate var withoutNullMembers: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutNullMembers))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.lazy.filter { !$0.value.isNull }.map { ($0.key, $0.value.withoutNullMembers) }))
        case .number(let number): .number(JSONNumber(text: JavaText.of(number)) ?? number)
        default: self
        }
    }
}
