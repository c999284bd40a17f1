/// A value as serialised, before the types of its texts are known.
indirect enum WrittenValue: Sendable {
    case text(WrittenText)
    case list([WrittenValue])
    case members([(name: String, value: WrittenValue)])

    /// A list of texts.
    static func texts(_ texts: [WrittenText]) -> WrittenValue { .list(texts.map { .text($0) }) }
}

/// A decoded text.
struct WrittenText: Sendable {
    var text: String
    /// An alternative reading, in which `+` is itself; nil if there is none.
    var other: String?

    init(_ text: String, other: String? = nil) {
        self.text = text
        self.other = other
    }
}
