/// A duplicate key in an object of a JSON text. RFC 8259 allows it; the last value wins.
public struct RepeatedKey: Sendable, Hashable {
    /// The path to the member in the text; replaced values are counted.
    public var pointer: JSONPointer
    /// The position of the first occurrence.
    public var first: TextPosition
    /// The position of this occurrence.
    public var position: TextPosition
}

extension JSONValue {
    /// Parses a JSON text like `init(parsing:dialect:)`. Also returns the lines on which the outer values start, and
    /// the duplicate keys in text order; both are free unless there are any.
    /// - Throws: the first error and its position.
    public init(
        parsing bytes: [UInt8], dialect: Dialect = .rfc8259, outline: inout DocumentOutline,
        repeatedKeys: inout [RepeatedKey]
    ) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes: bytes, dialect: dialect)
        parser.outerOffsets = []
        do throws(JSONParser.Failure) {
            self = try parser.document()
        } catch {
            throw parser.syntaxError(error)
        }
        outline = DocumentOutline(offsets: parser.outerOffsets ?? [], in: bytes)
        if parser.hasRepeatedKeys { repeatedKeys = Self.repeatedKeys(in: bytes, dialect) }
    }

    private static func repeatedKeys(in bytes: [UInt8], _ dialect: Dialect) -> [RepeatedKey] {
        var parser = JSONParser(bytes: bytes, dialect: dialect)
        parser.repeats = []
        _ = try? parser.document()
        let lines = LineIndex(bytes)
        return (parser.repeats ?? []).map {
            RepeatedKey(
                pointer: JSONPointer($0.path), first: lines.position(of: $0.firstOffset),
                position: lines.position(of: $0.offset))
        }
    }
}
