extension JSONValue {
    /// Whether a text consists only of white space and comments.
    public static func isBlank(_ bytes: [UInt8], dialect: Dialect = .rfc8259) -> Bool {
        var parser = JSONParser(bytes: bytes, dialect: dialect)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.index = 3 }
        return (try? parser.skipBlanks()) != nil && parser.current == nil
    }
}
