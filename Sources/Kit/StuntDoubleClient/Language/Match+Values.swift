extension Stub.Match {
    /// A draft of JSON Schema.
    public enum SchemaDraft: String, Sendable, CaseIterable {
        /// Draft 4 (2013).
        case draft4 = "V4"
        /// Draft 6 (2017).
        case draft6 = "V6"
        /// Draft 7 (2018).
        case draft7 = "V7"
        /// Draft 2019-09.
        case draft201909 = "V201909"
        /// Draft 2020-12, the default.
        case draft202012 = "V202012"
    }

    /// How far namespaces of XML count.
    public enum XMLNamespaces: String, Sendable, CaseIterable {
        /// Prefixes must be declared; namespaces are compared, prefixes are not. The default.
        case strict = "STRICT"
        /// Prefixes need no declaration; elements compare by local name and default namespace, attributes as written.
        case legacy = "LEGACY"
        /// Names are compared as written, and namespace declarations as attributes.
        case none = "NONE"
    }
}

extension Stub.Moment {
    /// A unit of a distance in time.
    public enum Unit: String, Sendable, CaseIterable {
        /// A number of seconds.
        case seconds
        /// A number of minutes.
        case minutes
        /// A number of hours.
        case hours
        /// A number of days.
        case days
        /// A number of months.
        case months
        /// A number of years.
        case years
    }

    /// The beginning or the end of a span of time.
    public enum Boundary: String, Sendable, CaseIterable {
        /// The first second of minute.
        case firstSecondOfMinute = "first second of minute"
        /// The first minute of hour.
        case firstMinuteOfHour = "first minute of hour"
        /// The first hour of day.
        case firstHourOfDay = "first hour of day"
        /// The first day of month.
        case firstDayOfMonth = "first day of month"
        /// The first day of next month.
        case firstDayOfNextMonth = "first day of next month"
        /// The last day of month.
        case lastDayOfMonth = "last day of month"
        /// The first day of year.
        case firstDayOfYear = "first day of year"
        /// The first day of next year.
        case firstDayOfNextYear = "first day of next year"
        /// The last day of year.
        case lastDayOfYear = "last day of year"
    }
}
