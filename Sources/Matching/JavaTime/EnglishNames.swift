/// The length of a name.
enum TextStyle: Sendable { case short, full, narrow }

/// The names of the calendar in English, as Java writes them.
enum EnglishNames {
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    static let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let ordinals = ["1st", "2nd", "3rd", "4th"]

    /// The names of a field's values, in the order of the values.
    static func all(_ field: DateField, _ style: TextStyle) -> [(value: Int, name: String)] {
        switch (field, style) {
        case (.month, .short): shortMonths
        case (.dayOfWeek, .short): shortDays
        case (.month, .full): fullMonths
        case (.dayOfWeek, .full): fullDays
        default: named(field, style)
        }
    }

    private static let shortMonths = named(.month, .short)
    private static let shortDays = named(.dayOfWeek, .short)
    private static let fullMonths = named(.month, .full)
    private static let fullDays = named(.dayOfWeek, .full)

    private static func named(_ field: DateField, _ style: TextStyle) -> [(value: Int, name: String)] {
        switch field {
        case .month: numbered(shortened(months, style))
        case .dayOfWeek: numbered(shortened(days, style))
        case .quarter:
            (1...4).map { number in
                switch style {
                case .short: (number, "Q\(number)")
                case .full: (number, ordinals[number - 1] + " quarter")
                case .narrow: (number, "\(number)")
                }
            }
        case .halfOfDay: [(0, style == .narrow ? "a" : "AM"), (1, style == .narrow ? "p" : "PM")]
        case .era:
            switch style {
            case .short: [(0, "BC"), (1, "AD")]
            case .full: [(0, "Before Christ"), (1, "Anno Domini")]
            case .narrow: [(0, "B"), (1, "A")]
            }
        default: []
        }
    }

    static func name(_ field: DateField, _ value: Int, _ style: TextStyle) -> String? {
        all(field, style).first { $0.value == value }?.name
    }

    private static func shortened(_ names: [String], _ style: TextStyle) -> [String] {
        switch style {
        case .full: names
        case .short: names.map { String($0.prefix(3)) }
        case .narrow: names.map { String($0.prefix(1)) }
        }
    }

    private static func numbered(_ names: [String]) -> [(value: Int, name: String)] {
        names.enumerated().map { ($0.offset + 1, $0.element) }
    }
}
