import SDBasics

/// `Upgrade` (RFC 9110, 7.8): the other protocols that a request asks for, and those to which a server has switched.
package enum UpgradeField {
    /// The members of a list such as `Upgrade` and `Connection` are.
    package static func members(of list: String) -> [String] {
        list.split(separator: ",").compactMap { member in
            let name = member.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return name.isEmpty ? nil : String(name)
        }
    }
}

extension UpstreamRequest {
    /// What is wrong with a 101, behind the name of the server; nil if it names nothing but what was asked for.
    func objection(to answer: UpstreamHead) -> String? {
        let asked = UpgradeField.members(of: (upgrade ?? "").lowercased())
        let fields = answer.headers.filter { FieldName.is($0.name, "upgrade") }
        let named = fields.flatMap { UpgradeField.members(of: $0.value) }
        if named.isEmpty { return "switched to another protocol without saying to which: its 101 has no Upgrade" }
        guard let other = named.first(where: { !asked.contains($0.lowercased()) }) else { return nil }
        return "switched to \(Printable.line(other.prefix(60))), which nobody had asked for"
    }
}
