import SDBasics

/// `Upgrade` (RFC 9110, 7.8): the protocols that a request asks for, and those that a server has switched to.
package enum UpgradeField {
    /// The members of a list such as `Upgrade` and `Connection`.
    package static func members(of list: String) -> [String] {
        list.split(separator: ",").compactMap { member in
            let name = member.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return name.isEmpty ? nil : String(name)
        }
    }
}

extension UpstreamRequest {
    /// The problem with a 101, appended to the server's name; nil if it names only requested protocols.
    func objection(to answer: UpstreamHead) -> String? {
        let asked = UpgradeField.members(of: (upgrade ?? "").lowercased())
        let fields = answer.headers.filter { FieldName.is($0.name, "upgrade") }
        let named = fields.flatMap { UpgradeField.members(of: $0.value) }
        if named.isEmpty { return "switched to another protocol without saying to which: its 101 has no Upgrade" }
        guard let other = named.first(where: { !asked.contains($0.lowercased()) }) else { return nil }
        return "switched to \(Printable.line(other.prefix(60))), which nobody had asked for"
    }
}
