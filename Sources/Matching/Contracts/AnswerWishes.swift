public import SDStubModel

/// What decides among the answers of an operation.
public struct AnswerWishes: Sendable {
    /// Where bodies come from.
    public typealias Source = OpenAPIAnswer.Source

    /// The status that is wanted; nil for the lowest success.
    public var status: Int?
    /// The name of the example that is wanted.
    public var example: String?
    public var source = Source.examples
    /// The seed of what is made: the same for the same request.
    public var seed: UInt64 = 0
    /// The number of items of a list, where its schema allows; nil for two or three.
    public var listLength: ClosedRange<Int>?
    /// Down to which level members are made that need not be there.
    public var optionalLevels = 5
    /// Whether nothing acceptable is 406; else it is the first content type.
    public var isStrictAboutAccept = false

    /// Whether examples are taken although they are not valid against their schemas; else what is valid is made in their
    /// place. An example that is asked for by its name is always taken.
    public var takesAllExamples = false

    public init() {}
}

/// An answer by a contract.
public struct MadeAnswer: Sendable {
    public var status: Int
    /// Its header fields, Content-Type among them.
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    /// The name of the example that it is; nil if it was made.
    public var example: String?

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], example: String? = nil)
    {
        self.status = status
        self.headers = headers
        self.body = body
        self.example = example
    }
}
