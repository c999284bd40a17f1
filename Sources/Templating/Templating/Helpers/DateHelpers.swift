import SDBasics
import SDJavaTime

/// WireMock's date helpers.
enum DateHelpers {
    static let table: [String: Helper] = [
        "now": { call throws(RenderError) in try render(now(call), call) },
        "date": { call throws(RenderError) in
            if case .date(let date) = call.parameter(0) { return try render(date, call) }
            return try render(now(call), call)
        },
        "dateFormat": dateFormat, "parseDate": parseDate, "truncateDate": truncateDate,
    ]

    /// - Parameter wallTime: nanoseconds since 1970.
    static func present(_ wallTime: UInt64) -> TemplateDate {
        TemplateDate(Moment(seconds: Int(wallTime / 1_000_000_000), nanoseconds: Int(wallTime % 1_000_000_000)))
    }

    /// The current time, in the zone of the call.
    /// - Throws: `RenderError` for an unknown zone.
    private static func now(_ call: HelperCall) throws(RenderError) -> TemplateDate {
        let present = present(call.renderer.environment.system.wallTime)
        guard let name = call.text("timezone") else { return present }
        do throws(DateTimeProblem) {
            return TemplateDate(present.moment, in: try Zone(legacyName: name))
        } catch {
            throw RenderError("\(call.name): \(error.detail)")
        }
    }

    /// Applies `offset` and `format` to a date. A date with a zone keeps it.
    /// - Throws: `RenderError` for an invalid option, or a date out of range.
    private static func render(_ date: TemplateDate, _ call: HelperCall) throws(RenderError) -> TemplateValue {
        do throws(DateTimeProblem) {
            let offset = try call.text("offset").map { text throws(DateTimeProblem) in try self.offset(text) }
            guard let moment = date.moved(by: offset, in: date.zone) else {
                throw DateTimeProblem(detail: "the date is out of range", advice: "")
            }
            let text = try DateFormatOption(call.text("format")).text(moment, in: date.zone)
            return .date(TemplateDate(moment, in: date.zone, rendered: text ?? (offset == nil ? date.rendered : nil)))
        } catch {
            throw RenderError("\(call.name): \(error.detail)")
        }
    }

    /// Java's format styles, longest first.
    private static let styles = ["full", "long", "medium", "short"]
    /// Their patterns in American English.
    private static let dateStyles = ["EEEE, MMMM d, y", "MMMM d, y", "MMM d, y", "M/d/yy"]

    /// The pattern for a date, and a time if given. The shorter of the two styles determines how they are joined.
    private static func text(date: Int, time: Int?, _ locale: JavaLocale?) throws(RenderError) -> String {
        guard let time else { return locale.map { String($0.list("dates")[date]) } ?? dateStyles[date] }
        let locale = if let locale { locale } else { try LocaleUse.dateFormat.locale("en_US") }
        var text = String(locale.list("joins")[max(date, time)])
        for (mark, part) in [("{0}", locale.list("times")[time]), ("{1}", locale.list("dates")[date])] {
            if let place = text.firstRange(ofText: mark) { text.replaceSubrange(place, with: part) }
        }
        return text
    }

    /// Parses an offset like WireMock, and also accepts singular units and weeks.
    /// - Throws: `DateTimeProblem` for any other text, with the valid units.
    static func offset(_ text: String) throws(DateTimeProblem) -> DateOffset {
        let text = TextHelpers.trimmed(text)
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        var written = text
        var factor = 1
        if parts.count == 2 {
            var unit = parts[1].lowercased()
            if !unit.hasSuffix("s") { unit += "s" }
            if unit == "weeks" { (unit, factor) = ("days", 7) }
            written = "\(parts[0]) \(unit)"
        }
        let problem = DateTimeProblem(
            detail:
                "the offset is \"\(text)\", and has to be a number and a unit of seconds, minutes, hours, days, weeks, "
                + "months and years, such as 8 seconds", advice: "")
        let offset: DateOffset?
        do throws(DateTimeProblem) { offset = try DateOffset(written) } catch { throw problem }
        guard let offset else { throw problem }
        return DateOffset(amount: offset.amount * factor, unit: offset.unit)
    }

