import SDBasics
import SDJSON
import SDStubModel

/// What keeps the stub nearest to a request from answering it, and the smallest change with which it would.
package struct SmallestChange {
    /// A clause for each condition that fails, such as `the header Accept is absent; the stub wants application/json`.
    package let differences: [String]
    /// A sentence without a full stop.
    package let sentence: String
    /// Whether the URL is another one altogether, so that nobody meant this stub.
    package let isFar: Bool

    /// The part of a URL that differs beyond which it is another one altogether.
    private static let far = 0.5
    /// The longest shown part of a value, in characters.
    private static let longest = 200

    /// - Parameter state: the reason why the stub may not answer even a matching request; nil if it may.
    package init(of evaluation: PatternEvaluation, state: String?) {
        let failing = evaluation.failing.map(Difference.init)
        differences = failing.map(\.clause) + (state.map { [$0] } ?? [])
        isFar = evaluation.conditions.contains { condition in
            guard case .url(let url) = condition.expected else { return false }
            return !url.hasQueryInPath && condition.distance < 1 && condition.distance > Self.far
                && url.distanceByParts(of: condition.actual.first ?? "") > Self.far
        }
        if isFar {
            sentence = "No stub comes near the request: add one for it"
        } else if let only = failing.first, failing.count == 1, state == nil {
            sentence = "Only \(only.clause). \(only.change)"
        } else if !failing.isEmpty {
            let changes = failing.prefix(3).map(\.change).joined(separator: ". ")
            let more = failing.count > 3 ? ". And \(failing.count - 3) more" : ""
            let also = state.map { ". Then the stub's state is in the way: \($0)" } ?? ""
            sentence =
                "\(failing.count) condition\(failing.count == 1 ? " differs" : "s differ"). \(changes)\(more)\(also)"
        } else {
            sentence =
                state.map { "Only the stub's state is in the way: \($0)" } ?? "The stub would answer the request now"
        }
    }

    /// The beginning of a long value.
    package static func cut(_ text: String) -> String {
        text.count > longest ? text.prefix(longest) + "…" : text
    }
}

/// A condition that fails, in words.
private struct Difference {
    /// What differs, with both values.
    let clause: String
    /// What to change, in the imperative.
    let change: String

    init(_ condition: PatternEvaluation.Condition) {
        let wanted = SmallestChange.cut(condition.wanted)
        let actual = condition.found.map(SmallestChange.cut)
        let name = condition.key ?? ""
        switch (condition.attribute, condition.expected) {
        case (.method, _):
            clause = "the method differs: \(actual ?? "none"), the stub has \(wanted)"
            change = "Send \(wanted), or change the stub's method"
        case (_, .url(let url)):
            let part = url.isOfPath ? "path" : "URL"
            let shown = url.isOfPath ? actual.map { String($0.prefix { $0 != "?" }) } : actual
            clause = "the \(part) differs: \(shown ?? "none"), the stub has \(wanted)"
            if url.hasQueryInPath {
                change = "Put the query into \(url.fieldForQuery) of the stub: a path has none"
                return
            }
            let meant = url.isExact ? wanted : shown.flatMap { Self.filled(wanted, from: $0) }
            change = "Request \(meant ?? "what fits \(wanted)"), or change the stub's \(part)"
        case (.header, _):
            (clause, change) = Self.field(condition, name, wanted, actual) { "\(name): \($0)" }
        case (.basicAuth, _):
            clause = "the credentials \(actual == nil ? "are absent" : "differ"); the stub wants those of \(wanted)"
            change = "Send the credentials of \(wanted), or leave basicAuth out of the stub"
        case (.body, _):
            let body = actual ?? ""
            clause =
                body.isEmpty
                ? "the body is empty; the stub wants \(wanted)"
                : condition.differences.isEmpty
                    ? "the body is \(body); the stub wants \(wanted)"
                    : "the body differs: \(Self.listed(condition.differences))"
            change = "Send a body that passes \(wanted), or relax the stub's bodyPatterns"
        case (.multipart, _):
            clause = "no part of the body passes the stub's multipartPatterns"
            change = "Send such a part, or relax the stub's multipartPatterns"
        case (.customMatcher, _):
            clause = "the custom matcher \(name.isEmpty ? "" : "\(name) ")does not accept the request"
            change = "Leave it out of the stub"
        case (.host, _), (.port, _), (.clientIP, _), (.scheme, _):
            let part = condition.member
            clause = "the \(part) differs: \(actual ?? "unknown"), the stub wants \(wanted)"
            change = "Send the request from or to \(wanted), or leave \(part) out of the stub"
        default: (clause, change) = Self.field(condition, name, wanted, actual) { "\(name)=\($0)" }
        }
    }

    /// The most differences of a body that a sentence lists.
    private static let mostListed = 5

    private static func listed(_ differences: [String]) -> String {
        var texts = differences.prefix(mostListed).map { text in
            SmallestChange.cut(text.hasSuffix(".") ? String(text.dropLast()) : text)
        }
        let more = differences.count - mostListed
        if more > 0 { texts.append(differences.last == "and more" ? "and more" : "and \(more) more") }
        return texts.joined(separator: "; ")
    }

    /// The path that fits a template, with the parts of a request's in place of its variables; nil if they do not lie side
    /// by side.
    private static func filled(_ template: String, from path: String) -> String? {
        let (wanted, parts) = (template.split(separator: "/"), path.split(separator: "/"))
        guard wanted.count == parts.count else { return nil }
        let filled = zip(wanted, parts).map { $0.hasPrefix("{") && $0.hasSuffix("}") ? $1 : $0 }
        // A variable within a part, or an expression.
        guard !filled.contains(where: { $0.utf8.contains { "{}()[]*+?|^$\\".utf8.contains($0) } }) else { return nil }
        return "/" + filled.joined(separator: "/") + (template.hasSuffix("/") ? "/" : "")
    }

    /// A header, parameter or another field.
    /// - Parameter written: the field with a value as a request has it.
    private static func field(
        _ condition: PatternEvaluation.Condition, _ name: String, _ expected: String, _ actual: String?,
        written: (String) -> String
    ) -> (clause: String, change: String) {
        let (kind, matcher) = (condition.noun ?? "client certificate's", condition.matcher)
        let isAbsence = matcher?.isAbsence == true
        let clause =
            switch (actual, isAbsence) {
            case (let actual?, true): "the \(kind) \(name) is there, \(actual); the stub wants none"
            case (let actual?, false): "the \(kind) \(name) is \(actual); the stub wants \(expected)"
            case (nil, _): "the \(kind) \(name) is absent; the stub wants \(expected)"
            }
        let change: String
        if isAbsence {
            change = "Leave the \(kind) out of the request, or the condition out of the stub"
        } else if let value = matcher?.writtenValue {
            let verb = actual == nil ? "Add the \(kind)" : "Send the \(kind)"
            change = "\(verb) \(SmallestChange.cut(written(value))) to the request, or relax the stub's condition"
        } else if actual == nil {
            change = "Add the \(kind) \(name) to the request, or leave the condition out of the stub"
        } else {
            change = "Send another value of \(name), or relax the stub's condition"
        }
        return (clause, change)
    }
}

extension ValueMatcher {
    /// The value that a request would have to have; nil where several would do, or where it is hidden.
    fileprivate var writtenValue: String? {
        guard [.equalTo, .contains].contains(`operator`), let text = operand.stringValue, text != HiddenValue.mark
        else { return nil }
        return text
    }
}
