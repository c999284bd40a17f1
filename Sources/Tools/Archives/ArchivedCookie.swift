import SDJSON
import SDStubModel

/// Cookies that an archive lists separately from the headers.
enum ArchivedCookie {
    /// `Set-Cookie` headers for a response's cookies, as session cookies: their expiry may have passed. Cookies already
    /// set by a header are left out, and so are invalid ones.
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

    /// The text up to the first character that would end it in a header.
    private static func word(_ text: String) -> String {
        let end = text.unicodeScalars.firstIndex { $0 == ";" || $0.value < 0x20 || $0.value == 0x7F }
        return String(text.unicodeScalars[..<(end ?? text.endIndex)])
    }
}
