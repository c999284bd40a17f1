public import SDStubModel

/// The preferences that decide between an operation's answers.
public struct AnswerPreferences: Sendable {
    /// The source of bodies.
    public typealias Source = OpenAPIAnswer.Source

    /// The requested status; nil for the lowest success.
    public var status: Int?
    /// The name of the requested example.
    public var example: String?
    public var source = Source.examples
    /// The seed of generated values: equal requests get equal answers.
    public var seed: UInt64 = 0
    /// The number of items per list, as far as its schema allows; nil for two or three.
    public var listLength: ClosedRange<Int>?
    /// The depth down to which optional members are generated.
    public var optionalLevels = 5
    /// Whether an unacceptable `Accept` is a 406 instead of the first content type.
    public var isStrictAboutAccept = false

    /// Whether examples are used even if they violate their schemas; if not, a valid value is generated instead. An
    /// example requested by name is always used.
    public var takesAllExamples = false

    public init() {}
}

/// An answer generated from a contract.
public struct MadeAnswer: Sendable {
    public var status: Int
    /// The header fields, including Content-Type.
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    /// The name of the example; nil if the body was generated.
    public var example: String?

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], example: String? = nil)
    {
        self.status = status
        self.headers = headers
        self.body = body
        self.example = example
    }
}
