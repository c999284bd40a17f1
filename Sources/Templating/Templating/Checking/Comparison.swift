import SDJSON

/// Two operands of a comparison, with suggestions where their types never match: `request.query.a` is a list of values,
/// which equals no text, and `request.query.a.first` is a text.
struct Comparison {
    /// An operand and its source text.
    typealias Side = (operand: TemplateOperand, text: String)

    private let helper: String
    private let sides: [Side]
    private let kinds: [Kind?]

    init(_ helper: String, _ left: Side, _ right: Side) {
        self.helper = helper
        sides = [left, right]
        kinds = sides.map { Kind(of: $0.operand) }
    }

    /// The helpers that order values, and fail for values without an order.
    private static let orders: Set = ["gt", "gte", "lt", "lte"]
    static let helpers = orders.union(["eq", "neq"])

    private var isOrder: Bool { Self.orders.contains(helper) }

    /// The suggested call, without parentheses.
    var call: String { ([helper] + meant).joined(separator: " ") }

    /// Why the operands can never match; nil if they can.
    var mistake: String? {
        guard meant != sides.map(\.text) else { return nil }
        guard let place = sides.indices.first(where: { if case .path = sides[$0].operand { true } else { false } }),
            let kind = kinds[place], let other = kinds[1 - place]
        else { return nil }
        let name = "`\(sides[place].text)` is \(kind.rawValue)"
        return isOrder
            ? "\(name), which `\(helper)` cannot compare with \(other.rawValue), so every request gets a 500"
            : "\(name) and never equals \(other.rawValue), so `\(helper)` is always \(helper == "neq")"
    }

    /// The suggested operands.
    private var meant: [String] {
        guard let left = kinds[0], let right = kinds[1] else { return sides.map(\.text) }
        return [meant(sides[0], left, beside: right), meant(sides[1], right, beside: left)]
    }

    private func meant(_ side: Side, _ kind: Kind, beside other: Kind) -> String {
        switch side.operand {
        case .path where kind.isText && other == .number && isOrder,
            .path where kind == .values && other == .number && isOrder:
            return "(math \(side.text) '+' 0)"
        case .path:
            return other == kind || other.holdsText ? side.text : kind.text(of: side.text) ?? side.text
        case .literal(.text(let text)) where other == .number:
            return JSONNumber(text: text) == nil ? side.text : text
        case .literal(.text(let text)) where other == .flag:
            return text == "true" || text == "false" ? text : side.text
        case .literal where (kind == .number && !isOrder || kind == .flag) && (other.isText || other.holdsText):
            return "'\(side.text)'"
        case .literal, .call: return side.text
        }
    }

    // MARK: - Types

    /// The type of a value in a comparison, with its article.
    private enum Kind: String {
        case values = "a list of values"
        case segments = "a list of segments"
        case word = "an object"
        case part = "an object with a body"
        case certificate = "an object with a subject"
        case text = "a text"
        case number = "a number"
        case flag = "true or false"

        /// Nil if it is unknown.
        init?(of operand: TemplateOperand) {
            switch operand {
            case .literal(.text): self = .text
            case .literal(.bool): self = .flag
            case .literal(let value) where value.number != nil: self = .number
            case .path(let path):
                guard let kind = Kind(of: path) else { return nil }
                self = kind
            case .literal, .call: return nil
            }
        }

