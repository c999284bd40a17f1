import SDPlatform
import SDStubModel

/// `basicAuth`: an Authorization header with the scheme in any case and exactly these credentials (RFC 7617).
package struct BasicAuthTest: Sendable {
    /// Base64 of user and password.
    let credentials: [UInt8]

    init(_ auth: BasicAuth) {
        credentials = Array(Base64.encode(Array("\(auth.username):\(auth.password)".utf8)).utf8)
    }

    package static let header = Array("authorization".utf8)
    /// The header under which WireMock stores it in a pattern.
    static let headerName = "Authorization"
    private static let scheme = Array("basic ".utf8)

    package func passes(_ request: some MatchableRequest) -> Bool {
        var passed = false
        request.forEachHeaderValue(Self.header) { value in
            passed = passes(value)
            return !passed
        }
        return passed
    }

    /// The distance of the nearest header; 1 without one.
    package func distance(_ values: [ArraySlice<UInt8>], _ views: inout RequestViews) -> Double {
        if values.contains(where: passes) { return 0 }
        let expected = Array("Basic ".utf8) + credentials
        return values.map { views.editDistance(expected[...], $0) }.min() ?? 1
    }

    private func passes(_ value: ArraySlice<UInt8>) -> Bool {
        guard value.count == Self.scheme.count + credentials.count else { return false }
        let scheme = value.prefix(Self.scheme.count)
        return zip(scheme, Self.scheme).allSatisfy { $0 == $1 || ($0 | 0x20 == $1 && $0 != $1) }
            && value.dropFirst(Self.scheme.count).equals(credentials[...])
    }
}
