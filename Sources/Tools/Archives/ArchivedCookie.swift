import SDJSON
import SDStubModel

/// Cookies that an archive lists apart from the headers.
enum ArchivedCookie {
    /// Headers that set the cookies of a response, for the client's session: a time of expiry would be over. Those that a
    /// header sets already are left out, and so is what no header can say.
    static func fields(
        of list: ArchivedValue, beside headers: [(name: String, value: String)]
    ) throws(ArchiveProblem) -> [(name: String, value: String)] {
        let known = Set(
            headers.filter { $0.name.lowercased() == "set-cookie" }
                .map { $0.value.prefix { $0 != "=" && $0 != ";" }.filter { $0 != " " } })
        var fields: [(name: String, value: String)] = []
        for cookie in try list.elements() {
            let name = try cookie.object()["name"].required("the name of a cookie").text() ?? ""
            guard HTTPToken.isToken(name), !known.contains(name) else { continue }
            var text = "\(name)=\(Self.word(try cookie["value"].text() ?? ""))"
            for (member, attribute) in [("path", "Path"), ("domain", "Domain"), ("sameSite", "SameSite")] {
                if let value = try cookie[member].text(), case let word = Self.word(value), !word.isEmpty {
                    text += "; \(attribute)=\(word)"
                }
            }
            if try cookie["httpOnly"].flag() { text += "; HttpOnly" }
            if try cookie["secure"].flag() { text += "; Secure" }
            fields.append(("Set-Cookie", text))
        }
        return fields
    }

    /// The text up to what would end it in a header.
    private static func word(_ text: String) -> String {
        let end = text.unicodeScalars.firstIndex { $0 == ";" || $0.value < 0x20 || $0.value == 0x7F }
        return String(text.unicodeScalars[..<(end ?? text.endIndex)])
    }
}
