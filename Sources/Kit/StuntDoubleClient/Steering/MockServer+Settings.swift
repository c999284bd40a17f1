extension MockServer {
    /// The settings of the session.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call, or if its answer cannot be
    ///   read.
    public var settings: GlobalSettings {
        get async throws {
            let result = try await call("GET", "/settings")
            let json = try result.json
            return try result.read("the settings") { () throws(ModelProblems) in try GlobalSettings(json: json) }
        }
    }

    /// Replaces the settings of the session.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the settings.
    public func set(_ settings: GlobalSettings) async throws {
        try await admin("PUT", "/settings", settings.json)
    }

    /// Changes some of the settings of the session: `try await mock.changeSettings { $0.fixedDelay = 100 }`.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the settings.
    public func changeSettings(_ change: (inout GlobalSettings) -> Void) async throws {
        var settings = try await settings
        change(&settings)
        try await set(settings)
    }
}
