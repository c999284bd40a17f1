/// The rule for when a number has a sign (`java.time.format.SignStyle`).
enum SignStyle: Sendable {
    case normal, always, never, notNegative, exceedsPad

    func allows(plus: Bool, isStrict: Bool, isFixedWidth: Bool) -> Bool {
        switch self {
        case .normal: !plus || !isStrict
        case .always, .exceedsPad: true
        case .never, .notNegative: !isStrict && !isFixedWidth
        }
    }
}

/// A number's field and format. `following` is the number of digits that fixed-width numbers right after it need; -1
/// marks such a follower.
struct NumberShape: Sendable {
    let field: DateField
    var minimum: Int
    var maximum: Int
    var sign: SignStyle
    var following = 0
    /// The first of the hundred years for a two-digit year.
    var base: Int?

    func isFixedWidth(_ isStrict: Bool) -> Bool {
        if base != nil, !isStrict { return false }
        return following == -1 || (following > 0 && minimum == maximum && sign == .notNegative)
    }
}

/// An element of a pattern.
indirect enum PatternElement: Sendable {
    case literal(String)
    case number(NumberShape)
    /// The fraction of a second with this many digits; after a point if `point`.
    case fraction(minimum: Int, maximum: Int, point: Bool, isFollower: Bool)
    /// `alone`: whether the name stands alone, which differs from the one within a date in some languages.
    case text(DateField, TextStyle, alone: Bool = false)
    case offset(OffsetStyle)
    /// `GMT+1`, or `GMT+01:00` if `full`.
    case greenwichOffset(full: Bool)
    case zoneID
    /// The region in the brackets of ISO texts, which must be spelt exactly.
    case zoneName(TextStyle)
    case optional([PatternElement])
    case padded(PatternElement, width: Int)
    /// Sets whether the following elements ignore case.
    case ignoringCase(Bool)
    case strict(Bool)
}
