import SDBasics

/// The cookies of a request as WireMock's container reads them (RFC 6265, with the quotes of RFC 2109 removed).
enum Cookies {
    /// The names and values in order. Cookies without `=`, without a name, with an unclosed quote or with a comma are
    /// left out.
    static func parse(_ request: some MatchableRequest) -> [QueryParameter] {
        var cookies: [QueryParameter] = []
        request.forEachHeaderText(header) { line in
            for pair in line.split(separator: UInt8(ascii: ";")) {
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let name = HeaderParameters.trimmed(pair[..<equals])
                guard !name.isEmpty, let value = unquoted(HeaderParameters.trimmed(pair[(equals + 1)...])) else {
                    continue
                }
                cookies.append(QueryParameter(name: name, value: value))
            }
            return true
        }
        return cookies
    }

    private static let header = Array("cookie".utf8)

    private static func unquoted(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let quote = UInt8(ascii: "\"")
        guard !value.contains(UInt8(ascii: ",")) else { return nil }
        guard value.first == quote else { return value.contains(quote) ? nil : value }
        guard value.count > 1, value.last == quote else { return nil }
        return value.dropFirst().dropLast()
    }
}