        private init?(of path: TemplatePath) {
            var segments = path.segments[...]
            switch path.start {
            case .name: break
            case .data where segments.first == "root": segments = segments.dropFirst()
            case .data, .this, .parent: return nil
            }
            guard let root = segments.popFirst() else { return nil }
            let isOfRequest = root == "request" || root == "originalRequest"
            guard isOfRequest || root == "response" || root == "originalResponse" else { return nil }
            if isOfRequest, segments.first == "requestLine" { segments = segments.dropFirst() }
            guard let member = segments.popFirst() else { return nil }
            switch (member, segments.count) {
            case ("headers", 1), ("query", 1), ("cookies", 1):
                // It may be the size of a map.
                if segments.first == "size" { return nil }
                self = .values
            case ("headers", 2), ("query", 2), ("cookies", 2):
                guard let place = segments.last, place == "first" || place == "last" || Int(place) != nil else {
                    return nil
                }
                self = .text
            case ("body", 0): self = .text
            case ("status", 0) where !isOfRequest: self = .number
            case _ where !isOfRequest: return nil
            case ("path", 0), ("pathSegments", 0): self = .segments
            case ("path", 1), ("pathSegments", 1):
                if segments.first == "size" || segments.first == "length" { return nil }
                self = .text
            case ("method", 0): self = .word
            case ("method", 1): self = .text
            case ("parts", 1): self = .part
            case ("clientCertificate", 0): self = .certificate
            case ("url", 0), ("host", 0), ("scheme", 0), ("baseUrl", 0), ("clientIp", 0), ("id", 0): self = .text
            case ("port", 0): self = .number
            case ("binary", 0), ("multipart", 0): self = .flag
            default: return nil
            }
        }

        var isText: Bool { self == .text }

        /// Whether it prints as a text, but is not one.
        var holdsText: Bool {
            switch self {
            case .values, .segments, .word, .part, .certificate: true
            case .text, .number, .flag: false
            }
        }

        /// The path of the text inside a value; nil if the value does not contain one.
        func text(of path: String) -> String? {
            switch self {
            case .values: path + ".first"
            case .segments: "(trim \(path))"
            case .word: path + ".value"
            case .part: path + ".body"
            case .certificate: path + ".subject"
            case .text, .number, .flag: nil
            }
        }
    }
}

// MARK: - In templates

/// Finds comparisons of values that never match, and conditions that are not conditions.
struct Comparisons {
    private var found = BoundedFindings()

    static func find(in template: Template) -> BoundedFindings {
        var search = Comparisons()
        template.nodes.forEachCall { search.look(at: $0) }
        return search.found
    }

    private mutating func look(at call: TemplateExpression) {
        guard let helper = call.helper?.name else { return }
        if Comparison.helpers.contains(helper), call.parameters.count == 2 {
            let (left, right) = (call.parameters[0], call.parameters[1])
            let comparison = Comparison(helper, (left, left.written), (right, right.written))
            guard let mistake = comparison.mistake else { return }
            found.add(call.offset, mistake, expected: "two values of one kind", suggestion: comparison.call)
        }
        guard helper == "if" || helper == "unless" else { return }
        if let (sign, comparison) = Self.ordered(call) {
            found.add(
                call.offset, "there are no operators: `\(sign)` is a name here",
                expected: "one value behind `\(helper)`", suggestion: "\(helper) (\(comparison.call))")
        }
        // `A = B` is parsed as an option.
        if call.parameters.isEmpty, call.hash.count == 1 {
            let (name, value) = call.hash[0]
            let bytes = Array(name.utf8)
            var reader = TagReader(bytes: bytes, index: 0, end: bytes.count)
            guard let left = try? reader.operand() else { return }
            let meant = Comparison("eq", (left, name), (value, value.written)).call
            found.add(
                call.offset, "`\(name)=\(value.written)` is an option, and no condition",
                expected: "a value behind `\(helper)`", suggestion: "\(helper) (\(meant))")
        }
    }

    /// A comparison by `>` or `<`, which are parsed as names, or as option names if followed by an equals sign.
    private static func ordered(_ call: TemplateExpression) -> (sign: String, Comparison)? {
        let signs = [">": "gt", "<": "lt"]
        var values = call.parameters
        let sign: String
        if values.count == 3, case .path(let path) = values[1], signs[path.text] != nil, call.hash.isEmpty {
            sign = path.text
            values.remove(at: 1)
        } else if values.count == 1, call.hash.count == 1, signs[call.hash[0].name] != nil {
            sign = call.hash[0].name + "="
            values.append(call.hash[0].value)
        } else {
            return nil
        }
        guard let helper = signs[String(sign.prefix(1))] else { return nil }
        let sides = values.map { ($0, $0.written) }
        return (sign, Comparison(helper + (sign.hasSuffix("=") ? "e" : ""), sides[0], sides[1]))
    }
}
