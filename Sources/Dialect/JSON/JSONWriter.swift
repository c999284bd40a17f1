extension JSONValue {
    /// The document in UTF-8, without white space.
    public var compactBytes: [UInt8] {
        var writer = JSONWriter(isPretty: false)
        writer.write(self)
        return writer.bytes
    }

    /// The document without white space.
    public var compactText: String {
        String(decoding: compactBytes, as: UTF8.self)
    }

    /// WireMock's pretty layout in UTF-8, without a final line break: objects indented by two spaces a level, ` : `
    /// after names, arrays on one line (`[ 1, 2 ]`, `[ {` … `}, {` … `} ]`), `{ }` and `[ ]` when empty.
    public var prettyBytes: [UInt8] {
        var writer = JSONWriter(isPretty: true)
        writer.write(self)
        return writer.bytes
    }

    /// `prettyBytes` as part of a larger document.
    /// - Parameter level: the number of enclosing objects.
    public func prettyBytes(level: Int) -> [UInt8] {
        var writer = JSONWriter(isPretty: true, level: level)
        writer.write(self)
        return writer.bytes
    }

    /// `prettyBytes` as text.
    public var prettyText: String {
        String(decoding: prettyBytes, as: UTF8.self)
    }
}

struct JSONWriter {
    var bytes: [UInt8] = []
    private let isPretty: Bool
    /// Whether strings are written in the open form of `OpenJSON`.
    private let isOpen: Bool
    private var level: Int

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    init(isPretty: Bool, level: Int = 0, isOpen: Bool = false) {
        self.isPretty = isPretty
        self.isOpen = isOpen
        self.level = level
        bytes.reserveCapacity(512)
    }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: add("null")
        case .bool(let value): add(value ? "true" : "false")
        case .number(let number): add(number.text)
        case .string(let text): write(text)
        case .array(let elements): write(elements)
        case .object(let object): write(object)
        }
    }

    private mutating func write(_ elements: [JSONValue]) {
        bytes.append(UInt8(ascii: "["))
        blank()
        for (place, element) in elements.enumerated() {
            if place > 0 {
                bytes.append(UInt8(ascii: ","))
                blank()
            }
            write(element)
        }
        if !elements.isEmpty { blank() }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ object: JSONObject) {
        bytes.append(UInt8(ascii: "{"))
        if object.isEmpty {
            blank()
        } else {
            level += 1
            for (place, member) in object.members.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                newLine()
                write(member.key)
                add(isPretty ? " : " : ":")
                write(member.value)
            }
            level -= 1
            newLine()
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func blank() {
        if isPretty { bytes.append(UInt8(ascii: " ")) }
    }

    private mutating func newLine() {
        guard isPretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<level { add("  ") }
    }

    private mutating func add(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes a string, escaping only what RFC 8259, section 7, requires, as Jackson does.
    private mutating func write(_ text: String) {
        let quote = isOpen ? OpenJSON.quote : UInt8(ascii: "\"")
        bytes.append(quote)
        defer { bytes.append(quote) }
        if isOpen { add(text) } else { addEscaped(text) }
    }

    static func escape(_ byte: UInt8, into bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): bytes += "\\\"".utf8
        case UInt8(ascii: "\\"): bytes += "\\\\".utf8
        case 0x08: bytes += "\\b".utf8
        case 0x09: bytes += "\\t".utf8
        case 0x0A: bytes += "\\n".utf8
        case 0x0C: bytes += "\\f".utf8
        case 0x0D: bytes += "\\r".utf8
        default:
            bytes += "\\u00".utf8
            bytes.append(hexDigits[Int(byte >> 4)])
            bytes.append(hexDigits[Int(byte & 15)])
        }
    }

    static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
