import SDBasics

/// A language and a region, with the formats of numbers and dates that Java 17 takes from CLDR.
///
/// `LocaleTable` documents the fields.
public struct JavaLocale: Sendable {
    /// The name, such as `de_AT`.
    public let name: String
    /// The rows of the table from the locale's own to the root's.
    private let rows: [Substring]

    /// A name that is not a locale's.
    public struct Unknown: Error {
        /// The error, and the nearest name.
        public let message: String
        /// The name that was probably meant; nil for none.
        public let suggestion: String?
    }

    /// Finds a locale by Java's name: `de`, `de_AT`, `es_419`; the empty name is the root locale.
    /// - Throws: if the table lacks it.
    public init(_ name: String) throws(Unknown) {
        var rows: [Substring] = []
        var parent = name.isEmpty ? Self.root[...] : Substring(name)
        while let row = Self.table[parent] {
            rows.append(row)
            parent = Self.parent(row)
        }
        guard !rows.isEmpty, name != Self.root else { throw Unknown(name) }
        self.name = name
        self.rows = rows
    }

    /// Whether the language is English.
    public var isEnglish: Bool { name == "en" || name.hasPrefix("en_") }

    // MARK: - Fields

    /// A field of the locale or of the nearest parent that has it; empty if there is none.
    public subscript(key: String) -> Substring {
        for row in rows {
            if let field = Self.field(key, row) { return field }
        }
        return ""
    }

    /// The elements of a field that is a list.
    public func list(_ key: String) -> [Substring] {
        self[key].split(separator: "|", omittingEmptySubsequences: false)
    }

    /// The names printed for a pattern's letter, in the order of the values.
    /// - Parameters:
    ///   - letters: the letters of a name within a date, such as `MMMM`.
    ///   - alone: the letters of a stand-alone name, such as `LLLL`; nil to use the one within a date.
    public func names(_ letters: String, alone: String? = nil) -> [Substring] {
        if let alone, !self[alone].isEmpty { return list(alone) }
        return list(letters)
    }

    private static func field(_ key: String, _ row: Substring) -> Substring? {
        let (bytes, tab) = (row.utf8, UInt8(ascii: "\t"))
        var place = bytes.startIndex
        while let start = bytes[place...].firstIndex(of: tab) {
            place = bytes.index(after: start)
            let rest = bytes[place...]
            guard rest.starts(with: key.utf8) else { continue }
            let equals = bytes.index(place, offsetBy: key.utf8.count)
            guard equals < bytes.endIndex, bytes[equals] == UInt8(ascii: "=") else { continue }
            let value = row[bytes.index(after: equals)...]
            return value.prefix { $0 != "\t" }
        }
        return nil
    }

    // MARK: - Table

    private static let root = "root"

    /// The rows by locale name.
    private static let table: [Substring: Substring] = {
        var table: [Substring: Substring] = [:]
        for row in LocaleTable.text.split(separator: "\n") { table[row.prefix { $0 != "\t" }] = row }
        return table
    }()

    private static func parent(_ row: Substring) -> Substring {
        row.drop { $0 != "\t" }.dropFirst().prefix { $0 != "\t" }
    }

    /// The languages with a locale, in alphabetical order.
    static let languages = Set(table.keys.filter { $0 != root }.map { String($0.prefix { $0 != "_" }) }).sorted()

    static func nearest(to name: String) -> String? {
        let names = table.keys.map(String.init).filter { $0 != root }
        // Names that differ only in case and separator are recognised, whatever their length.
        let parts = name.split { $0 == "-" || $0 == "_" }
        let spelt = ([parts.first?.lowercased()] + parts.dropFirst().map { $0.uppercased() }).compactMap { $0 }
        for count in stride(from: spelt.count, to: 0, by: -1) {
            let candidate = spelt.prefix(count).joined(separator: "_")
            if candidate != name, names.contains(candidate) { return candidate }
        }
        return nearestName(to: name, among: names)
    }
}

extension JavaLocale.Unknown {
    init(_ name: String) {
        suggestion = JavaLocale.nearest(to: name)
        let advice =
            suggestion.map { "did you mean \"\($0)\"?" }
            ?? "there are \(JavaLocale.languages.joined(separator: ", ")), alone and with a region, such as \"de_AT\""
        message = "there is no locale \"\(name.prefix(40))\"; \(advice)"
    }
}
