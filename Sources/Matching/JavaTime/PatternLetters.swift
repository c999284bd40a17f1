/// The meaning of a run of one letter in a pattern.
enum PatternLetters {
    private static let known = "GuyYMLQqDdFgEecwWahHKkmsSAnNVvzOXxZp"

    static func elements(_ letter: Character, _ count: Int) throws(DateTimeProblem) -> [PatternElement] {
        switch letter {
        case "u": return [try year(.year, count)]
        case "y": return [try year(.yearOfEra, count)]
        case "Y": return [try year(.weekBasedYear, count)]
        case "M", "L": return [try numberOrText(.month, letter, count)]
        case "Q", "q": return [try numberOrText(.quarter, letter, count)]
        case "G": return [.text(.era, try style(letter, count))]
        case "E": return [.text(.dayOfWeek, try style(letter, count))]
        case "e", "c":
            guard letter == "e" || count != 2 else { throw problem("Invalid pattern \"cc\"", "write \"c\" or \"ccc\"") }
            if count <= 2 { return [digits(.localDayOfWeek, count)] }
            return [.text(.dayOfWeek, try style(letter, count), alone: letter == "c")]
        case "a":
            guard count == 1 else { throw tooMany(letter, "1") }
            return [.text(.halfOfDay, .short)]
        case "d", "h", "H", "k", "K", "m", "s":
            guard count <= 2 else { throw tooMany(letter, "1 or 2") }
            return [digits(simple(letter), count)]
        case "w":
            guard count <= 2 else { throw tooMany(letter, "1 or 2") }
            return [digits(.weekOfYear, count)]
        case "W", "F":
            guard count == 1 else { throw tooMany(letter, "1") }
            return [digits(letter == "W" ? .weekOfMonth : .weekdayInMonth, 1)]
        case "D":
            guard count <= 3 else { throw tooMany(letter, "1 to 3") }
            if count == 1 { return [digits(.dayOfYear, 1)] }
            return [.number(NumberShape(field: .dayOfYear, minimum: count, maximum: 3, sign: .notNegative))]
        case "S":
            guard count <= 9 else {
                throw problem(
                    "Minimum width must be from 0 to 9 inclusive but was \(count)", "a second has nine digits")
            }
            return [.fraction(minimum: count, maximum: count, point: false, isFollower: false)]
        case "n": return [try wide(.nanosecond, count, .notNegative)]
        case "A": return [try wide(.millisecondOfDay, count, .notNegative)]
        case "N": return [try wide(.nanosecondOfDay, count, .notNegative)]
        case "g": return [try wide(.modifiedJulianDay, count, .normal)]
        default: return [try zone(letter, count)]
        }
    }

    private static func zone(_ letter: Character, _ count: Int) throws(DateTimeProblem) -> PatternElement {
        switch letter {
        case "V":
            guard count == 2 else { throw problem("Pattern letter count must be 2: V", "write \"VV\"") }
            return .zoneID
        case "v":
            guard count == 1 || count == 4 else {
                throw problem("Wrong number of pattern letters: v", "write \"v\" or \"vvvv\"")
            }
            return .zoneName(count == 1 ? .short : .full)
        case "z":
            guard count <= 4 else { throw tooMany(letter, "1 to 4") }
            return .zoneName(count < 4 ? .short : .full)
        case "O":
            guard count == 1 || count == 4 else {
                throw problem("Pattern letter count must be 1 or 4: O", "write \"O\" or \"OOOO\"")
            }
            return .greenwichOffset(full: count == 4)
        case "Z":
            guard count <= 5 else { throw tooMany(letter, "1 to 5") }
            if count == 4 { return .greenwichOffset(full: true) }
            return .offset(offset(count < 4 ? 2 : 5, zero: count < 4 ? "+0000" : "Z"))
        case "X", "x":
            guard count <= 5 else { throw tooMany(letter, "1 to 5") }
            let zero = letter == "X" ? "Z" : count == 1 ? "+00" : count % 2 == 0 ? "+0000" : "+00:00"
            return .offset(offset(count, zero: zero))
        default:
            throw problem("Unknown pattern letter: \(letter)", "the letters are \(known); quote text: 'T'")
        }
    }

    /// The style by number of letters: `+HHmm +HHMM +HH:MM +HHMMss +HH:MM:ss`.
    private static func offset(_ count: Int, zero: String) -> OffsetStyle {
        OffsetStyle(
            hours: .two, minutes: count == 1 ? .optional : .always, seconds: count >= 4 ? .optional : .never,
            colon: count == 3 || count == 5, zero: zero)
    }

    private static func simple(_ letter: Character) -> DateField {
        switch letter {
        case "d": .dayOfMonth
        case "h": .clockHourOfHalf
        case "H": .hour
        case "k": .clockHour
        case "K": .hourOfHalf
        case "m": .minute
        default: .second
        }
    }

    private static func year(_ field: DateField, _ count: Int) throws(DateTimeProblem) -> PatternElement {
        if count == 2 {
            return .number(NumberShape(field: field, minimum: 2, maximum: 2, sign: .notNegative, base: 2000))
        }
        return try wide(field, count, count < 4 ? .normal : .exceedsPad)
    }

    private static func digits(_ field: DateField, _ count: Int) -> PatternElement {
        .number(
            NumberShape(
                field: field, minimum: count, maximum: count == 1 ? 19 : count,
                sign: count == 1 ? .normal : .notNegative))
    }

    private static func wide(_ field: DateField, _ count: Int, _ sign: SignStyle) throws(DateTimeProblem)
        -> PatternElement
    {
        guard count <= 19 else {
            throw problem("The minimum width must be from 1 to 19 inclusive but was \(count)", "write fewer letters")
        }
        return .number(NumberShape(field: field, minimum: count, maximum: 19, sign: sign))
    }

    private static func numberOrText(
        _ field: DateField, _ letter: Character, _ count: Int
    ) throws(DateTimeProblem) -> PatternElement {
        let isAlone = letter == "L" || letter == "q"
        return count <= 2 ? digits(field, count) : .text(field, try style(letter, count), alone: isAlone)
    }

    private static func style(_ letter: Character, _ count: Int) throws(DateTimeProblem) -> TextStyle {
        switch count {
        case 1...3: return .short
        case 4: return .full
        case 5: return .narrow
        default: throw tooMany(letter, "1 to 5")
        }
    }

    private static func tooMany(_ letter: Character, _ allowed: String) -> DateTimeProblem {
        problem("Too many pattern letters: \(letter)", "\"\(letter)\" is written \(allowed) times")
    }

    private static func problem(_ detail: String, _ advice: String) -> DateTimeProblem {
        DateTimeProblem(detail: detail, advice: advice)
    }
}
