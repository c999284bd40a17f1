import Bytes

/// One `name=value` of a query, decoded.
public struct QueryParameter: Sendable, Hashable {
    public let name: ArraySlice<UInt8>
    /// Empty where no `=` stands.
    public let value: ArraySlice<UInt8>
}

/// Decoding of a query or a form as WireMock does it: pairs between `&`, cut at the first `=`, `+` for a space,
/// percent-escapes.
struct QueryDecoding {
    /// A name or value that is an ISO date-time with an offset stays as it is, so that its `+` is not taken for a space.
    private let keepsDateTimes: Bool
    private let encoding: TextEncoding

    /// Of the query of a URL.
    static let query = QueryDecoding(keepsDateTimes: true, encoding: .utf8)

    /// Of a form in a body of this encoding.
    init(form encoding: TextEncoding) {
        self.init(keepsDateTimes: false, encoding: encoding)
    }

    private init(keepsDateTimes: Bool, encoding: TextEncoding) {
        self.keepsDateTimes = keepsDateTimes
        self.encoding = encoding
    }

    /// The parameters in order, or nil where an escape is broken: then no stub that asks for parameters matches.
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

    /// The same slice where nothing is to decode; nil where an escape is broken.
    private func decode(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return text }
        if keepsDateTimes, ISODateTime.isDateTimeWithOffset(text) { return text }
        guard let decoded = PercentEncoding.decode(text, plusIsBlank: true) else { return nil }
        if decoded[...].isASCII { return decoded[...] }
        // Broken UTF-8 reads as U+FFFD, as it does in Java.
        return encoding == .utf8
            ? Array(String(decoding: decoded, as: UTF8.self).utf8)[...] : encoding.utf8(decoded[...])
    }
}
