/// When a number carries a sign (`java.time.format.SignStyle`).
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

/// A number's field and shape. `following` is how many digits the fixed-width numbers right behind it need; -1 says
/// that it is such a follower itself.
struct NumberShape: Sendable {
    let field: DateField
    var minimum: Int
    var maximum: Int
    var sign: SignStyle
    var following = 0
    /// Two-digit years: the value is the one of the hundred from here on that ends in these digits.
    var base: Int?

    func isFixedWidth(_ isStrict: Bool) -> Bool {
        if base != nil, !isStrict { return false }
        return following == -1 || (following > 0 && minimum == maximum && sign == .notNegative)
    }
}

/// One piece of a pattern.
indirect enum PatternElement: Sendable {
    case literal(String)
    case number(NumberShape)
    /// Digits of a second, as many as these; behind a point if so.
    case fraction(minimum: Int, maximum: Int, point: Bool, isFollower: Bool)
    case text(DateField, TextStyle)
    case offset(OffsetStyle)
    /// `GMT+1`, or `GMT+01:00` in full.
    case greenwichOffset(full: Bool)
    case zoneID
    /// In brackets of ISO texts: a region only, never with other letters than its own.
    case zoneName(TextStyle)
    case optional([PatternElement])
    case padded(PatternElement, width: Int)
    /// Sets how the rest is read.
    case ignoringCase(Bool)
    case strict(Bool)
}
