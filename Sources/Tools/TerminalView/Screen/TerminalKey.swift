/// A key pressed in a terminal.
public enum TerminalKey: Sendable, Hashable {
    case character(Character)
    case control(Character)
    case enter, escape, tab, backTab, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
}

/// Parses keys from a terminal's input.
public struct TerminalKeyReader: Sendable {
    private var pending: [UInt8] = []

    public init() {}

    /// Whether bytes are incomplete: a lone escape may be the key or the start of a sequence.
    public var waits: Bool { !pending.isEmpty }

    /// Reads bytes.
    public mutating func read(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
        pending += bytes
        return take(isEnd: false)
    }

    /// Returns the incomplete bytes as keys, when no more have come.
    public mutating func flush() -> [TerminalKey] { take(isEnd: true) }

    private mutating func take(isEnd: Bool) -> [TerminalKey] {
        var keys: [TerminalKey] = []
        while let first = pending.first {
            guard let (key, count) = next(first, isEnd: isEnd) else { break }
            pending.removeFirst(count)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// The key at the start, nil if unknown, and its length; nil if more bytes are needed.
    private func next(_ first: UInt8, isEnd: Bool) -> (TerminalKey?, Int)? {
        switch first {
        case 0x1b: return sequence(isEnd: isEnd)
        case 0x0d, 0x0a: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x7f, 0x08: return (.backspace, 1)
        case 0..<0x20: return (.control(Character(Unicode.Scalar(first + 0x60))), 1)
        case 0..<0x80: return (.character(Character(Unicode.Scalar(first))), 1)
        default:
            let length = first >= 0xf8 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
            guard pending.count >= length else { return isEnd ? (nil, pending.count) : nil }
            let text = String(decoding: pending.prefix(length), as: UTF8.self)
            return (text.count == 1 ? .character(text.first ?? "?") : nil, length)
        }
    }

    private func sequence(isEnd: Bool) -> (TerminalKey?, Int)? {
        guard pending.count > 1 else { return isEnd ? (.escape, 1) : nil }
        guard pending[1] == 0x5b || pending[1] == 0x4f else { return (.escape, 1) }
        var index = 2
        while index < pending.count, pending[index] >= 0x20, pending[index] < 0x40 { index += 1 }
        guard index < pending.count else { return isEnd ? (.escape, pending.count) : nil }
        let parameter = String(decoding: pending[2..<index].prefix { $0 != 0x3b }, as: UTF8.self)
        return (Self.key(pending[index], parameter), index + 1)
    }

    private static func key(_ final: UInt8, _ parameter: String) -> TerminalKey? {
        switch Character(Unicode.Scalar(final)) {
        case "A": return .up
        case "B": return .down
        case "C": return .right
        case "D": return .left
        case "H": return .home
        case "F": return .end
        case "Z": return .backTab
        case "M": return .enter
        case "~":
            return ["1": .home, "7": .home, "4": .end, "8": .end, "5": .pageUp, "6": .pageDown, "3": .delete][parameter]
        default: return nil
        }
    }
}
