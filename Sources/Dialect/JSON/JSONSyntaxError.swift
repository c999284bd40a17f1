/// A position in a text.
public struct TextPosition: Sendable, Hashable {
    /// The line from 1. Lines end with `\n`, `\r\n` or a lone `\r`.
    public var line: Int
    /// The column from 1, in Unicode scalars, not bytes.
    public var column: Int
    /// The offset from 0, in bytes.
    public var offset: Int

    /// Makes a position.
    public init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// Finds the position of the byte at `offset` by scanning the text; only suitable for errors.
    public init(offset: Int, in bytes: some Collection<UInt8>) {
        var line = 1
        var column = 1
        var previous: UInt8 = 0
        for byte in bytes.prefix(Swift.max(0, offset)) {
            switch byte {
            case UInt8(ascii: "\n") where previous == UInt8(ascii: "\r"): break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                line += 1
                column = 1
            case 0x80...0xBF: break
            default: column += 1
            }
            previous = byte
        }
        self.init(line: line, column: column, offset: offset)
    }
}

extension TextPosition {
    /// The position as text: `line 2, column 3`.
    public var words: String { "line \(line), column \(column)" }
}

/// Why a text is not JSON, and where.
public struct JSONSyntaxError: Error, Sendable, Hashable {
    /// The position of the error.
    public var position: TextPosition
    /// What is valid there: `a value`, `"," or "}"`.
    public var expected: String
    /// What was found instead: `"x"`, `the end of the text`.
    public var found: String
    /// The character that was found, if any.
    public var foundCharacter: Unicode.Scalar?

    /// Makes an error.
    public init(
        position: TextPosition, expected: String, found: String, foundCharacter: Unicode.Scalar? = nil
    ) {
        self.position = position
        self.expected = expected
        self.found = found
        self.foundCharacter = foundCharacter
    }

    /// The line, from 1.
    public var line: Int { position.line }
    /// The column, from 1, in characters.
    public var column: Int { position.column }
    /// The offset in bytes, from 0.
    public var offset: Int { position.offset }
}

extension JSONSyntaxError: CustomStringConvertible {
    public var description: String {
        "\(position.words): expected \(expected), found \(found)"
    }
}
