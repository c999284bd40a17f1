/// Detects operators of other languages, and suggests helpers.
extension TagReader {
    private static let operators = [
        ("===", "eq"), ("!==", "neq"), ("==", "eq"), ("!=", "neq"), (">=", "gte"), ("<=", "lte"), ("&&", "and"),
        ("||", "or"), (">", "gt"), ("<", "lt"), ("=", "eq"), ("!", "not"),
    ]

    /// The advice about an operator at this position; nil if there is none.
    var operatorAdvice: String? {
        guard advises else { return nil }
        // The name of an option ends with the first of two equals signs.
        var start = min(index, bytes.count)
        while start > 0, "=!<>&|".utf8.contains(bytes[start - 1]) { start -= 1 }
        let rest = bytes[start...]
        guard let (sign, helper) = Self.operators.first(where: { rest.starts(with: Array($0.0.utf8)) }) else {
            return nil
        }
        let none = "there are no operators"
        if helper == "not" { return "\(none): `(not A)` stands for `!A`" }
        if let meant = tag(with: helper, at: start, behind: sign) {
            return "\(none) such as `\(sign)`; did you mean `\(meant)`?"
        }
        return "\(none): `(\(helper) A B)` stands for `A \(sign) B`, as in `{{#if (\(helper) A B)}}`"
    }

    /// The tag with a helper in place of an operator; nil if it has several operators, or operands that are not values.
    private func tag(with helper: String, at start: Int, behind sign: String) -> String? {
        var end = start
        while end > 0, Self.isSpace(bytes[end - 1]) { end -= 1 }
        guard end > 0, let begin = beginning(ofOperandTo: end) else { return nil }
        // Its operands are parsed without advice: a second operator would recurse into this one.
        var left = TagReader(bytes: bytes, index: begin, end: end)
        left.advises = false
        guard let leftOperand = try? left.operand(), left.isAtEnd else { return nil }
        var right = self
        right.advises = false
        right.index = start + sign.utf8.count
        right.skipSpace()
        let place = right.index
        guard let rightOperand = try? right.operand() else { return nil }
        let rightText = String(decoding: bytes[place..<right.index], as: UTF8.self)
        right.skipSpace()
        guard right.isAtEnd else { return nil }
        let comparison = Comparison(
            helper, (leftOperand, String(decoding: bytes[begin..<end], as: UTF8.self)), (rightOperand, rightText))
        // The preceding text: nothing, or a condition helper.
        let before = bytes[..<begin].reversed().prefix { $0 != UInt8(ascii: "{") }.reversed()
        let words = String(decoding: before, as: UTF8.self).split { $0 == " " }
        switch words {
        case []: return "{{\(comparison.call)}}"
        case ["#if"], ["#unless"], ["else", "if"], ["else", "unless"]:
            return "{{\(words.joined(separator: " ")) (\(comparison.call))}}"
        default: return nil
        }
    }

    /// The start of the name, number or string that ends before `end`; nil for anything else.
    private func beginning(ofOperandTo end: Int) -> Int? {
        let last = bytes[end - 1]
        if last == UInt8(ascii: "'") || last == UInt8(ascii: "\"") {
            return bytes[..<(end - 1)].lastIndex(of: last)
        }
        let name = bytes[..<end].reversed().prefix { !Self.isSpace($0) && !"{}()='\"".utf8.contains($0) }
        return name.isEmpty ? nil : end - name.count
    }
}
