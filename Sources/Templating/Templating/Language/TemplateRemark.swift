import SDBasics
public import SDJSON

/// A part of a template that can be read, and hardly does what it is meant to do.
public struct TemplateRemark: Sendable, Equatable {
    public enum Kind: Sendable {
        /// A name that nothing has.
        case unknownName
        /// `{{` without a `}}` behind it: a text.
        case unendedTag
    }

    public let kind: Kind
    /// A sentence without a full stop.
    public let message: String
    /// What is valid there.
    public let expected: String
    /// What was probably meant.
    public let suggestion: String?
    /// The names and indices that lead to the text in a JSON document; empty for a template that is none.
    public let path: [String]
}

extension Template {
    /// The members of `request` in a template of a response.
    public static let requestMembers = [
        "id", "url", "path", "pathSegments", "query", "method", "headers", "cookies", "body", "bodyAsBase64", "binary",
        "multipart", "parts", "scheme", "host", "port", "baseUrl", "clientIp", "requestLine",
        "clientCertificate",
    ]

    /// The remarks on a text that is a template; none if it cannot be read.
    public static func remarks(on text: String) -> [TemplateRemark] {
        let unended = unendedTag(in: text).map { [unendedRemark($0)] } ?? []
        guard let template = try? Template(text) else { return unended }
        return names(in: template).map { $0.remark(at: []) } + unended
    }

    /// The remarks on a JSON document whose strings are templates; none if one cannot be read.
    public static func remarks(onJSON document: JSONValue) -> [TemplateRemark] {
        let unended = unendedTags(in: document)
        guard let template = try? Template(json: document, keepsTypes: false) else { return unended }
        return names(in: template).map { found in
            let place = TemplateError("", at: found.offset, in: template.bytes).located(in: document, template.bytes)
            return found.remark(at: place.path)
        } + unended
    }

    private static func names(in template: Template) -> [UnknownName] {
        var search = UnknownNames()
        search.look(at: template.nodes, isOutermost: true)
        return search.found.filter { !search.given.contains($0.root) }
    }

    // MARK: - Tags without an end

    /// A tag that a text ends within, such as `{{request.path}`; nil for none.
    static func unendedTag(in text: String) -> String? {
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

    private static func unendedRemark(_ tag: String, at path: [String] = []) -> TemplateRemark {
        let ends = tag.firstIndex(of: "}").map { String(tag[..<$0]) }
        return TemplateRemark(
            kind: .unendedTag, message: "`\(tag)` does not end, and is sent as it stands", expected: "`}}` at its end",
            suggestion: ends.map { "\($0)}}" }, path: path)
    }

    private static func unendedTags(in json: JSONValue, at path: [String] = []) -> [TemplateRemark] {
        switch json {
        case .string(let text): unendedTag(in: text).map { [unendedRemark($0, at: path)] } ?? []
        case .array(let elements):
            elements.enumerated().flatMap { unendedTags(in: $1, at: path + [String($0)]) }
        case .object(let object): object.members.flatMap { unendedTags(in: $0.value, at: path + [$0.key]) }
        case .null, .bool, .number: []
        }
    }
}

/// A name that nothing has, in an expression.
private struct UnknownName {
    /// The first word of the path, which a template may give another value.
    let root: String
    let path: TemplatePath
    /// The place of the expression in the template, in bytes.
    let offset: Int
    /// The word that nothing has, and the names that are there.
    let word: String
    let valid: [String]

    func remark(at place: [String]) -> TemplateRemark {
        let nearest = nearestName(to: word, among: valid)
        let whose = word == root ? "there is no `\(word)`" : "`\(root)` has no `\(word)`"
        let suggestion = nearest.map { path.text.replacingFirst(word, with: $0) }
        return TemplateRemark(
            kind: .unknownName, message: "\(whose), so `\(path.text)` is nothing",
            expected: valid.joined(separator: ", "), suggestion: suggestion, path: place)
    }
}

/// Looks for names that nothing has.
private struct UnknownNames {
    private(set) var found: [UnknownName] = []
    /// The names that helpers and blocks may give to values.
    private(set) var given: Set<String> = []
    private var isOutermost = true

    private static let roots = ["request", "parameters"]

    mutating func look(at nodes: [TemplateNode], isOutermost: Bool) {
        let outer = self.isOutermost
        self.isOutermost = isOutermost
        defer { self.isOutermost = outer }
        for node in nodes {
            switch node {
            case .text: break
            case .output(let expression), .json(let expression): look(at: expression)
            case .block(let block):
                look(at: block.expression)
                given.formUnion(block.blockParameters)
                let isCondition = ["if", "unless"].contains(block.expression.helper?.name)
                look(at: block.body, isOutermost: isOutermost && isCondition)
                look(at: block.inverse, isOutermost: isOutermost)
            case .partial(let partial):
                if let context = partial.context { look(at: context, partial.offset) }
                for (name, value) in partial.hash {
                    given.insert(name)
                    look(at: value, partial.offset)
                }
                look(at: partial.fallback ?? [], isOutermost: false)
            case .inline(_, let body): look(at: body, isOutermost: false)
            }
        }
    }

    private mutating func look(at expression: TemplateExpression) {
        if expression.helper == nil { look(at: expression.subject, expression.offset) }
        for parameter in expression.parameters {
            if case .literal(.text(let text)) = parameter { given.insert(text) }
            look(at: parameter, expression.offset)
        }
        for (_, value) in expression.hash {
            if case .literal(.text(let text)) = value { given.insert(text) }
            look(at: value, expression.offset)
        }
    }

    private mutating func look(at operand: TemplateOperand, _ offset: Int) {
        switch operand {
        case .literal: break
        case .call(let expression): look(at: expression)
        case .path(let path):
            var segments = path.segments[...]
            switch path.start {
            case .name: break
            case .data where segments.first == "root": segments = segments.dropFirst()
            case .this, .parent, .data: return
            }
            guard segments.count > 1, let root = segments.first, let member = segments.dropFirst().first else { return }
            if root == "request" {
                // Java's own names: `getMethod`, `toString`.
                guard !Template.requestMembers.contains(member), !member.hasPrefix("get"), member != "toString" else {
                    return
                }
                found.append(
                    UnknownName(root: root, path: path, offset: offset, word: member, valid: Template.requestMembers))
            } else if isOutermost, nearestName(to: root, among: Self.roots) != nil, !Self.roots.contains(root) {
                found.append(UnknownName(root: root, path: path, offset: offset, word: root, valid: Self.roots))
            }
        }
    }
}

extension String {
    fileprivate func replacingFirst(_ part: String, with other: String) -> String {
        guard let range = firstRange(ofText: part) else { return self }
        return String(self[..<range.lowerBound]) + other + self[range.upperBound...]
    }
}
