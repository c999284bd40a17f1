import SDBasics

/// A template for the names of saved stubs: the part of WireMock's `--filename-template` that names need.
///
/// A template is text with `{{{name}}}`, `{{{method}}}`, `{{{url}}}` and `{{{id}}}`, and with `{{#if
/// FIELD}}…{{else}}…{{/if}}`. It ends with `.json`, because other files would not be read back.
public struct StubFileTemplate: Sendable, Hashable {
    /// A field of a stub.
    public enum Field: String, Sendable, Hashable, CaseIterable {
        case name, method, url, id
    }

    indirect enum Part: Sendable, Hashable {
        case text(String)
        case field(Field)
        /// The first parts if the field is not empty, otherwise the others.
        case choice(Field, [Part], [Part])
    }

    private let parts: [Part]

    static let ending = ".json"
    /// The length in bytes to which fields other than the id are cut.
    static let longestField = 180
    /// The length in bytes above which a name is cut to `longestField` and gets the id; file systems accept 255.
    private static let longestStem = 240

    /// WireMock's default: `{{#if name}}{{{name}}}{{else}}{{{method}}}-{{{url}}}{{/if}}-{{{id}}}.json`.
    public static let usual = StubFileTemplate(parts: [
        .choice(.name, [.field(.name)], [.field(.method), .text("-"), .field(.url)]), .text("-"), .field(.id),
    ])

    /// Makes a template.
    /// - Parameter parts: the parts without the extension.
    private init(parts: [Part]) {
        self.parts = parts
    }

    /// Parses a template.
    /// - Throws: what was expected.
    public init(_ text: String) throws(StubFileTemplateProblem) {
        guard text.hasSuffix(Self.ending) else {
            throw StubFileTemplateProblem("a template that ends in .json, since other files are not read again")
        }
        var reader = TemplateReader(text.dropLast(Self.ending.count))
        parts = try reader.parts()
        guard parts.contains(where: \.isDistinct) else {
            let names = Field.allCases.map { "{{{\($0.rawValue)}}}" }.joined(separator: ", ")
            throw StubFileTemplateProblem("a template with at least one of \(names)")
        }
    }

    /// The name for a stub. As in WireMock, spaces become dashes, characters other than ASCII letters, digits,
    /// underscores, dashes and dots are removed, and letters become lower case.
    /// - Parameter isTaken: whether a file with this name exists; the id then makes the name unique. Not called for a
    ///   name with the id.
    public func fileName(_ value: (Field) -> String, isTaken: (String) -> Bool = { _ in false }) -> String {
        let id = value(.id)
        var stem: [UInt8] = []
        for part in parts { part.append(to: &stem, value) }
        // WireMock would give a stub called "..x" a hidden name; hidden files are not read back.
        let shown = stem.drop { $0 == 0x2e }
        let isWhole = shown.count <= Self.longestStem
        let name = String(decoding: isWhole ? shown : shown.prefix(Self.longestField), as: UTF8.self)
        let isDistinct = isWhole && !name.isEmpty && (name.contains(text: id) || !isTaken(name + Self.ending))
        if isDistinct { return name + Self.ending }
        return (name.isEmpty ? "" : name + "-") + id + Self.ending
    }
}

extension StubFileTemplate.Part {
    /// Whether the part distinguishes stubs.
    fileprivate var isDistinct: Bool {
        switch self {
        case .text: false
        case .field: true
        case .choice(_, let first, let second): (first + second).contains(where: \.isDistinct)
        }
    }

    fileprivate func append(to stem: inout [UInt8], _ value: (StubFileTemplate.Field) -> String) {
        switch self {
        case .text(let text): stem += Self.cleaned(text)
        case .field(let field): stem += Self.cleaned(value(field)).prefix(StubFileTemplate.longestField)
        case .choice(let field, let first, let second):
            for part in value(field).isEmpty ? second : first { part.append(to: &stem, value) }
        }
    }

