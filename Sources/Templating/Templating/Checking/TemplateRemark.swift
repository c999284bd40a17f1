import SDBasics
public import SDJSON

/// A part of a template that can be read, and hardly does what it is meant to do.
public struct TemplateRemark: Sendable, Equatable {
    public enum Kind: Sendable {
        /// A name that nothing has.
        case unknownName
        /// `{{` without a `}}` behind it: a text.
        case unendedTag
        /// A locale that there is not, or where none is taken.
        case unknownLocale
        /// A call of a helper that fails whatever the request is.
        case failingCall
        /// An option that a helper does not have, or a value of one that means something else.
        case helperOption
        /// A comparison that never holds or always fails, or a condition that is none.
        case comparison
        /// An expression of another template language: a text.
        case otherSyntax
    }

    public let kind: Kind
    /// A sentence without a full stop.
    public let message: String
    /// What is valid there.
    public var expected: String?
    /// What was probably meant.
    public var suggestion: String?
    /// The names and indices that lead to the text in a JSON document; empty for a template that is none.
    public var path: [String] = []
}

extension Template {
    /// The remarks on a text that is a template. Of one that cannot be read, those on what is none of its expressions.
    public static func remarks(on text: String, in scope: TemplateScope) -> [TemplateRemark] {
        let ofText = otherSyntax(in: text, scope) + (unendedTag(in: text).map { [unendedRemark($0)] } ?? [])
        guard text.contains(text: "{{"), let template = try? Template(text) else { return ofText }
        return template.remarks(in: scope) { TemplateError("", at: $0, in: template.bytes) } + ofText
    }

    /// The remarks on a JSON document whose strings are templates.
    public static func remarks(onJSON document: JSONValue, in scope: TemplateScope) -> [TemplateRemark] {
        let ofTexts = texts(in: document) { text in
            otherSyntax(in: text, scope) + (unendedTag(in: text).map { [unendedRemark($0)] } ?? [])
        }
        guard let template = try? Template(json: document, keepsTypes: false), !template.isPlain else { return ofTexts }
        return template.remarks(in: scope) {
            TemplateError("", at: $0, in: template.bytes).located(in: document, template.bytes)
        } + ofTexts
    }

    /// The remarks on a text that is no template, and hardly meant to be sent as it stands.
    public static func remarks(onPlain text: String, in scope: TemplateScope) -> [TemplateRemark] {
        otherSyntax(in: text, scope)
    }

    /// The remarks on the texts of a JSON document that is no template.
    public static func remarks(onPlainJSON document: JSONValue, in scope: TemplateScope) -> [TemplateRemark] {
        texts(in: document) { otherSyntax(in: $0, scope) }
    }

    private func remarks(in scope: TemplateScope, _ place: (Int) -> TemplateError) -> [TemplateRemark] {
        func remark(
            _ kind: TemplateRemark.Kind, at offset: Int, _ message: String, _ expected: String, _ suggestion: String?
        ) -> TemplateRemark {
            let place = place(offset)
            // Of a text of one line, the message itself shows the place.
            let prefix = place.line > 1 ? "at line \(place.line), column \(place.column): " : ""
            return TemplateRemark(
                kind: kind, message: prefix + message, expected: expected, suggestion: suggestion, path: place.path)
        }
        func more(_ count: Int, _ kind: TemplateRemark.Kind, _ what: String) -> [TemplateRemark] {
            count == 0 ? [] : [TemplateRemark(kind: kind, message: "and \(count) more \(what)")]
        }
        func some(_ found: BoundedFindings, _ kind: TemplateRemark.Kind, _ what: String) -> [TemplateRemark] {
            found.told.map { remark(kind, at: $0.offset, $0.message, $0.expected, $0.suggestion) }
                + more(found.others, kind, what)
        }
        let unknown = UnknownNames.find(in: self, scope, limit: BoundedFindings.most)
        let names = unknown.names.map { name in
            remark(
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
        // Of a call with a wrong option, that is told alone.
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
        in json: JSONValue, at path: [String] = [], _ remarks: (String) -> [TemplateRemark]
    ) -> [TemplateRemark] {
        switch json {
        case .string(let text):
            remarks(text).map { remark in
                var remark = remark
                remark.path = path
                return remark
            }
        case .array(let elements): elements.enumerated().flatMap { texts(in: $1, at: path + [String($0)], remarks) }
        case .object(let object): object.members.flatMap { texts(in: $0.value, at: path + [$0.key], remarks) }
        case .null, .bool, .number: []
        }
    }

    // MARK: - Other syntax

    private static func otherSyntax(in text: String, _ scope: TemplateScope) -> [TemplateRemark] {
        guard OtherSyntax.mayBe(in: text) else { return [] }
        return OtherSyntax.find(in: text, scope).map { found in
            TemplateRemark(
                kind: .otherSyntax, message: "`\(found.text)` is sent as it stands",
                expected: "an expression between {{ and }}",
                suggestion: found.meant)
        }
    }

    // MARK: - Tags without an end

    /// A tag that a text ends within, such as `{{request.path}`; nil for none.
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

    private static func unendedRemark(_ tag: String) -> TemplateRemark {
        let ends = tag.firstIndex(of: "}").map { String(tag[..<$0]) }
        return TemplateRemark(
            kind: .unendedTag, message: "`\(tag)` does not end, and is sent as it stands", expected: "`}}` at its end",
            suggestion: ends.map { "\($0)}}" })
    }
}
