import SDJSON
import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Matchers of dates. A date is a text such as `2026-03-01T10:00:00Z`, `2026-03` or `now +3 days`, or a
/// ``Stub.Moment``.
extension Stub.Match {
    /// A date before another.
    /// - Parameters:
    ///   - date: the other date.
    ///   - format: the format of the request's date, by Java's `DateTimeFormatter`, `unix` or `epoch`; nil for ISO 8601
    ///     and HTTP's.
    ///   - truncatingActual: the boundary that the request's date is moved to before it is compared.
    public static func before(
        _ date: Stub.Moment, format: String? = nil, truncatingActual: Stub.Moment.Boundary? = nil
    ) -> Stub.Match {
        date.matcher(.before, format, truncatingActual)
    }

    /// A date after another.
    /// - Parameters:
    ///   - date: the other date.
    ///   - format: the format of the request's date, by Java's `DateTimeFormatter`, `unix` or `epoch`; nil for ISO 8601
    ///     and HTTP's.
    ///   - truncatingActual: the boundary that the request's date is moved to before it is compared.
    public static func after(
        _ date: Stub.Moment, format: String? = nil, truncatingActual: Stub.Moment.Boundary? = nil
    ) -> Stub.Match {
        date.matcher(.after, format, truncatingActual)
    }

    /// A date equal to this one, however it is written.
    /// - Parameters:
    ///   - date: the other date.
    ///   - format: the format of the request's date, by Java's `DateTimeFormatter`, `unix` or `epoch`; nil for ISO 8601
    ///     and HTTP's.
    ///   - truncatingActual: the boundary that the request's date is moved to before it is compared.
    public static func date(
        _ date: Stub.Moment, format: String? = nil, truncatingActual: Stub.Moment.Boundary? = nil
    ) -> Stub.Match {
        date.matcher(.equalToDateTime, format, truncatingActual)
    }
}

extension Stub {
/// A date that a request's date is compared with.
public struct Moment: Sendable, Hashable, ExpressibleByStringLiteral {
    private let text: String
    private var offset: Int?
    private var unit: Unit?
    private var truncation: Boundary?
    private var truncatesLast = false

    /// Makes a date of a text: ISO 8601 in whole or in part, `now`, or a distance such as `now +3 days`.
    public init(_ text: String) {
        self.text = text
    }

    /// Makes a date of a literal; see ``init(_:)``.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// A moment, to the second.
    public static func at(_ date: Date) -> Moment { Moment(date.formatted(.iso8601)) }

    /// The time of the request.
    public static var now: Moment { "now" }

    /// A distance from the time of the request: `.now(3, .days)`, `.now(-1, .months)`.
    public static func now(_ offset: Int, _ unit: Unit) -> Moment {
        var date = now
        date.offset = offset
        date.unit = unit
        return date
    }

    /// The boundary that `now` is moved to.
    /// - Parameters:
    ///   - boundary: the beginning or end of a minute, an hour, a day, a month or a year.
    ///   - last: whether it is moved after its distance is added rather than before.
    public func truncated(to boundary: Boundary, last: Bool = false) -> Moment {
        var date = self
        date.truncation = boundary
        date.truncatesLast = last
        return date
    }

    fileprivate func matcher(
        _ operator: SDStubModel.ValueMatcher.Operator, _ format: String?, _ truncatingActual: Boundary?
    ) -> Match {
        Match(`operator`, text)
            .option("actualFormat", format)
            .option("truncateExpected", truncation?.rawValue)
            .option("truncateActual", truncatingActual?.rawValue)
            .option("applyTruncationLast", truncatesLast)
            .option("expectedOffset", offset.map { .number(JSONNumber($0)) })
            .option("expectedOffsetUnit", unit?.rawValue)
    }
}
}
