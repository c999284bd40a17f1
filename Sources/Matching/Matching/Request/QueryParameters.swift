import SDPlatform

/// A decoded `name=value` of a query.
public struct QueryParameter: Sendable, Hashable {
    public let name: ArraySlice<UInt8>
    /// The value; empty without a `=`.
    public let value: ArraySlice<UInt8>
}

/// Decodes a query or a form like WireMock: pairs separated by `&`, split at the first `=`, with `+` for a space and
/// percent-escapes.
struct QueryDecoding {
    /// Whether an ISO date-time with an offset stays unchanged, so that its `+` is not taken for a space.
    private let keepsDateTimes: Bool
    private let encoding: TextEncoding

    /// The decoding of URL queries.
    static let query = QueryDecoding(keepsDateTimes: true, encoding: .utf8)

    /// The decoding of forms in a body with this encoding.
    init(form encoding: TextEncoding) {
        self.init(keepsDateTimes: false, encoding: encoding)
    }

    private init(keepsDateTimes: Bool, encoding: TextEncoding) {
        self.keepsDateTimes = keepsDateTimes
        self.encoding = encoding
    }

    /// The parameters in order. Nil if an escape is invalid: then no stub with parameter conditions matches.
    ///
    /// Empty pairs at the end are dropped, others have an empty name. An empty query is one empty pair.
    /// - Parameter hasBudget: called before each pair is decoded, with its size; if it returns false, the result is nil.
    func parameters(
        of query: ArraySlice<UInt8>, while hasBudget: (_ size: Int) -> Bool = { _ in true }
    ) -> [QueryParameter]? {
        let nothing = QueryParameter(name: [], value: [])
        if query.isEmpty { return [nothing] }
        var parameters: [QueryParameter] = []
        /// The number of empty pairs before the next one.
        var emptyPairs = 0
        var start = query.startIndex
        while start < query.endIndex {
            let end = query[start...].firstIndex(of: UInt8(ascii: "&")) ?? query.endIndex
            guard hasBudget(end - start) else { return nil }
            if end == start {
                emptyPairs += 1
            } else {
                guard let parameter = parameter(query[start..<end]) else { return nil }
                parameters += repeatElement(nothing, count: emptyPairs)
                emptyPairs = 0
                parameters.append(parameter)
            }
            start = end + 1
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

    /// The decoded text: the same slice if there is nothing to decode, nil if an escape is invalid.
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
