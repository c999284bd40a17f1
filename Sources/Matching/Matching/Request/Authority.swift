/// `host:port`, as in a Host header or a request target.
public struct Authority: Sendable, Hashable {
    /// The host without the port, in its original letter case; an IPv6 address keeps its brackets.
    public let host: ArraySlice<UInt8>
    /// The text after the colon, which may be empty or not a number; nil without a colon.
    public let portText: ArraySlice<UInt8>?

    /// Splits at the last colon outside of brackets.
    public init(_ text: ArraySlice<UInt8>) {
        if let colon = text.lastIndex(of: UInt8(ascii: ":")), !text[colon...].contains(UInt8(ascii: "]")) {
            host = text[..<colon]
            portText = text[(colon + 1)...]
        } else {
            host = text
            portText = nil
        }
    }

    /// The authority of an absolute target, or else of the Host header; nil if neither has one.
    public init?(of request: some MatchableRequest) {
        guard let text = request.authority ?? request.firstHeader(Self.headerName) else { return nil }
        self.init(text)
    }

    private static let headerName = Array("host".utf8)

    /// Whether the header is present but empty.
    public var isEmpty: Bool { host.isEmpty && portText == nil }

    /// The port; nil if it is missing or not a number.
    public var port: Int? { portText.flatMap { Int(String(decoding: $0, as: UTF8.self)) } }

    /// The host without the brackets of an IPv6 address.
    public var bareHost: ArraySlice<UInt8> {
        guard host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]"), host.count > 1 else { return host }
        return host.dropFirst().dropLast()
    }
}
