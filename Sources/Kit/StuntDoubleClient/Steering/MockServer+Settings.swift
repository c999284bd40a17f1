import SDJSON
package import SDStubModel

extension MockServer {
    /// The settings of a session.
    public struct Settings: Sendable, Hashable {
        package var model: GlobalSettings

        /// A delay before each answer; nil for none.
        public var fixedDelay: Duration? {
            get { model.fixedDelay.map { .milliseconds($0) } }
            set { model.fixedDelay = newValue?.wholeMilliseconds }
        }
        /// The factor on all delays of the session; nil for 1.
        public var timeScale: Double? {
            get { model.timeScale }
            set { model.timeScale = newValue }
        }
        /// All settings, in the JSON of the admin API, such as `clock` and `delayDistribution`.
        public var json: Stub.JSON { Stub.JSON(model.json["settings"] ?? model.json) }

        /// Sets a setting by its admin API name: `set("clock", to: ["offset": "-3 days"])`.
        /// - Throws: `MockServerError` for a name or a value that the server would reject.
        public mutating func set(_ name: String, to value: Stub.JSON) throws {
            var object = json.value.objectValue ?? JSONObject()
            object[name] = value.value
            do throws(ModelProblems) {
                model = try GlobalSettings(json: .object(object))
            } catch {
                throw MockServerError("the settings cannot be read: \(error)")
            }
        }
    }

    /// The settings of the session.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, or if its answer cannot be
    ///   read.
    public var settings: Settings {
        get async throws {
            let result = try await call("GET", "/settings")
            let json = try result.json
            return try result.read("the settings") { () throws(ModelProblems) in
                Settings(model: try GlobalSettings(json: json))
            }
        }
    }

    /// Changes settings of the session: `try await mock.changeSettings { $0.fixedDelay = .seconds(1) }`.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the settings; what `change` throws.
    public func changeSettings(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        _ change: (inout Settings) throws -> Void
    ) async throws {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            try await $0.change(change)
        }
    }

    func change(_ change: (inout Settings) throws -> Void) async throws {
        var settings = try await settings
        try change(&settings)
        try await admin("PUT", "/settings", settings.model.json)
    }
}
