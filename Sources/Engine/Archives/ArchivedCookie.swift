import SDJSON

/// Cookies that an archive lists apart from the headers.
enum ArchivedCookie {
    /// Headers that set the cookies of a response, for the client's session: a time of expiry would be over.
    static func fields(of list: ArchivedValue) throws(ArchiveProblem) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        for cookie in try list.elements() {
            let name = try cookie.object()["name"].required("the name of a cookie").text() ?? ""
            var text = "\(name)=\(try cookie["value"].text() ?? "")"
            for (member, attribute) in [("path", "Path"), ("domain", "Domain"), ("sameSite", "SameSite")] {
                if let value = try cookie[member].text(), !value.isEmpty { text += "; \(attribute)=\(value)" }
            }
            if cookie["httpOnly"].value?.boolValue == true { text += "; HttpOnly" }
            if cookie["secure"].value?.boolValue == true { text += "; Secure" }
            fields.append(("Set-Cookie", text))
        }
        return fields
    }
}
