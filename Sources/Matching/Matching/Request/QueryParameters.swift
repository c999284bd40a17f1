import SDBytes

/// A decoded `name=value` of a query.
public struct QueryParameter: Sendable, Hashable {
    public let name: ArraySlice<UInt8>
    /// The value; empty without a `=`.
    public let value: ArraySlice<UInt8>
}

/// Decodes a query or a form like WireMock: pairs separated by `&`, split at the first `=`, with `+` for a space and
/// percent-escapes.
struct QueryDecoding {
    /// Whether a name or value that is an ISO date-time with an offset stays unchanged, so that its `+` is not taken
    /// for a space.
    private let keepsDateTimes: Bool
    private let encoding: TextEncoding

    /// The decoding of a URL's query.
    static let query = QueryDecoding(keepsDateTimes: true, encoding: .utf8)

    /// The decoding of a form in a body with this encoding.
    init(form encoding: TextEncoding) {
        self.init(keepsDateTimes: false, encoding: encoding)
    }

    private init(keepsDateTimes: Bool, encoding: TextEncoding) {
        self.keepsDateTimes = keepsDateTimes
        self.encoding = encoding
    }

    /// The parameters in order. Nil if an escape is broken: then no stub with parameter conditions matches.
    ///
    /// Empty pairs at the end are dropped, others have an empty name. An empty query is one empty pair.
    func parameters(of query: ArraySlice<UInt8>) -> [QueryParameter]? {
        var pairs = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        if pairs.count > 1 {
            while pairs.last?.isEmpty == true { pairs.removeLast() }
        }
        var parameters: [QueryParameter] = []
        parameters.reserveCapacity(pairs.count)
        for pair in pairs {
            guard let parameter = parameter(pair) else { return nil }
            parameters.append(parameter)
        }
        return parameters
    }

    private func parameter(_ pair: ArraySlice<UInt8>) -> QueryParameter? {
        let equals = pair.firstIndex(of: UInt8(ascii: "="))
        guard let name = decode(pair[..<(equals ?? pair.endIndex)]) else { return nil }
        guard let equals else { return QueryParameter(name: name, value: []) }
        guard let value = decode(pair[(equals + 1)...]) else { return nil }
        return QueryParameter(name: name, value: value)
    }

    /// The decoded text: the same slice if there is nothing to decode, nil if an escape is broken.
    private func decode(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return text }
        if keepsDateTimes, ISODateTime.isDateTimeWithOffset(text) { return text }
        guard let decoded = PercentEncoding.decode(text, plusIsBlank: true) else { return nil }
        if decoded[...].isASCII { return decoded[...] }
        // Invalid UTF-8 becomes U+FFFD, as in Java.
        return encoding == .utf8
            ? Array(String(decoding: decoded, as: UTF8.self).utf8)[...] : encoding.utf8(decoded[...])
    }
}