    private static func cleaned(_ text: String) -> [UInt8] {
        text.utf8.compactMap { byte in
            switch byte {
            case 0x20: 0x2d
            case 0x41...0x5a: byte + 0x20
            case 0x30...0x39, 0x61...0x7a, 0x5f, 0x2d, 0x2e: byte
            default: nil
            }
        }
    }
}

/// The reason why a text is not a template for names: what was expected.
public struct StubFileTemplateProblem: Error, Sendable, Hashable {
    /// The expected form, beginning with "a template".
    public let expected: String

    init(_ expected: String) {
        self.expected = expected
    }
}

/// Splits a template into its parts.
private struct TemplateReader {
    private var rest: Substring

    init(_ text: Substring) {
        rest = text
    }

    /// How a sequence of parts ended.
    private enum End {
        case text, orElse, ifEnd
    }

    mutating func parts() throws(StubFileTemplateProblem) -> [StubFileTemplate.Part] {
        let (parts, end) = try run(depth: 0)
        switch end {
        case .text: return parts
        case .orElse: throw StubFileTemplateProblem("a template whose {{else}} is within an {{#if}}")
        case .ifEnd: throw StubFileTemplateProblem("a template whose {{/if}} closes an {{#if}}")
        }
    }

    private mutating func run(depth: Int) throws(StubFileTemplateProblem) -> ([StubFileTemplate.Part], End) {
        guard depth < 8 else { throw StubFileTemplateProblem("a template of at most 7 nested {{#if}}") }
        var parts: [StubFileTemplate.Part] = []
        while !rest.isEmpty {
            let text = rest.prefix { $0 != "{" }
            if !text.isEmpty {
                parts.append(.text(String(text)))
                rest = rest[text.endIndex...]
            } else if rest.hasPrefix("{{{") {
                parts.append(.field(try field(try content("{{{", "}}}"))))
            } else if rest.hasPrefix("{{") {
                let words = try content("{{", "}}").split(separator: " ")
                switch (words.first, words.count) {
                case ("else", 1): return (parts, .orElse)
                case ("/if", 1): return (parts, .ifEnd)
                case ("#if", 2): parts.append(try choice(try field(words[1]), depth: depth))
                case (let name?, 1) where name.first != "#" && name.first != "/":
                    parts.append(.field(try field(name)))
                default: throw unserved("{{" + words.joined(separator: " ") + "}}")
                }
            } else {
                parts.append(.text("{"))
                rest = rest.dropFirst()
            }
        }
        return (parts, .text)
    }

    private mutating func choice(
        _ field: StubFileTemplate.Field, depth: Int
    ) throws(StubFileTemplateProblem) -> StubFileTemplate.Part {
        let (first, end) = try run(depth: depth + 1)
        switch end {
        case .ifEnd: return .choice(field, first, [])
        case .orElse:
            let (second, end) = try run(depth: depth + 1)
            if case .ifEnd = end { return .choice(field, first, second) }
        case .text: break
        }
        throw StubFileTemplateProblem("a template in which every {{#if}} has an {{/if}}")
    }

    /// Consumes the text between braces at the start of the rest.
    /// - Throws: if the braces are not closed.
    private mutating func content(_ open: String, _ close: String) throws(StubFileTemplateProblem) -> Substring {
        rest = rest.dropFirst(open.count)
        let content = rest.prefix { $0 != "}" }
        guard rest[content.endIndex...].hasPrefix(close) else {
            throw StubFileTemplateProblem("a template in which every \(open) has a \(close)")
        }
        rest = rest[content.endIndex...].dropFirst(close.count)
        return content
    }

    private func field(_ name: Substring) throws(StubFileTemplateProblem) -> StubFileTemplate.Field {
        let words = name.split(separator: " ")
        guard words.count == 1, let field = StubFileTemplate.Field(rawValue: String(words[0])) else {
            throw unserved("{{{\(name)}}}")
        }
        return field
    }

    private func unserved(_ found: String) -> StubFileTemplateProblem {
        let names = StubFileTemplate.Field.allCases.map(\.rawValue).joined(separator: ", ")
        return StubFileTemplateProblem("a template of the fields \(names) and of {{#if}}, without \(found)")
    }
}
