import SDBasics
public import SDJSON

/// A part of a template that is valid, but probably does not do what is meant.
public struct TemplateWarning: Sendable, Equatable {
    public enum Kind: Sendable {
        /// An unknown name.
        case unknownName
        /// `{{` without `}}`: plain text.
        case unendedTag
        /// An unknown locale, or a locale where none is accepted.
        case unknownLocale
        /// A helper call that fails for every request.
        case failingCall
        /// An option that a helper does not have, or an option value that means something else.
        case helperOption
        /// A comparison that never holds or always fails, or a condition that is not one.
        case comparison
        /// An expression of another template language: plain text.
        case otherSyntax
    }

    public let kind: Kind
    /// The message: a sentence without a full stop.
    public let message: String
    /// What is valid there.
    public var expected: String?
    /// The suggestion.
    public var suggestion: String?
    /// The path to the string in a JSON document; empty for a text template.
    public var path: [String] = []
}

extension Template {
    /// The warnings about a template. For an invalid template, only those about text outside of its expressions.
    public static func warnings(on text: String, in scope: TemplateScope) -> [TemplateWarning] {
        let ofText = otherSyntax(in: text, scope) + (unendedTag(in: text).map { [unendedWarning($0)] } ?? [])
        guard text.contains(text: "{{"), let template = try? Template(text) else { return ofText }
        return template.warnings(in: scope) { TemplateError("", at: $0, in: template.bytes) } + ofText
    }

    /// The warnings about a JSON document whose strings are templates.
    public static func warnings(onJSON document: JSONValue, in scope: TemplateScope) -> [TemplateWarning] {
        let ofTexts = texts(in: document) { text in
            otherSyntax(in: text, scope) + (unendedTag(in: text).map { [unendedWarning($0)] } ?? [])
        }
        guard let template = try? Template(json: document, keepsTypes: false), !template.isPlain else { return ofTexts }
        return template.warnings(in: scope) {
            TemplateError("", at: $0, in: template.bytes).located(in: document, template.bytes)
        } + ofTexts
    }

    /// The warnings about a text that is not a template, but seems to be meant as one.
    public static func warnings(onPlain text: String, in scope: TemplateScope) -> [TemplateWarning] {
        otherSyntax(in: text, scope)
    }

    /// The warnings about the strings of a JSON document that is not a template.
    public static func warnings(onPlainJSON document: JSONValue, in scope: TemplateScope) -> [TemplateWarning] {
        texts(in: document) { otherSyntax(in: $0, scope) }
    }

    private func warnings(in scope: TemplateScope, _ place: (Int) -> TemplateError) -> [TemplateWarning] {
        func warning(
            _ kind: TemplateWarning.Kind, at offset: Int, _ message: String, _ expected: String, _ suggestion: String?
        ) -> TemplateWarning {
            let place = place(offset)
            // In a single-line text, the message itself shows the position.
            let prefix = place.line > 1 ? "at line \(place.line), column \(place.column): " : ""
            return TemplateWarning(
                kind: kind, message: prefix + message, expected: expected, suggestion: suggestion, path: place.path)
        }
        func more(_ count: Int, _ kind: TemplateWarning.Kind, _ what: String) -> [TemplateWarning] {
            count == 0 ? [] : [TemplateWarning(kind: kind, message: "and \(count) more \(what)")]
        }
        func some(_ found: BoundedFindings, _ kind: TemplateWarning.Kind, _ what: String) -> [TemplateWarning] {
            found.told.map { warning(kind, at: $0.offset, $0.message, $0.expected, $0.suggestion) }
                + more(found.others, kind, what)
        }
        let unknown = UnknownNames.find(in: self, scope, limit: BoundedFindings.most)
        let names = unknown.names.map { name in
            warning(
                .unknownName, at: name.offset, "\(name.reason), so `\(name.path)` is nothing", name.expected,
                name.suggestion)
        }
        var locales = BoundedFindings()
        let findings = localeFindings
        let ofLocales = Set(findings.map(\.offset))
        for found in findings {
            locales.add(found.offset, found.message, expected: found.expected, suggestion: found.suggestion)
        }
        var calls = BoundedFindings()
        // For a call with a wrong option, only that is reported.
        let options = HelperOptions.find(in: self)
        let ofOthers = ofLocales.union(options.told.map(\.offset))
        for found in ConstantCalls.failures(in: self) where !ofOthers.contains(found.offset) {
            calls.add(found.offset, found.message, expected: found.expected, suggestion: found.suggestion)
        }
        return names + more(unknown.others, .unknownName, "names that nothing has")
            + some(locales, .unknownLocale, "calls with such a locale")
            + some(calls, .failingCall, "calls that always fail")
            + some(options, .helperOption, "options without the effect that is meant")
            + some(Comparisons.find(in: self), .comparison, "comparisons that never match")
    }

    private static func texts(
        in json: JSONValue, at path: [String] = [], _ warnings: (String) -> [TemplateWarning]
    ) -> [TemplateWarning] {
        switch json {
        case .string(let text):
            warnings(text).map { warning in
                var warning = warning
                warning.path = path
                return warning
            }
        case .array(let elements): elements.enumerated().flatMap { texts(in: $1, at: path + [String($0)], warnings) }
        case .object(let object): object.members.flatMap { texts(in: $0.value, at: path + [$0.key], warnings) }
        case .null, .bool, .number: []
        }
    }

    // MARK: - Other syntax

    private static func otherSyntax(in text: String, _ scope: TemplateScope) -> [TemplateWarning] {
        guard OtherSyntax.mayBe(in: text) else { return [] }
        return OtherSyntax.find(in: text, scope).map { found in
            TemplateWarning(
                kind: .otherSyntax, message: "`\(found.text)` is sent as it stands",
                expected: "an expression between {{ and }}",
                suggestion: found.meant)
        }
    }

    // MARK: - Unclosed tags

    /// An unclosed tag in a text, such as `{{request.path}`; nil for none.
    static func unendedTag(in text: String) -> String? {
        guard text.contains(text: "{{") else { return nil }
        let bytes = Array(text.utf8)
        let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
        let end = bytes.indices.dropFirst().last { bytes[$0] == close && bytes[$0 - 1] == close }.map { $0 + 1 } ?? 0
        guard let start = bytes[end...].indices.dropLast().first(where: { bytes[$0] == open && bytes[$0 + 1] == open })
        else { return nil }
        let tag = bytes[start...].prefix { $0 >= 0x20 }.prefix(60)
        let marks = Set("{#^&~ ".utf8)
        guard let first = tag.first(where: { !marks.contains($0) }), (0x61...0x7A).contains(first | 0x20) else {
            return nil
        }
        return String(decoding: tag, as: UTF8.self)
    }

    private static func unendedWarning(_ tag: String) -> TemplateWarning {
        let ends = tag.firstIndex(of: "}").map { String(tag[..<$0]) }
        return TemplateWarning(
            kind: .unendedTag, message: "`\(tag)` does not end, and is sent as it stands", expected: "`}}` at its end",
            suggestion: ends.map { "\($0)}}" })
    }
}
