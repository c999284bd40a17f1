import SDBasics
import SDJSON

extension FaultRule {
    /// How an answer ends after a cut. In HTTP/2 `hang` and `resetStream` affect only its stream; the others end the
    /// connection with all its streams.
    public enum End: Sendable, Hashable {
        /// The connection is closed normally.
        case fin
        /// The connection is reset.
        case rst
        /// The connection is closed without TLS `close_notify`; without TLS like `fin`.
        case cut
        /// The connection stays open, and nothing more is sent.
        case hang
        /// Bytes are sent that are not a frame, and the connection closes.
        case garbage
        /// HTTP/2 resets the stream with this code; HTTP/1.1 resets the connection.
        case resetStream(HTTP2ErrorCode)
        /// HTTP/2 sends GOAWAY with this code and the last stream id, nil for that of the answer, and closes the
        /// connection; HTTP/1.1 closes it.
        case goAway(HTTP2ErrorCode, lastStream: UInt32?)
    }
}

extension FaultRule.End {
    private static let words: [(String, FaultRule.End)] = [
        ("fin", .fin), ("rst", .rst), ("cut", .cut), ("hang", .hang), ("garbage", .garbage),
    ]

    /// The ends that are written as a single word.
    package static let names = words.map(\.0)

    private static let expected =
        "one of \(words.map(\.0).joined(separator: ", ")), {resetStream: CANCEL}, or {goAway: NO_ERROR, lastStream: 0}"

    /// Reads the value of `then`; nil if it is invalid.
    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> FaultRule.End? {
        if case .object(let object) = value { return read(object, &reader) }
        if let text = value.stringValue {
            if let end = words.first(where: { $0.0 == text })?.1 { return end }
            let meant =
                DialectNames.cutEndsAliases[text]
                ?? meantName(by: text, among: words.map(\.0) + ["resetStream", "goAway"])
            reader.report(
                detail: nil, message: "unknown value", expected: expected, found: value.shortDescription,
                suggestion: meant.map { full[$0] ?? $0 })
        } else {
            reader.report(detail: nil, message: "wrong type", expected: expected, found: value.shortDescription)
        }
        return nil
    }

    /// The notation of ends that need a code.
    private static let full = ["resetStream": "{resetStream: CANCEL}", "goAway": "{goAway: NO_ERROR}"]

    private static func read(_ object: JSONObject, _ reader: inout ModelReader) -> FaultRule.End? {
        var end = FaultStreamEnd()
        let known = reader.problems.count
        end.readMembers(of: object, &reader)
        guard reader.problems.count == known else { return nil }
        let lastStream = end.lastStream
        switch (end.resetStream, end.goAway) {
        case (let reset?, nil) where lastStream == nil: return .resetStream(reset)
        case (nil, let away?): return .goAway(away, lastStream: lastStream)
        case (_?, _?):
            reader.reportName(
                "goAway", message: "two ends: \"resetStream\" and \"goAway\"", expected: "one of the two")
        case (_, nil) where lastStream != nil:
            reader.reportName("lastStream", message: "\"lastStream\" without \"goAway\"", expected: "goAway beside it")
        default:
            reader.report(
                detail: nil, message: "no end", expected: expected, found: JSONValue.object(object).shortDescription)
        }
        return nil
    }

    /// The end as the value of `then`.
    var json: JSONValue {
        switch self {
        case .resetStream(let code): return ["resetStream": code.json]
        case .goAway(let code, let lastStream):
            var object: JSONObject = ["goAway": code.json]
            object["lastStream"] = lastStream.map { .number(JSONNumber(Int($0))) }
            return .object(object)
        default: return .string(Self.words.first { $0.1 == self }?.0 ?? "fin")
        }
    }

    /// A short text, such as `rst` or `resetStream CANCEL`.
    package var text: String {
        switch self {
        case .resetStream(let code): "resetStream \(code.name ?? String(code.rawValue))"
        case .goAway(let code, let lastStream):
            "goAway \(code.name ?? String(code.rawValue))" + (lastStream.map { ", last stream \($0)" } ?? "")
        default: json.stringValue ?? ""
        }
    }
}

extension FaultStreamEnd {
    static func readStream(_ value: JSONValue, _ reader: inout ModelReader) -> UInt32? {
        if let number = value.intValue, (0...Int(Int32.max)).contains(number) { return UInt32(number) }
        reader.report(
            detail: nil, message: "no id of a stream", expected: "a number from 0 to 2147483647",
            found: value.shortDescription)
        return nil
    }
}
