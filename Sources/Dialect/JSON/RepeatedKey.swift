/// A key that stands a second time in one object of a JSON text: RFC 8259 allows it, and the last value counts.
public struct RepeatedKey: Sendable, Hashable {
    /// The member, by the keys and indices of what the text says, values that were replaced later included.
    public var pointer: JSONPointer
    /// Where the key stands for the first time.
    public var first: TextPosition
    /// Where it stands again.
    public var position: TextPosition
}

extension JSONValue {
    /// As `init(parsing:dialect:)`, and tells on which lines the outermost values begin, and which keys stand more than once
    /// in their object, in the order of the text. The keys cost nothing unless there are any.
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
