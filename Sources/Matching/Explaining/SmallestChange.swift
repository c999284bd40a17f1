import SDBasics
import SDJSON
import SDStubModel

/// Why the nearest stub does not answer a request, and the smallest change with which it would.
package struct SmallestChange {
    /// A clause per failed condition, such as `the header Accept is absent; the stub wants application/json`.
    package let differences: [String]
    /// A sentence without a full stop.
    package let sentence: String
    /// Whether the URL is so different that this stub was not meant.
    package let isFar: Bool

    /// The differing share of a URL beyond which it is another one.
    private static let far = 0.5
    /// The maximum length of a shown value, in characters.
    private static let longest = 200

    /// - Parameters:
    ///   - state: why the stub may not answer even a matching request; nil if it may.
    ///   - isOfMessage: whether it is about a message and the request that opened its channel.
    package init(of evaluation: PatternEvaluation, state: String?, isOfMessage: Bool = false) {
        let failing = evaluation.failing.map { Difference($0, isOfMessage: isOfMessage) }
        differences = failing.map(\.clause) + (state.map { [$0] } ?? [])
        isFar = evaluation.conditions.contains { condition in
            guard case .url(let url) = condition.expected else { return false }
            return !url.hasQueryInPath && condition.distance < 1 && condition.distance > Self.far
                && url.distanceByParts(of: condition.actual.first ?? "") > Self.far
        }
        if isFar {
            sentence =
                isOfMessage
                ? "No message stub is for such a channel: add one for it"
                : "No stub comes near the request: add one for it"
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

    /// The start of a long value.
    package static func cut(_ text: String) -> String {
        text.count > longest ? text.prefix(longest) + "…" : text
    }
}

/// A failed condition as text.
private struct Difference {
    /// The difference, with both values.
    let clause: String
    /// The fix, in the imperative.
    let change: String

    /// - Parameter isOfMessage: whether the body is a message's content, and the request opened its channel.
    init(_ condition: PatternEvaluation.Condition, isOfMessage: Bool) {
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
            let verb = isOfMessage ? "Open the WebSocket at" : "Request"
            change = "\(verb) \(meant ?? "what fits \(wanted)"), or change the stub's \(part)"
        case (.header, _):
            (clause, change) = Self.field(condition, name, wanted, actual) { "\(name): \($0)" }
        case (.basicAuth, _):
            clause = "the credentials \(actual == nil ? "are absent" : "differ"); the stub wants those of \(wanted)"
            change = "Send the credentials of \(wanted), or leave basicAuth out of the stub"
        case (.body, _):
            let body = actual ?? ""
            let noun = isOfMessage ? "message" : "body"
            clause =
                body.isEmpty
                ? "the \(noun) is empty; the stub wants \(wanted)"
                : condition.differences.isEmpty
                    ? "the \(noun) is \(body); the stub wants \(wanted)"
                    : "the \(noun) differs: \(Self.listed(condition.differences))"
            change =
                "Send a \(noun) that passes \(wanted), or relax the stub's \(isOfMessage ? "matcher" : "bodyPatterns")"
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

    /// The maximum number of differences of a body in a sentence.
    private static let maxListed = 5

    private static func listed(_ differences: [String]) -> String {
        var texts = differences.prefix(maxListed).map { text in
            SmallestChange.cut(text.hasSuffix(".") ? String(text.dropLast()) : text)
        }
        let more = differences.count - maxListed
        if more > 0 { texts.append(differences.last == "and more" ? "and more" : "and \(more) more") }
        return texts.joined(separator: "; ")
    }

    /// A path for a template, with the request's segments as values of the variables; nil if they do not correspond.
    private static func filled(_ template: String, from path: String) -> String? {
        let (wanted, parts) = (template.split(separator: "/"), path.split(separator: "/"))
        guard wanted.count == parts.count else { return nil }
        let filled = zip(wanted, parts).map { $0.hasPrefix("{") && $0.hasSuffix("}") ? $1 : $0 }
        // A variable inside a segment, or an expression.
        guard !filled.contains(where: { $0.utf8.contains { "{}()[]*+?|^$\\".utf8.contains($0) } }) else { return nil }
        return "/" + filled.joined(separator: "/") + (template.hasSuffix("/") ? "/" : "")
    }

    /// A header, parameter or other field.
    /// - Parameter written: the field with a value, as in a request.
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
    /// The value that a request would need; nil if several would do, or it is redacted.
    fileprivate var writtenValue: String? {
        guard [.equalTo, .contains].contains(`operator`), let text = operand.stringValue, text != HiddenValue.mark
        else { return nil }
        return text
    }
}
