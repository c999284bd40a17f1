import SDJSON

/// Chooses numbers within bounds. Computes in units of the last significant digit, so that nothing is rounded.
struct NumberChoice {
    let isInteger: Bool
    /// Whether integers are not allowed.
    var mustBeFraction = false
    private let lower: Shape.Bound?
    private let upper: Shape.Bound?
    private let divisors: [JSONDecimal]

    /// The maximum number of decimal places.
    private static let maxPlaces = 15
    /// Stands for no bound.
    private static let far = Int128(1) << 112

    init(isInteger: Bool, shape: Shape) {
        self.isInteger = isInteger
        lower = shape.lower
        divisors = shape.divisors
        // Others do not fit the types that clients read them into.
        guard isInteger else {
            upper = shape.upper
            return
        }
        let most = JSONNumber(validText: shape.format == "int32" ? "2147483647" : "9223372036854775807")
        let bound = Shape.Bound(value: JSONDecimal(most), isExclusive: false)
        let isBeyond = shape.lower.map { bound.value < $0.value } ?? false
        upper = shape.upper.map { $0.value < bound.value || isBeyond ? $0 : bound } ?? (isBeyond ? nil : bound)
    }

    /// A number within the bounds, preferably in a given range.
    /// - Parameters:
    ///   - start: a random number.
    ///   - turn: the index among several numbers that should differ.
    func number(in wanted: NumberNames.Range, start: UInt64, turn: Int) -> JSONNumber? {
        let isWhole = isInteger || wanted.isWhole && !mustBeFraction
        var places = divisors.map { max(0, $0.digits.count - $0.exponent) }.max() ?? 0
        if !isWhole, divisors.isEmpty { places = max(places, wanted.places) }
        for bound in [lower, upper] {
            guard let value = bound?.value, !isInteger else { continue }
            // Between two close bounds, numbers have more digits than either.
            places = max(places, max(0, value.digits.count - value.exponent) + (divisors.isEmpty ? 1 : 0))
        }
        if isWhole, divisors.isEmpty, let number = choose(wanted, places: 0, start, turn) { return number }
        guard !isInteger || !divisors.isEmpty else { return extreme }
        return choose(wanted, places: min(places, Self.maxPlaces), start, turn) ?? extreme
    }

    /// A number with this many decimal places.
    private func choose(_ wanted: NumberNames.Range, places: Int, _ start: UInt64, _ turn: Int) -> JSONNumber? {
        guard let step = step(places) else { return nil }
        let one = Self.power(places)
        let least = lower.map { Self.units($0, places, isLower: true) } ?? -Self.far
        let most = upper.map { Self.units($0, places, isLower: false) } ?? Self.far
        guard least <= most else { return nil }
        var (first, last) = (Int128(wanted.numbers.lowerBound) * one, Int128(wanted.numbers.upperBound) * one)
        if last < least || first > most {
            // The bounds exclude the range: choose near the bound closer to zero.
            let span = max(step * 100, 1_000 * one)
            if least > last {
                (first, last) = (least, min(most, least + span))
            } else {
                (first, last) = (max(least, most - span), most)
            }
        }
        (first, last) = (max(first, least), min(last, most))
        if let found = Self.multiple(of: step, from: first, to: last, start, turn, places, self) { return found }
        let span = step * 1_000
        let near =
            least > 0
            ? (least, min(most, least + span))
            : most < 0 ? (max(least, most - span), most) : (max(least, -span), min(most, span))
        return Self.multiple(of: step, from: near.0, to: near.1, start, turn, places, self)
    }

    /// The bound itself, if it is too large to compute with.
    private var extreme: JSONNumber? {
        for bound in [lower, upper] {
            guard let bound, !bound.isExclusive, divisors.isEmpty, !isInteger || bound.value.isInteger else { continue }
            if let lower, bound.value < lower.value { continue }
            if let upper, upper.value < bound.value { continue }
            return JSONNumber(text: bound.value.description)
        }
        return nil
    }

    private static func multiple(
        of step: Int128, from first: Int128, to last: Int128, _ start: UInt64, _ turn: Int, _ places: Int,
        _ choice: NumberChoice
    ) -> JSONNumber? {
        let (low, high) = (ceiling(first, step), floor(last, step))
        guard low <= high else { return nil }
        let count = high - low + 1
        let offset = Int128(start % 1_000_003) &+ Int128(turn) &* (count > 50 && places > 0 ? 137 : 1)
        var fallback: JSONNumber?
        for attempt in 0..<64 {
            let factor = low + ((offset + Int128(attempt) * 7) % count + count) % count
            let units = factor * step
            let isWhole = units % power(places) == 0
            if choice.mustBeFraction, isWhole { continue }
            let number = text(units, places)
            if fallback == nil { fallback = number }
            // A number with decimal places should have a fraction, and be a multiple also when computed in doubles.
            if isWhole, !choice.isInteger, places > 0, choice.divisors.isEmpty { continue }
            if choice.divisors.allSatisfy({
                isMultiple(number.doubleValue, JSONNumber(validText: $0.description).doubleValue)
            }) {
                return number
            }
        }
        return fallback
    }

    private static func isMultiple(_ number: Double, _ divisor: Double) -> Bool {
        if divisor == divisor.rounded() { return number.truncatingRemainder(dividingBy: divisor) == 0 }
        return number / divisor == (number / divisor).rounded()
    }

    // MARK: - Units

    private static func power(_ places: Int) -> Int128 { (0..<places).reduce(Int128(1)) { power, _ in power * 10 } }

    /// The required divisor in units; nil if it is too large to compute with.
    private func step(_ places: Int) -> Int128? {
        var step = isInteger ? Self.power(places) : 1
        for divisor in divisors {
            let units = Self.units(Shape.Bound(value: divisor, isExclusive: false), places, isLower: true)
            guard units > 0, units < Self.far else { return nil }
            let (product, isTooLarge) = (step / Self.common(step, units)).multipliedReportingOverflow(by: units)
            guard !isTooLarge, product < Self.far else { return nil }
            step = product
        }
        return step
    }

    private static func common(_ left: Int128, _ right: Int128) -> Int128 {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }

    /// The first or last number of units within a bound.
    private static func units(_ bound: Shape.Bound, _ places: Int, isLower: Bool) -> Int128 {
        let value = bound.value
        let count = value.exponent + places
        if count > 33 { return value.isNegative ? -far : far }
        var units: Int128 = 0
        if count > 0 {
            for place in 0..<count { units = units * 10 + Int128(place < value.digits.count ? value.digits[place] : 0) }
        }
        let isExact = value.digits.count <= max(count, 0)
        if value.isNegative { units = -units }
        if isExact { return bound.isExclusive ? units + (isLower ? 1 : -1) : units }
        // The rest is truncated towards zero.
        return isLower ? (value.isNegative ? units : units + 1) : (value.isNegative ? units - 1 : units)
    }

    private static func floor(_ value: Int128, _ step: Int128) -> Int128 {
        value / step - (value % step < 0 ? 1 : 0)
    }

    private static func ceiling(_ value: Int128, _ step: Int128) -> Int128 {
        value / step + (value % step > 0 ? 1 : 0)
    }

    private static func text(_ units: Int128, _ places: Int) -> JSONNumber {
        let digits = String(units.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        var fraction = padded.suffix(places)
        while fraction.last == "0" { fraction.removeLast() }
        let whole = padded.dropLast(places)
        return JSONNumber(validText: (units < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction))
    }
}
