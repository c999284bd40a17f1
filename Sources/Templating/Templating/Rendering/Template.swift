public import SDJSON
import SDJSONPath
public import SDPlatform

/// A template that was read: WireMock's Handlebars, with its helpers.
///
/// Immutable, and rendered by any number of threads.
public struct Template: Sendable {
    let nodes: [TemplateNode]
    /// The text, for the positions of errors.
    let bytes: [UInt8]
    /// What the template is in place of a text; nil for a text.
    let json: JSONForm?

    /// A JSON document whose strings are templates. What is put into a string is escaped; a string that is nothing but
    /// an expression becomes the JSON of its value where that is a list or an object.
    enum JSONForm: Sendable {
        /// Numbers, booleans and null become texts, as in WireMock.
        case texts
        /// They become what they are.
        case values
    }

    /// Reads a template. Only what stands between the first `{{` and the last `}}` is read as one, as WireMock does it;
    /// the rest is text.
    /// - Throws: where and why it cannot be read.
    public init(_ bytes: [UInt8]) throws(TemplateError) {
        self.bytes = bytes
        json = nil
        guard let range = Self.compiledRange(of: bytes) else {
            nodes = bytes.isEmpty ? [] : [.text(bytes)]
            return
        }
        var parser = TemplateParser(bytes, range)
        var nodes = try parser.template()
        if range.lowerBound > 0 { nodes.insert(.text(Array(bytes[..<range.lowerBound])), at: 0) }
        if range.upperBound < bytes.count { nodes.append(.text(Array(bytes[range.upperBound...]))) }
        self.nodes = nodes
    }

    /// Reads a JSON document whose strings and names are templates. A block may begin in one string and end in another.
    /// - Parameter keepsTypes: whether a string that is nothing but an expression becomes a number, boolean or null where
    ///   its value is one; lists and objects become JSON in any case.
    /// - Throws: `TemplateError` for the first tag that cannot be read, with the path of its string.
    public init(json document: JSONValue, keepsTypes: Bool) throws(TemplateError) {
        bytes = OpenJSON.open(document)
        json = keepsTypes ? .values : .texts
        guard let range = Self.compiledRange(of: bytes) else {
            nodes = [.text(bytes)]
            return
        }
        var parser = TemplateParser(bytes, range, isJSON: true)
        do throws(TemplateError) {
            nodes = try parser.template()
        } catch {
            throw error.located(in: document, bytes)
        }
    }

    /// A text that stands for itself, whatever it contains.
    public init(plain text: String) {
        json = nil
        bytes = Array(text.utf8)
        nodes = bytes.isEmpty ? [] : [.text(bytes)]
    }

    /// Reads a text as a template.
    /// - Throws: `TemplateError` for the first tag that cannot be read, with its place.
    public init(_ text: String) throws(TemplateError) {
        try self.init(Array(text.utf8))
    }

    /// Whether a text has anything to render.
    public static func isTemplate(_ bytes: [UInt8]) -> Bool { compiledRange(of: bytes) != nil }

    private static func compiledRange(of bytes: [UInt8]) -> Range<Int>? {
        let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
        guard bytes.count >= 4,
            let start = (0..<(bytes.count - 1)).first(where: { bytes[$0] == open && bytes[$0 + 1] == open }),
            let last = (1..<bytes.count).last(where: { bytes[$0] == close && bytes[$0 - 1] == close }),
            last > start + 2
        else { return nil }
        return start..<(last + 1)
    }

    /// Whether the template has nothing to render: then it stands for itself.
    public var isPlain: Bool {
        switch nodes.count {
        case 0: return bytes.isEmpty
        case 1: if case .text(let text) = nodes[0] { return text == bytes } else { return false }
        default: return false
        }
    }

    /// Renders the template.
    /// - Parameter environment: what it knows of the request and the server.
    /// - Throws: why it cannot be rendered.
    public func render(_ environment: RenderEnvironment) throws(RenderError) -> [UInt8] {
        defer { environment.failure?.locate(in: bytes) }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 128)
        let written = json == nil ? try environment.writeDirectly(nodes, to: &output) : 0
        if json == nil, written == nodes.count { return output }
        let renderer = Renderer(environment, after: output, json: json)
        try renderer.render(nodes, from: written)
        // What a value is while the budget is spent does not count.
        try renderer.draw(json == nil ? 0 : renderer.output.count / 16)
        guard json != nil else { return renderer.output }
        let closed = OpenJSON.close(renderer.output)
        try renderer.checkSize(closed.count)
        return closed
    }
}

