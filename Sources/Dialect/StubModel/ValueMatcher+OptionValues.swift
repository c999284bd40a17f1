extension ValueMatcher.DateDistanceUnit {
    /// Parses a plural name in any case, as WireMock does; nil for an unknown one.
    package init?(inAnyCase name: String) {
        self.init(rawValue: name.lowercased())
    }

    /// Java's message about an unknown name.
    package static func unknown(_ name: String) -> String {
        "No enum constant com.github.tomakehurst.wiremock.common.DateTimeUnit.\(name.uppercased())"
    }
}

extension ValueMatcher.DateBoundary {
    /// Parses a name in any case, with underscores or spaces, as WireMock does; nil for an unknown one.
    package init?(inAnyCase name: String) {
        self.init(rawValue: String(name.lowercased().map { $0 == "_" ? " " : $0 }))
    }

    /// Java's message about an unknown name.
    package static func unknown(_ name: String) -> String {
        let constant = String(name.uppercased().map { $0 == " " ? "_" : $0 })
        return "No enum constant com.github.tomakehurst.wiremock.common.DateTimeTruncation.\(constant)"
    }
}
