/// Writes an object member by member directly as text, for documents that are made too often to build values first. The
/// caller must not repeat a key.
public struct JSONMembers {
    private var writer = JSONWriter(isPretty: false)
    private var isEmpty = true

    /// Starts an object.
    /// - Parameter text: the text before it.
    public init(behind text: String = "") {
        writer.bytes.append(contentsOf: text.utf8)
        writer.bytes.append(UInt8(ascii: "{"))
    }

    /// Adds a string member.
    public mutating func add(_ key: String, _ text: String) {
        addKey(key)
        writer.bytes.append(UInt8(ascii: "\""))
        writer.addEscaped(text)
        writer.bytes.append(UInt8(ascii: "\""))
    }

    /// Adds an integer member.
    public mutating func add(_ key: String, _ number: some FixedWidthInteger) {
        addKey(key)
        writer.bytes.append(contentsOf: String(number).utf8)
    }

    /// Adds a boolean member.
    public mutating func add(_ key: String, _ flag: Bool) {
        addKey(key)
        writer.bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// Adds a member with any value.
    public mutating func add(_ key: String, _ value: JSONValue) {
        addKey(key)
        writer.write(value)
    }

    /// Adds a member whose value is already serialized.
    public mutating func add(_ key: String, written value: [UInt8]) {
        addKey(key)
        writer.bytes.append(contentsOf: value)
    }

    /// Ends the object.
    /// - Parameter text: the text after it.
    /// - Returns: the whole text in UTF-8.
    public consuming func end(before text: String = "") -> [UInt8] {
        writer.bytes.append(UInt8(ascii: "}"))
        writer.bytes.append(contentsOf: text.utf8)
        return writer.bytes
    }

    /// - Parameter key: a text that needs no escapes.
    private mutating func addKey(_ key: String) {
        if !isEmpty { writer.bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        writer.bytes.append(UInt8(ascii: "\""))
        writer.bytes.append(contentsOf: key.utf8)
        writer.bytes.append(contentsOf: "\":".utf8)
    }
}
