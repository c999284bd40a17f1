public import SDJSON
import SDJSONPath
public import SDPlatform

/// A parsed template: WireMock's Handlebars, with its helpers.
///
/// Immutable; any number of threads may render it.
public struct Template: Sendable {
    let nodes: [TemplateNode]
    /// The source text, for positions of errors.
    let bytes: [UInt8]
    /// The JSON form of the template; nil for a text template.
    let json: JSONForm?

    /// A JSON document whose strings are templates. Values inserted into a string are escaped; a string that is a
    /// single expression becomes JSON if its value is a list or an object.
    enum JSONForm: Sendable {
        /// Numbers, booleans and null become strings, as in WireMock.
        case texts
        /// Numbers, booleans and null keep their types.
        case values
    }

    /// Parses a template. As in WireMock, only the text from the first `{{` to the last `}}` is parsed; the rest is
    /// literal.
    /// - Throws: `TemplateError` with the position and reason.
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

    /// Parses a JSON document whose strings and names are templates. A block may start in one string and end in
    /// another.
    /// - Parameter keepsTypes: whether a string that is a single expression becomes a number, boolean or null if its
    ///   value is one; lists and objects become JSON in any case.
    /// - Throws: `TemplateError` for the first invalid tag, with the path of its string.
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

    /// A literal text.
    public init(plain text: String) {
        json = nil
        bytes = Array(text.utf8)
        nodes = bytes.isEmpty ? [] : [.text(bytes)]
    }

    /// Parses a text as a template.
    /// - Throws: `TemplateError` for the first invalid tag, with its position.
    public init(_ text: String) throws(TemplateError) {
        try self.init(Array(text.utf8))
    }

    /// Whether a text contains anything to render.
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

    /// Whether the template has nothing to render, and so is literal.
    public var isPlain: Bool {
        switch nodes.count {
        case 0: return bytes.isEmpty
        case 1: if case .text(let text) = nodes[0] { return text == bytes } else { return false }
        default: return false
        }
    }

    /// Renders the template.
    /// - Parameter environment: the request's names and the server.
    /// - Throws: `RenderError` if it cannot be rendered.
    public func render(_ environment: RenderEnvironment) throws(RenderError) -> [UInt8] {
        defer { environment.failure?.locate(in: bytes) }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 128)
        let written = json == nil ? try environment.writeDirectly(nodes, to: &output) : 0
        if json == nil, written == nodes.count { return output }
        let renderer = Renderer(environment, after: output, json: json)
        try renderer.render(nodes, from: written)
        // A value computed with an exhausted budget is invalid.
        try renderer.spend(json == nil ? 0 : renderer.output.count / 16)
        guard json != nil else { return renderer.output }
        let closed = OpenJSON.close(renderer.output)
        try renderer.checkSize(closed.count)
        return closed
    }
}

/// The environment for templates of one request, shared by the templates of one response.
///
/// A subclass creates the model and the system on first use, and may provide values without them.
open class RenderEnvironment {
    public final let budget: WorkBudget
    public final let limits: RenderLimits
    // All properties are accessed only by the rendering thread, and accesses never overlap.

    @exclusivity(unchecked) private final var knownModel: (any TemplateObject)?
    @exclusivity(unchecked) private final var knownSystem: (any RenderSystem)?
    /// The first failed helper call; nil if none failed. The response then contains WireMock's error text.
    @exclusivity(unchecked) public final internal(set) var failure: HelperFailure?
    /// The last text that was parsed as JSON, usually the request body, with the result; nil if it is invalid.
    @exclusivity(unchecked) private final var lastJSON: (text: String, document: JSONDocument?)?
    /// The current work.
    @exclusivity(unchecked) final var work = WorkBudget.Work("output", "of the template")

    /// - Parameters:
    ///   - model: the names for the template; nil if a subclass makes them.
    ///   - system: the server for helpers; nil if a subclass makes it.
    public init(
        model: (any TemplateObject)?, budget: WorkBudget, system: (any RenderSystem)?,
        limits: RenderLimits = RenderLimits()
    ) {
        knownModel = model
        knownSystem = system
        self.budget = budget
        self.limits = limits
    }

    /// Makes the names for the template.
    open func makeModel() -> any TemplateObject { preconditionFailure("an environment without a model") }

    /// Makes the server for helpers.
    open func makeSystem() -> any RenderSystem { preconditionFailure("an environment without a system") }

    /// Writes a value that is known without the model.
    /// - Returns: false if it is unknown; then nothing is written.
    open func write(_ value: DirectValue, to output: inout [UInt8]) -> Bool { false }

    /// The names for the template.
    public final var model: any TemplateObject {
        if let knownModel { return knownModel }
        let made = makeModel()
        knownModel = made
        return made
    }

    /// The server for helpers.
    public final var system: any RenderSystem {
        if let knownSystem { return knownSystem }
        let made = makeSystem()
        knownSystem = made
        return made
    }

    /// Records a failed helper call.
    final func fails(_ helper: String, _ message: String, at offset: Int) {
        if failure == nil { failure = HelperFailure(helper: helper, message: message, offset: offset) }
    }

    /// Parses a text as JSON like WireMock's helpers; nil if it is invalid. The result for the last text is cached.
    final func json(_ text: String) -> JSONDocument? {
        if let lastJSON, lastJSON.text.utf8.count == text.utf8.count, lastJSON.text == text { return lastJSON.document }
        let bytes = Array(text.utf8)[...]
        guard tryReserve(Cost.tapeOfByte * bytes.count) else { return nil }
        var document = JSONTape(bytes).map { JSONDocument.tape($0) }
        if document == nil {
            guard tryReserve(Cost.treeOfByte * bytes.count) else { return nil }
            document = LenientJSON.parse(bytes).map { .tree($0) }
        }
        lastJSON = (text, document)
        return document
    }
}

/// Limits on the cost of a template besides time.
public struct RenderLimits: Sendable {
    /// The maximum size of the output in bytes.
    public var output = 64 << 20
    /// The maximum nesting depth of blocks and partials during rendering.
    public var depth = 100

    public init() {}
}

/// The server, as used by helpers.
public protocol RenderSystem: AnyObject {
    /// The next random number.
    func random() -> UInt64
    /// The time, in nanoseconds since 1970.
    var wallTime: UInt64 { get }
    var hostName: String { get }
    /// An environment variable or a property; nil if it is not set.
    /// - Throws: `RenderError` if the name is not permitted.
    func systemValue(_ key: String, isProperty: Bool) -> SystemValue
    /// Runs a helper that the server implements.
    /// - Throws: `RenderError` if there is no such helper, or it fails.
    func value(of call: ServerCall) throws(RenderError) -> TemplateValue
}

/// The result of a look-up of an environment variable or a property.
public enum SystemValue: Sendable {
    case value(String)
    case missing
    case denied
}