    /// The offset with a misspelt unit corrected: `1 day` for `1 dy`; nil if it cannot be.
    static func meantOffset(_ text: String) -> String? {
        let trimmed = TextHelpers.trimmed(text)
        let number = trimmed.prefix { "+-0123456789".contains($0) }
        let unit = TextHelpers.trimmed(String(trimmed[number.endIndex...])).lowercased()
        guard let amount = Int(number), !unit.isEmpty else { return nil }
        let units = ["seconds", "minutes", "hours", "days", "weeks", "months", "years"]
        let short = [
            "s": "seconds", "sec": "seconds", "secs": "seconds", "m": "minutes", "min": "minutes",
            "mins": "minutes", "h": "hours", "hr": "hours", "hrs": "hours", "d": "days", "w": "weeks", "y": "years",
        ]
        let plural = unit.hasSuffix("s") ? unit : unit + "s"
        let meant = units.contains(plural) ? plural : short[unit] ?? nearestName(to: plural, among: units)
        return meant.map { "\(amount) \($0)" }
    }

    /// Handlebars' own date helper.
    private static let dateFormat: Helper = { call throws(RenderError) in
        let subject = call.subject
        guard subject.isTrue else { return call.parameter(1) }
        guard case .date(let date) = subject else {
            throw RenderError(
                "dateFormat: expected a date, such as that of parseDate or now, found '\(subject.text)'")
        }
        let style = call.parameters.count > 1 ? call.parameter(1).text : call.text("format") ?? "medium"
        let zone = call.text("tz").flatMap { try? Zone(named: $0) } ?? .system
        let locale = try call.locale(LocaleUse.dateFormat)
        var text = style
        if let date = styles.firstIndex(of: style) {
            text = try Self.text(date: date, time: call.text("time").flatMap { styles.firstIndex(of: $0) }, locale)
        }
        guard !text.isEmpty else { return .text("") }
        let pattern: DatePattern
        do throws(DateTimeProblem) {
            pattern = try DatePattern(text)
        } catch {
            throw RenderError("\(call.name): \(error.detail)")
        }
        if let locale, pattern.lacksName(of: zone, in: locale) {
            throw RenderError("dateFormat: the name of the time zone \(zone.id) is known in English alone")
        }
        return .text(pattern.format(date.moment, in: zone, locale) ?? "")
    }

    private static let parseDate: Helper = { call throws(RenderError) in
        let text = call.parameter(0).text
        do throws(DateTimeProblem) {
            let value: DateValue?
            if let format = call.text("format") {
                value = try DateFormat(format).parse(text)
            } else {
                value = DateText.parseZoned(text).map { .zoned($0) }
            }
            switch value {
            case nil: return .null
            case .zoned(let zoned)?: return .date(TemplateDate(zoned.moment, in: zoned.zone))
            case .local(let local)?: return .date(TemplateDate(local.moment(offset: 0), in: .utc))
            }
        } catch {
            throw RenderError(error.detail)
        }
    }

    private static let truncateDate: Helper = { call throws(RenderError) in
        guard call.parameters.count > 1 else {
            return call.error("Truncation type must be specified as the first parameter to truncateDate")
        }
        guard case .date(let date) = call.parameter(0) else {
            return call.error("A date object must be passed to the truncateDate helper")
        }
        do throws(DateTimeProblem) {
            let truncation: DateBoundary
            do throws(DateTimeProblem) {
                truncation = try DateBoundary(name: call.parameter(1).text)
            } catch {
                throw DateTimeProblem(detail: error.advice, advice: "")
            }
            guard let time = ZonedDateTime(date.moment, in: date.zone ?? .utc), let cut = truncation.apply(to: time)
            else { return .null }
            return .date(TemplateDate(cut.moment, in: date.zone))
        } catch {
            throw RenderError("\(call.name): \(error.detail)")
        }
    }
}

extension TemplateDate {
    /// The moment after an offset on the clock of a zone, or of UTC for nil; nil outside of Java's years.
    func moved(by offset: DateOffset?, in zone: Zone?) -> Moment? {
        guard let offset else { return moment }
        return ZonedDateTime(moment, in: zone ?? .utc)?.adding(offset)?.moment
    }
}
