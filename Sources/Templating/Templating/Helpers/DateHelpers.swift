import SDJavaTime

/// WireMock's helpers for dates.
enum DateHelpers {
    static let table: [String: Helper] = [
        "now": { call throws(RenderError) in try render(now(call), call) },
        "date": { call throws(RenderError) in
            if case .date(let date) = call.parameter(0) { return try render(date, call) }
            return try render(now(call), call)
        },
        "dateFormat": dateFormat, "parseDate": parseDate, "truncateDate": truncateDate,
    ]

    /// The present, in the zone that the call asks for.
    /// - Throws: `RenderError` if there is no such zone.
    private static func now(_ call: HelperCall) throws(RenderError) -> TemplateDate {
        let time = call.renderer.environment.system.wallTime
        let moment = Moment(seconds: Int(time / 1_000_000_000), nanoseconds: Int(time % 1_000_000_000))
        guard let name = call.text("timezone") else { return TemplateDate(moment) }
        do throws(DateTimeProblem) {
            return TemplateDate(moment, in: try Zone(legacyName: name))
        } catch {
            throw RenderError("\(call.name): \(error.detail)")
        }
    }

    /// The date as `offset` and `format` make it. One that has a zone keeps it.
    /// - Throws: `RenderError` if an option cannot be read, or the date is out of range.
    private static func render(_ date: TemplateDate, _ call: HelperCall) throws(RenderError) -> TemplateValue {
        do throws(DateTimeProblem) {
            var moment = date.moment
            let offset = try call.text("offset").map { text throws(DateTimeProblem) in
                try self.offset(TextHelpers.trimmed(text))
            }
            if let offset {
                guard let moved = ZonedDateTime(moment, in: date.zone ?? .utc)?.adding(offset) else {
                    throw DateTimeProblem(detail: "the date is out of range", advice: "")
                }
                moment = moved.moment
            }
            let text: String?
            switch call.text("format") {
            case nil: text = offset == nil ? date.rendered : nil
            case "epoch": text = String(moment.epochMilliseconds)
            // Java divides the milliseconds, which rounds towards zero.
            case "unix": text = String(moment.epochMilliseconds / 1000)
            case let pattern?: text = try SimpleDateText(pattern).format(moment, in: date.zone ?? .system) ?? ""
            }
            return .date(TemplateDate(moment, in: date.zone, rendered: text))
        } catch {
            throw RenderError("\(call.name): \(error.detail)")
        }
    }

    /// An offset as WireMock reads it, and also with a unit in the singular, or weeks.
    /// - Throws: for any other text, with the units that there are.
    private static func offset(_ text: String) throws(DateTimeProblem) -> DateOffset {
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

    /// The patterns of Java's styles in English.
    private static let dateStyles = [
        "full": "EEEE, MMMM d, y", "long": "MMMM d, y", "medium": "MMM d, y", "short": "M/d/yy",
    ]
    private static let timeStyles = [
        "full": "h:mm:ss a zzzz", "long": "h:mm:ss a z", "medium": "h:mm:ss a", "short": "h:mm a",
    ]

    /// Handlebars' own helper for dates.
    private static let dateFormat: Helper = { call throws(RenderError) in
        let subject = call.subject
        guard subject.isTrue else { return call.parameter(1) }
        guard case .date(let date) = subject else {
            throw RenderError(
                "dateFormat: expected a date, such as that of parseDate or now, found '\(subject.text)'")
        }
        let style = call.parameters.count > 1 ? call.parameter(1).text : call.text("format") ?? "medium"
        let zone = call.text("tz").flatMap { try? Zone(name: $0) } ?? .system
        var pattern = dateStyles[style] ?? style
        if dateStyles[style] != nil, let time = call.text("time").flatMap({ timeStyles[$0] }) {
            pattern += ", " + time
        }
        guard !pattern.isEmpty else { return .text("") }
        do throws(DateTimeProblem) {
            return .text(try DatePattern(pattern).format(date.moment, in: zone) ?? "")
        } catch {
            throw RenderError("\(call.name): \(error.detail)")
        }
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