/// The environment of templates that are rendered for one request. Several templates of one response share it.
///
/// A subclass makes the model and the system when a template first needs them, and may know values without them.
open class RenderEnvironment {
    public final let budget: WorkBudget
    public final let limits: RenderLimits
    // All of these belong to the thread that renders, and none is accessed in the middle of another access to it.

    @exclusivity(unchecked) private final var knownModel: (any TemplateObject)?
    @exclusivity(unchecked) private final var knownSystem: (any RenderSystem)?
    /// The first call of a helper that failed; nil if none has. The answer has what WireMock's has.
    @exclusivity(unchecked) public final internal(set) var failure: HelperFailure?
    /// The text that was read as JSON last, usually the body of the request, and what it is; nil for no JSON.
    @exclusivity(unchecked) private final var lastJSON: (text: String, document: JSONDocument?)?
    /// The work of the moment.
    @exclusivity(unchecked) final var work = WorkBudget.Work("output", "of the template")

    /// - Parameters:
    ///   - model: the names that a template can use; nil if a subclass makes them.
    ///   - system: the server as helpers see it; nil if a subclass makes it.
    public init(
        model: (any TemplateObject)?, budget: WorkBudget, system: (any RenderSystem)?,
        limits: RenderLimits = RenderLimits()
    ) {
        knownModel = model
        knownSystem = system
        self.budget = budget
        self.limits = limits
    }

    /// Makes the names that a template can use.
    open func makeModel() -> any TemplateObject { preconditionFailure("an environment without a model") }

    /// Makes the server as helpers see it.
    open func makeSystem() -> any RenderSystem { preconditionFailure("an environment without a system") }

    /// Writes a value that is known without the model.
    /// - Returns: false if it is not, and nothing is written.
    open func write(_ value: DirectValue, to output: inout [UInt8]) -> Bool { false }

    /// The names that a template can use.
    public final var model: any TemplateObject {
        if let knownModel { return knownModel }
        let made = makeModel()
        knownModel = made
        return made
    }

    /// The server as helpers see it.
    public final var system: any RenderSystem {
        if let knownSystem { return knownSystem }
        let made = makeSystem()
        knownSystem = made
        return made
    }

    /// Notes that a helper failed.
    final func fails(_ helper: String, _ message: String, at offset: Int) {
        if failure == nil { failure = HelperFailure(helper: helper, message: message, offset: offset) }
    }

    /// A text read as JSON, in the way of WireMock's helpers; nil if it is none. Asked for the same text again, it does
    /// not read it again.
    final func json(_ text: String) -> JSONDocument? {
        if let lastJSON, lastJSON.text.utf8.count == text.utf8.count, lastJSON.text == text { return lastJSON.document }
        let bytes = Array(text.utf8)[...]
        guard affords(Cost.tapeOfByte * bytes.count) else { return nil }
        var document = JSONTape(bytes).map { JSONDocument.tape($0) }
        if document == nil {
            guard affords(Cost.treeOfByte * bytes.count) else { return nil }
            document = LenientJSON.parse(bytes).map { .tree($0) }
        }
        lastJSON = (text, document)
        return document
    }
}

/// Bounds on what a template may cost beside time.
public struct RenderLimits: Sendable {
    /// The most bytes of output.
    public var output = 64 << 20
    /// The most blocks and partials within one another while they are rendered.
    public var depth = 100

    public init() {}
}

/// The server as helpers see it.
public protocol RenderSystem: AnyObject {
    /// The next random number.
    func random() -> UInt64
    /// The time, in nanoseconds since 1970.
    var wallTime: UInt64 { get }
    var hostName: String { get }
    /// The variable of the environment or the property of that name; nil if there is none.
    /// - Throws: if the name is not permitted.
    func systemValue(_ key: String, isProperty: Bool) -> SystemValue
    /// Does the work of a helper that the server provides.
    /// - Throws: `RenderError` if there is no such helper, or it fails.
    func value(of call: ServerCall) throws(RenderError) -> TemplateValue
}

/// The answer to a request for a variable of the environment.
public enum SystemValue: Sendable {
    case value(String)
    case missing
    case denied
}
