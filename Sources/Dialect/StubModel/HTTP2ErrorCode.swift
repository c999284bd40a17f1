import SDBasics
public import SDJSON

/// The error code of RST_STREAM and GOAWAY (RFC 9113 section 7). Codes without a name are valid, too.
public struct HTTP2ErrorCode: Sendable, Hashable {
    /// The code as it is sent.
    public var rawValue: UInt32

    /// Makes a code from a number.
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The names of the codes, from 0.
    public static let names = DialectNames.http2Errors

    /// The code's name; nil if it has none.
    public var name: String? { rawValue < UInt32(Self.names.count) ? Self.names[Int(rawValue)] : nil }

    /// Reads a code: its name, or a number.
    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> HTTP2ErrorCode? {
        if let number = value.intValue.flatMap({ UInt32(exactly: $0) }) { return HTTP2ErrorCode(number) }
        if let index = value.stringValue.flatMap({ names.firstIndex(of: $0) }) { return HTTP2ErrorCode(UInt32(index)) }
        reader.report(
            detail: nil, message: "no error code of HTTP/2",
            expected: "one of \(names.joined(separator: ", ")), or a number from 0 to 4294967295",
            found: value.shortDescription,
            suggestion: value.stringValue.flatMap { meantName(by: $0, among: names) })
        return nil
    }

    /// The code in JSON: its name if it has one.
    public var json: JSONValue { name.map { .string($0) } ?? .number(JSONNumber(Int(rawValue))) }
}
