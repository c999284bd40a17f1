import SDCTestTransports
import Testing

/// Answers of other servers as bytes: what is found in them, however they are cut into pieces.
@Suite struct AnswerReadingTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let answer: String
        let found: String
        var how = answer_case()

        init(_ answer: String, _ found: String, headAlone: Bool = false, toSwitch: Bool = false, ends: Bool = false) {
            self.answer = answer
            self.found = found
            how.is_head = headAlone
            how.may_switch = toSwitch
            how.ends = ends
        }

        var testDescription: String { String(answer.prefix(80)) }
    }

    private static func transcript(_ answer: [UInt8], _ how: answer_case) -> String {
        var text = [CChar](repeating: 0, count: answer.count * 2 + 400)
        answer_transcript(answer, answer.count, how, &text, text.count)
        return text.upToNUL
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"

    private static let sound = [
        Case(ok + "Content-Length: 5\r\n\r\nhello", "200 OK keep length=5 [Content-Length=5] | <hello> | end"),
        Case(ok + "Content-Length: 5\r\n\r\nhello, you", "200 OK keep length=5 [Content-Length=5] | <hello> | end +5"),
        Case(ok + "Content-Length: 0\r\n\r\n", "200 OK keep length=0 [Content-Length=0] | end"),
        Case(ok + "Content-Length: 0005\r\n\r\nhello", "200 OK keep length=5 [Content-Length=0005] | <hello> | end"),
        Case(
            ok + "Transfer-Encoding: Chunked\r\n\r\n3;a=b\r\nabc\r\n002\r\nde\r\n0\r\n\r\nrest",
            "200 OK keep chunks [Transfer-Encoding=Chunked] | <abcde> | end +4"),
        Case(
            ok + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-T: 1\r\nX-U:\r\n\r\n",
            "200 OK keep chunks [Transfer-Encoding=chunked] | <a> | end [X-T=1] [X-U=]"),
        Case(
            ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "200 OK keep chunks [Transfer-Encoding=chunked] | end"),
        Case(ok + "\r\nto the end", "200 OK close until-end | <to the end> | end", ends: true),
        Case(ok + "\r\n", "200 OK close until-end | end", ends: true),
        Case(ok + "\r\nto the end", "200 OK close until-end | <to the end> | more"),
        Case("HTTP/1.1 204 No Content\r\n\r\n", "204 No Content keep none | end"),
        Case("HTTP/1.1 204 No\r\nContent-Length: 3\r\n\r\nabc", "204 No keep none [Content-Length=3] | end +3"),
        Case("HTTP/1.1 304 Same\r\nContent-Length: 300\r\n\r\n", "304 Same keep none [Content-Length=300] | end"),
        Case(
            "HTTP/1.1 304 Same\r\nTransfer-Encoding: chunked\r\n\r\n",
            "304 Same keep none [Transfer-Encoding=chunked] | end"),
        Case(
            ok + "Content-Length: 300\r\n\r\n", "200 OK keep none [Content-Length=300] | end", headAlone: true),
        Case(ok + "\r\n", "200 OK keep none | end", headAlone: true),
        // Without a reason, with or without the space before it; with one that is no ASCII.
        Case("HTTP/1.1 299\r\nContent-Length: 0\r\n\r\n", "299 keep length=0 [Content-Length=0] | end"),
        Case("HTTP/1.1 299 \r\nContent-Length: 0\r\n\r\n", "299 keep length=0 [Content-Length=0] | end"),
        Case("HTTP/1.1 999  a é \r\nContent-Length: 0\r\n\r\n", "999  a é  keep length=0 [Content-Length=0] | end"),
        // Lines that end with LF alone.
        Case("HTTP/1.1 200 OK\nContent-Length: 1\n\na", "200 OK keep length=1 [Content-Length=1] | <a> | end"),
        // White space around a value is none of it, and a Host in an answer says nothing.
        Case(
            ok + "Host: a\r\nHost: b\r\nExpect: c\r\nX:  y z\t\r\nContent-Length:1 \r\n\r\na",
            "200 OK keep length=1 [Host=a] [Host=b] [Expect=c] [X=y z] [Content-Length=1] | <a> | end"),
        // Who keeps the connection.
        Case(
            ok + "Connection: Close\r\nContent-Length: 0\r\n\r\n",
            "200 OK close length=0 [Connection=Close] [Content-Length=0] | end"),
        Case(
            ok + "Connection: x, keep-alive, close\r\nContent-Length: 0\r\n\r\n",
            "200 OK close length=0 [Connection=x, keep-alive, close] [Content-Length=0] | end"),
        Case(
            "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", "200 OK 1.0 close length=0 [Content-Length=0] | end"),
        Case(
            "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n",
            "200 OK 1.0 keep length=0 [Connection=keep-alive] [Content-Length=0] | end"),
        Case(
            "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n\r\nabc",
            "200 OK close until-end [Connection=keep-alive] | <abc> | end", ends: true),
        Case("HTTP/1.9 200 OK\r\nContent-Length: 0\r\n\r\n", "200 OK keep length=0 [Content-Length=0] | end"),
        // Informational answers.
        Case(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\nLink: b\r\n\r\n" + ok
                + "Content-Length: 1\r\n\r\na",
            "100 Continue | 103 Early Hints [Link=a] [Link=b] | 200 OK keep length=1 [Content-Length=1] | <a> | end"),
        Case(
            "HTTP/1.1 102 P\r\nContent-Length: 3\r\n\r\n" + ok + "Content-Length: 0\r\n\r\n",
            "102 P [Content-Length=3] | 200 OK keep length=0 [Content-Length=0] | end"),
        // Another protocol from here on.
        Case(
            "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n\u{1}\u{2}abc",
            "101 Switching close switched [Upgrade=x] | <\u{1}\u{2}abc> | end", toSwitch: true, ends: true),
        Case(
            ok + "Upgrade: x\r\nContent-Length: 1\r\n\r\na",
            "200 OK keep length=1 [Upgrade=x] [Content-Length=1] | <a> | end",
            toSwitch: true),
    ]

    /// What a head says about its body, and why that is refused.
    private static let lengths = [
        ("Content-Length: 99999999999999999999", "Content-Length is not a number"),
        ("Content-Length: 9223372036854775808", "Content-Length is not a number"),
        ("Content-Length: +5", "Content-Length is not a number"),
        ("Content-Length: -5", "Content-Length is not a number"),
        ("Content-Length: 5, 5", "Content-Length is not a number"),
        ("Content-Length: 5,", "Content-Length is not a number"),
        ("Content-Length: 0x5", "Content-Length is not a number"),
        ("Content-Length: 5abc", "Content-Length is not a number"),
        ("Content-Length: 5 5", "Content-Length is not a number"),
        ("Content-Length: 5.0", "Content-Length is not a number"),
        ("Content-Length: \"5\"", "Content-Length is not a number"),
        ("Content-Length:", "Content-Length is not a number"),
        ("Content-Length: 5\r\nContent-Length: 6", "several Content-Length headers differ"),
        ("Content-Length: 5\r\nContent-Length: 5", "several Content-Length headers are given"),
        ("Content-Length: 5\r\nContent-Length:", "Content-Length is not a number"),
        ("Content-Length: 5\r\nTransfer-Encoding: chunked", "both Content-Length and Transfer-Encoding are given"),
        ("Transfer-Encoding: chunked\r\nContent-Length: 5", "both Content-Length and Transfer-Encoding are given"),
        ("Transfer-Encoding: gzip", "the only supported Transfer-Encoding is chunked"),
        ("Transfer-Encoding: gzip, chunked", "the only supported Transfer-Encoding is chunked"),
        ("Transfer-Encoding: chunked, gzip", "the only supported Transfer-Encoding is chunked"),
        ("Transfer-Encoding: identity", "the only supported Transfer-Encoding is chunked"),
        ("Transfer-Encoding: xchunked", "the only supported Transfer-Encoding is chunked"),
        ("Transfer-Encoding: chunked;q=1", "the only supported Transfer-Encoding is chunked"),
        ("Transfer-Encoding: \u{b}chunked", "a header value has a control character"),
        ("Transfer-Encoding: chunked, chunked", "Transfer-Encoding must name chunked once, and last"),
        (
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding must name chunked once, and last"
        ),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding:", "Transfer-Encoding must name chunked once, and last"),
        ("Transfer-Encoding:", "Transfer-Encoding must name chunked once, and last"),
        // Fields that are none.
        ("X Y: a", "a header has white space before its colon"),
        ("X : a", "a header has white space before its colon"),
        ("Content-Length : 5", "a header has white space before its colon"),
        ("X\t: a", "a header has white space before its colon"),
        (": a", "a header name is not a token"),
        ("no colon", "a header has white space before its colon"),
        ("nocolon", "a header name is not a token"),
        ("X\u{0}Y: a", "a header name is not a token"),
        ("X: a\u{0}b", "a header value has a control character"),
        ("X: a\u{7f}", "a header value has a control character"),
        ("X: a\rb", "the head contains a lone CR"),
        ("X: a\r\n b", "a header is folded over several lines"),
        ("X: a\r\n\tb", "a header is folded over several lines"),
        (" X: a", "a header is folded over several lines"),
    ].map { Case(ok + $0.0 + "\r\n\r\nhello", "refused: " + $0.1) }

    private static let noStatus = "refused: it begins with no status line of HTTP/1.0 or HTTP/1.1"
    private static let noVersion = "refused: the supported HTTP versions are 1.0 and 1.1"

    private static let lines = [
        ("220 mail.example ESMTP\r\n", noStatus), ("\r\n\r\n", noStatus),
        ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", "refused: it speaks TLS, and is called by https://"),
        ("SSH-2.0-OpenSSH\r\n", noStatus), ("HTTP/1.1\r\n\r\n", noStatus), ("HTTP/1.1  200 OK\r\n\r\n", noStatus),
        (" HTTP/1.1 200 OK\r\n\r\n", noStatus), ("HTTP/1.1 20 OK\r\n\r\n", noStatus),
        ("HTTP/1.1 2000 OK\r\n\r\n", noStatus), ("HTTP/1.1 2x0 OK\r\n\r\n", noStatus),
        ("HTTP/1.1 099 OK\r\n\r\n", noStatus), ("HTTP/1.1 200OK\r\n\r\n", noStatus),
        ("HTTP/1.1\t200 OK\r\n\r\n", noStatus), ("HTTP/1.1 200 O\u{0}K\r\n\r\n", noStatus),
        ("HTTP/1.1 200 O\u{7f}K\r\n\r\n", noStatus), ("http/1.1 200 OK\r\n\r\n", noStatus),
        ("HTTP/1.1 200 OK\rX: a\r\n\r\n", "refused: the head contains a lone CR"),
        ("HTTP/3.7 999999 what\r\n\r\n", noVersion), ("HTTP/2.0 200 OK\r\n\r\n", noVersion),
        ("HTTP/0.9 200 OK\r\n\r\n", noVersion), ("HTTP/11 200 OK\r\n\r\n", noStatus),
        ("<html>\r\n", noStatus),
        (
            "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\nabc",
            "refused: it switched to another protocol, which nobody had asked for"
        ),
    ].map { Case($0.0, $0.1) }

    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
    private static let chunkedHead = "200 OK keep chunks [Transfer-Encoding=chunked] | "
    private static let noSize = "refused: a chunk size is not a hexadecimal number"
    private static let noFraming = "refused: a trailer field would change the framing of the message"

    private static let bodies = [
        ("zz\r\nab", noSize), ("\r\n", noSize), ("-1\r\n", noSize), ("0x1\r\na", noSize), ("+1\r\na", noSize),
        ("1 \r\na", noSize), (" 1\r\na", noSize), ("1\na\n", noSize), ("1\r\ra", noSize), ("1;a\u{0}b\r\na", noSize),
        ("fffffffffffffffff\r\nab", noSize),
        ("2\r\nabcdef\r\n", "<ab> | refused: a chunk does not have its stated size"),
        ("2\r\nab\n0\r\n\r\n", "<ab> | refused: a chunk does not have its stated size"),
        ("1;" + String(repeating: "x", count: 5000) + "\r\na", noSize),
        ("1\r\na\r\n0\r\nContent-Length: 5\r\n\r\n", "<a> | " + noFraming),
        ("1\r\na\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n", "<a> | " + noFraming),
        ("0\r\nX Y: a\r\n\r\n", "refused: a header has white space before its colon"),
        ("0\r\nX: a\r\n b\r\n\r\n", "refused: a header is folded over several lines"),
        ("0\r\nX: a\u{0}\r\n\r\n", "refused: a header value has a control character"),
        ("0\r\nX\r\n\r\n", "refused: a header name is not a token"),
    ].map { Case(chunked + $0.0, chunkedHead + $0.1) }

    private static let ended = "refused: the connection ended "
    private static let ends = [
        Case("", ended + "without an answer", ends: true),
        Case("H", ended + "before the end of the head", ends: true),
        Case("HTTP/1.1 200 OK\r\nX: y", ended + "before the end of the head", ends: true),
        Case(
            "HTTP/1.1 103 Early\r\n\r\n", "103 Early | " + ended + "before the end of the head", ends: true),
        Case(
            ok + "Content-Length: 10\r\n\r\nabc",
            "200 OK keep length=10 [Content-Length=10] | <abc> | " + ended + "before the end of the body", ends: true),
        Case(
            ok + "Content-Length: 10\r\n\r\n",
            "200 OK keep length=10 [Content-Length=10] | " + ended + "before the end of the body", ends: true),
        Case(chunked + "5\r\nab", chunkedHead + "<ab> | " + ended + "before the end of the body", ends: true),
        Case(chunked + "2\r\nab\r\n", chunkedHead + "<ab> | " + ended + "before the end of the body", ends: true),
        Case(chunked + "2\r\nab\r\n0\r\n", chunkedHead + "<ab> | " + ended + "before the end of the body", ends: true),
        Case(chunked + "0\r\nX-T: 1\r\n", chunkedHead + ended + "before the end of the body", ends: true),
        Case(chunked + "0\r\nX-T: 1\r\n", chunkedHead + "more"),
        Case("HTTP/1.1 200 O", "more"),
        Case("", "more"),
    ]

    @Test(arguments: sound + lengths + lines + bodies + ends) private func findsWhatIsThere(_ one: Case) {
        for cut in [0, 1, 2, 3, 7] {
            var how = one.how
            how.cut = cut
            #expect(Self.transcript(Array(one.answer.utf8), how) == one.found, "in pieces of \(cut)")
        }
    }

    /// A server that speaks HTTP/2 alone says its settings, whatever it was asked.
    @Test(arguments: [[0, 0, 0, 4, 0, 0, 0, 0, 0], [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]] as [[UInt8]])
    func settingsOfHTTP2AreTold(bytes: [UInt8]) {
        #expect(Self.transcript(bytes, answer_case()) == "refused: it speaks HTTP/2 alone")
    }

    // MARK: Limits

    private static func lines(_ count: Int, _ line: String) -> String { String(repeating: line, count: count) }

    /// The text of what is refused or complete, without the head of the transcript.
    private static func end(_ answer: String, cut: Int = 0) -> String {
        let text = transcript(
            Array(answer.utf8), answer_case(is_head: false, may_switch: false, ends: false, cut: cut))
        return text.contains("refused: ") ? String(text.split(separator: "|").last ?? "").trimmed : "whole"
    }

    private static let largeHead = "refused: the request head is larger than the limit"
    private static let manyFields = "refused: the header fields are more than the limit"
    private static let nothing = "Content-Length: 0\r\n\r\n"

    @Test func eachLimitIsALimit() {
        let cases: [(String, String)] = [
            (Self.ok + Self.lines(4_999, "a:b\r\n") + Self.nothing, "whole"),
            (Self.ok + Self.lines(5_000, "a:b\r\n") + Self.nothing, Self.manyFields),
            (Self.ok + Self.lines(20_000, "a:b\r\n"), Self.manyFields),
            (Self.ok + "X: " + Self.lines(1_048_000, "y") + "\r\n" + Self.nothing, "whole"),
            (Self.ok + "X: " + Self.lines(1_048_576, "y") + "\r\n" + Self.nothing, Self.largeHead),
            // All heads and trailers count together.
            (
                Self.lines(3, "HTTP/1.1 103 E\r\n" + Self.lines(2_000, "a:b\r\n") + "\r\n") + Self.ok + Self.nothing,
                Self.manyFields
            ),
            (
                Self.lines(3, "HTTP/1.1 103 E\r\nX: " + Self.lines(400_000, "y") + "\r\n\r\n") + Self.ok + Self.nothing,
                Self.largeHead
            ),
            (Self.chunked + "0\r\n" + Self.lines(5_000, "a: b\r\n") + "\r\n", Self.manyFields),
            (Self.chunked + "0\r\n" + Self.lines(4_999, "a: b\r\n") + "\r\n", "whole"),
            (Self.chunked + "0\r\nX: " + Self.lines(1_048_576, "y") + "\r\n\r\n", Self.largeHead),
            (Self.lines(100, "HTTP/1.1 103 E\r\n\r\n") + Self.ok + Self.nothing, "whole"),
            (
                Self.lines(101, "HTTP/1.1 103 E\r\n\r\n") + Self.ok + Self.nothing,
                "refused: the informational answers are more than the limit"
            ),
            // A hundred thousand bytes, each in a chunk of its own, are an answer; what hides between them is none.
            (Self.chunked + Self.lines(100_000, "1\r\na\r\n") + "0\r\n\r\n", "whole"),
            (
                Self.chunked + Self.lines(1_000, "1;" + Self.lines(100, "x") + "\r\na\r\n") + "0\r\n\r\n",
                "refused: the chunks have more extensions than data"
            ),
            (
                Self.chunked + Self.lines(1_000, "40;" + Self.lines(100, "x") + "\r\n" + Self.lines(64, "a") + "\r\n")
                    + "0\r\n\r\n", "whole"
            ),
        ]
        for (answer, found) in cases {
            #expect(Self.end(answer) == found, "\(answer.prefix(60))")
            #expect(Self.end(answer, cut: 4096) == found, "\(answer.prefix(60)) in pieces")
        }
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
