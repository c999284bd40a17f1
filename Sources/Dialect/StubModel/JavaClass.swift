/// The name of a class in WireMock's messages.
struct JavaClass {
    var name: String
    /// The name with its type arguments, for the messages that have them.
    var generic: String?
    /// Whether the class is a map, whose problems Jackson words differently.
    var isMap: Bool

    init(_ name: String, generic: String? = nil, isMap: Bool = false) {
        self.name = name
        self.generic = generic
        self.isMap = isMap
    }

    private static let home = "com.github.tomakehurst.wiremock."

    static let stubMapping = JavaClass(home + "stubbing.StubMapping")
    static let stubImport = JavaClass(home + "stubbing.StubImport")
    static let importOptions = JavaClass(home + "stubbing.StubImport$Options")
    static let metadata = JavaClass(home + "common.Metadata", isMap: true)
    static let parameters = JavaClass(home + "extension.Parameters", isMap: true)
    static let postServeAction = JavaClass(home + "extension.PostServeActionDefinition")
    static let serveEventListener = JavaClass(home + "extension.ServeEventListenerDefinition")
    static let requestPattern = JavaClass(home + "matching.RequestPattern")
    static let requestMethod = JavaClass(home + "http.RequestMethod")
    static let basicCredentials = JavaClass(home + "client.BasicCredentials")
    static let customMatcher = JavaClass(home + "matching.CustomMatcherDefinition")
    static let multipartPattern = JavaClass(home + "matching.MultipartValuePattern")
    static let responseDefinition = JavaClass(home + "http.ResponseDefinition")
    static let dribbleDelay = JavaClass(home + "http.ChunkedDribbleDelay")
    static let settings = JavaClass(home + "global.GlobalSettings")
    static let settingsDocument = JavaClass(home + "admin.model.GetGlobalSettingsResult")
    static let multiValuePatterns = map(of: "matching.MultiValuePattern")
    static let valuePatterns = map(of: "matching.StringValuePattern")
    static let contentPattern = JavaClass(home + "matching.ContentPattern<java.lang.Object>")
    static let stringPattern = JavaClass(home + "matching.StringValuePattern")
    static let exactPattern = JavaClass(home + "matching.ExactMatchMultiValuePattern")
    static let includesPattern = JavaClass(home + "matching.IncludesMatchMultiValuePattern")
    static let fault = JavaClass(home + "http.Fault")
    static let delayDistribution = JavaClass(home + "http.DelayDistribution")

    private static func map(of value: String) -> JavaClass {
        JavaClass(
            "java.util.LinkedHashMap", generic: "java.util.LinkedHashMap<java.lang.String,\(home)\(value)>", isMap: true
        )
    }

    static func delayDistribution(_ kind: String) -> JavaClass {
        JavaClass("\(home)http.\(kind)")
    }
}

/// An integer type of Java, by its name in messages.
enum JavaInteger: String {
    case int
    case boxedInt = "java.lang.Integer"
    case long

    var range: ClosedRange<Int> {
        self == .long ? Int.min...Int.max : Int(Int32.min)...Int(Int32.max)
    }

    var primitive: String { self == .long ? "long" : "int" }

    var isNullable: Bool { self == .boxedInt }
}
