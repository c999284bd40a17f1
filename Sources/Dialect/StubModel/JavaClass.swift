/// A Java class, as named in WireMock's messages.
package struct JavaClass {
    package var name: String
    /// The name with its type arguments, for messages that contain them.
    package var generic: String?
    /// Whether the class is a map, for which Jackson has other messages.
    package var isMap: Bool

    package init(_ name: String, generic: String? = nil, isMap: Bool = false) {
        self.name = name
        self.generic = generic
        self.isMap = isMap
    }

    private static let home = "com.github.tomakehurst.wiremock."

    package static let stubMapping = JavaClass(home + "stubbing.StubMapping")
    package static let stubImport = JavaClass(home + "stubbing.StubImport")
    package static let importOptions = JavaClass(home + "stubbing.StubImport$Options")
    package static let metadata = JavaClass(home + "common.Metadata", isMap: true)
    package static let parameters = JavaClass(home + "extension.Parameters", isMap: true)
    package static let postServeAction = JavaClass(home + "extension.PostServeActionDefinition")
    package static let serveEventListener = JavaClass(home + "extension.ServeEventListenerDefinition")
    package static let requestPattern = JavaClass(home + "matching.RequestPattern")
    package static let requestMethod = JavaClass(home + "http.RequestMethod")
    package static let basicCredentials = JavaClass(home + "client.BasicCredentials")
    package static let customMatcher = JavaClass(home + "matching.CustomMatcherDefinition")
    package static let multipartPattern = JavaClass(home + "matching.MultipartValuePattern")
    package static let responseDefinition = JavaClass(home + "http.ResponseDefinition")
    package static let dribbleDelay = JavaClass(home + "http.ChunkedDribbleDelay")
    package static let settings = JavaClass(home + "global.GlobalSettings")
    package static let settingsDocument = JavaClass(home + "admin.model.GetGlobalSettingsResult")
    package static let multiValuePatterns = map(of: "matching.MultiValuePattern")
    package static let valuePatterns = map(of: "matching.StringValuePattern")
    package static let contentPattern = JavaClass(home + "matching.ContentPattern<java.lang.Object>")
    package static let stringPattern = JavaClass(home + "matching.StringValuePattern")
    package static let exactPattern = JavaClass(home + "matching.ExactMatchMultiValuePattern")
    package static let includesPattern = JavaClass(home + "matching.IncludesMatchMultiValuePattern")
    package static let fault = JavaClass(home + "http.Fault")
    package static let delayDistribution = JavaClass(home + "http.DelayDistribution")

    private static func map(of value: String) -> JavaClass {
        JavaClass(
            "java.util.LinkedHashMap", generic: "java.util.LinkedHashMap<java.lang.String,\(home)\(value)>", isMap: true
        )
    }

    package static func delayDistribution(_ kind: String) -> JavaClass {
        JavaClass("\(home)http.\(kind)")
    }
}

/// A Java integer type, by its name in messages.
package enum JavaInteger: String {
    case int
    case boxedInt = "java.lang.Integer"
    case long

    package var range: ClosedRange<Int> {
        self == .long ? Int.min...Int.max : Int(Int32.min)...Int(Int32.max)
    }

    package var primitive: String { self == .long ? "long" : "int" }

    package var isNullable: Bool { self == .boxedInt }
}
