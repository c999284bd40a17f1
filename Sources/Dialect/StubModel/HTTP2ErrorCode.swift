import SDBasics
public import SDJSON

/// The reason that RST_STREAM and GOAWAY give (RFC 9113 section 7). Other codes than those with names may be sent.
public struct HTTP2ErrorCode: Sendable, Hashable {
    /// The code as it is sent.
    public var rawValue: UInt32

    /// Makes a code of a number.
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The names of the codes from 0 on.
    public static let names = DialectNames.http2Errors

    /// Its name; nil for a code without one.
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

    /// The code as it is written: by its name if it has one.
    public var json: JSONValue { name.map { .string($0) } ?? .number(JSONNumber(Int(rawValue))) }
}
