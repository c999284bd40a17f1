import SDBasics

/// Finds expressions in the syntax of other template languages, such as `${request.path}`, which are sent literally.
struct OtherSyntax {
    private static let marks: [(open: [UInt8], close: UInt8)] = [
        (Array("${".utf8), UInt8(ascii: "}")), (Array("#{".utf8), UInt8(ascii: "}")),
        (Array("<%=".utf8), UInt8(ascii: "%")), (Array("{%".utf8), UInt8(ascii: "%")),
        (Array("[[".utf8), UInt8(ascii: "]")),
    ]

    /// The maximum length of an expression in bytes.
    private static let longest = 200

    /// The source text of an expression, and its meaning.
    typealias Found = (text: String, offset: Int, meant: String)

    /// The distinct expressions in a text that name a part of the request, up to the number that is reported.
    static func find(in text: String, _ scope: TemplateScope) -> [Found] {
        let bytes = Array(text.utf8)
        var found: [Found] = []
        var index = 0
        while index < bytes.count, found.count < BoundedFindings.most {
            defer { index += 1 }
            // Every expression begins with one of these.
            guard "$#<{[:".utf8.contains(bytes[index]), let expression = expression(at: index, of: bytes, scope) else {
                continue
            }
            if !found.contains(where: { $0.text == expression.text }) { found.append(expression) }
        }
        return found
    }

    /// A fast check whether a text may contain such an expression.
    static func mayBe(in text: String) -> Bool {
        text.utf8.contains { "$#%{[:".utf8.contains($0) }
    }

    private static func expression(at start: Int, of bytes: [UInt8], _ scope: TemplateScope) -> Found? {
        for (open, close) in marks where bytes[start...].starts(with: open) {
            let inner = bytes[(start + open.count)...].prefix(longest).prefix { $0 != close && $0 >= 0x20 }
            let end = inner.endIndex
            guard end < bytes.count, bytes[end] == close, inner.first != UInt8(ascii: "{"),
                let meant = meaning(of: String(decoding: inner, as: UTF8.self).trimmingSpaces, scope)
            else { return nil }
            let last = close == UInt8(ascii: "}") ? end : min(end + 1, bytes.count - 1)
            return (String(decoding: bytes[start...last], as: UTF8.self), start, "{{\(meant)}}")
        }
        return bytes[start] == UInt8(ascii: "{")
            ? variable(at: start, of: bytes, scope) : word(at: start, of: bytes, scope)
    }

    /// `:id` or `$id` for a path variable, as a separate word that is not a JSON key.
    private static func word(at start: Int, of bytes: [UInt8], _ scope: TemplateScope) -> Found? {
        guard let variables = scope.variables, !variables.isEmpty, ":$".utf8.contains(bytes[start]),
            start == 0 || " /\"'=>,(\n".utf8.contains(bytes[start - 1])
        else { return nil }
        let inner = bytes[(start + 1)...].prefix { TagReader.isNamePart($0) && !":$+*%<>?".utf8.contains($0) }
        let behind = bytes[inner.endIndex...]
        if let next = behind.first, !" /\"'<,;)?&\r\n".utf8.contains(next) { return nil }
        let name = String(decoding: inner, as: UTF8.self)
        guard variables.contains(name), !behind.starts(with: "\":".utf8) else { return nil }
        let text = String(decoding: bytes[start..<inner.endIndex], as: UTF8.self)
        return (text, start, "{{\(SuggestedPath.text([scope.request, "path", name]))}}")
    }

    /// `{id}` for a path variable.
    private static func variable(at start: Int, of bytes: [UInt8], _ scope: TemplateScope) -> Found? {
        guard bytes[start] == UInt8(ascii: "{"), let variables = scope.variables, !variables.isEmpty,
            start == 0 || !"{$#".utf8.contains(bytes[start - 1])
        else { return nil }
        let inner = bytes[(start + 1)...].prefix { TagReader.isNamePart($0) }
        let end = inner.endIndex
        guard end < bytes.count, bytes[end] == UInt8(ascii: "}"), end + 1 == bytes.count || bytes[end + 1] != 0x7D
        else {
            return nil
        }
        let name = String(decoding: inner, as: UTF8.self)
        guard variables.contains(name) else { return nil }
        return ("{\(name)}", start, "{{\(SuggestedPath.text([scope.request, "path", name]))}}")
    }

    /// Our expression for it; nil if it does not lead to a part of the request.
    private static func meaning(of text: String, _ scope: TemplateScope) -> String? {
        let bytes = Array(text.utf8)
        var reader = TagReader(bytes: bytes, index: 0, end: bytes.count)
        guard let path = try? reader.path(), reader.isAtEnd, path.start == .name, let root = path.segments.first else {
            return nil
        }
        if root == scope.request || root == "path" && scope.variables?.isEmpty == false {
            if path.segments.count > 1, root == scope.request, !Template.requestMembers.contains(path.segments[1]) {
                return SuggestedPath(scope: scope).root(path.segments)
            }
            return path.segments.count > 1 || root != scope.request ? text : nil
        }
        // In a script, `${name}` belongs to the script.
        guard path.segments.count > 1 || scope.variables?.contains(root) == true else { return nil }
        let known: Set = [
            "req", "request", "params", "pathParams", "query", "queryParams", "headers", "cookies", "body",
        ]
        guard known.contains(root) || path.segments.count == 1 else { return nil }
        return SuggestedPath(scope: scope).root(path.segments)
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var text = self[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
