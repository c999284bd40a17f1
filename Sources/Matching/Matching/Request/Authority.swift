/// `host:port`, as a Host header or the target of a request names where it was sent to.
public struct Authority: Sendable, Hashable {
    /// Without the port, in the case it was given; an IPv6 address keeps its brackets.
    public let host: ArraySlice<UInt8>
    /// What stands behind the colon, which may be nothing, or no number; nil without a colon.
    public let portText: ArraySlice<UInt8>?

    /// Cuts at the last colon that stands outside of brackets.
    public init(_ text: ArraySlice<UInt8>) {
        if let colon = text.lastIndex(of: UInt8(ascii: ":")), !text[colon...].contains(UInt8(ascii: "]")) {
            host = text[..<colon]
            portText = text[(colon + 1)...]
        } else {
            host = text
            portText = nil
        }
    }

    /// That of an absolute target, or else of the Host header; nil where neither names one.
    public init?(of request: some MatchableRequest) {
        guard let text = request.authority ?? request.firstHeader(Self.headerName) else { return nil }
        self.init(text)
    }

    private static let headerName = Array("host".utf8)

    /// The header is there and says nothing.
    public var isEmpty: Bool { host.isEmpty && portText == nil }

    /// Nil where there is none, or none that is a number.
    public var port: Int? { portText.flatMap { Int(String(decoding: $0, as: UTF8.self)) } }

    /// The host without the brackets of an IPv6 address.
    public var bareHost: ArraySlice<UInt8> {
        guard host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]"), host.count > 1 else { return host }
        return host.dropFirst().dropLast()
    }
}
