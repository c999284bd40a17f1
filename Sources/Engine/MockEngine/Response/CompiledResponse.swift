import HTTPTransport
import JSON
import StubModel
import Synchronization

/// How responses are framed: WireMock's `--use-chunked-encoding`.
public enum ChunkedEncodingPolicy: Sendable {
    case always, never, bodyFile
}

/// The choices of the daemon that change the bytes of a response.
public struct ResponseOptions: Sendable, Equatable {
    public var chunkedEncoding = ChunkedEncodingPolicy.always
    /// Compress where the client takes gzip.
    public var gzip = true

    public init() {}
}

/// A response definition made ready for the wire. Each form of it is rendered once, and shared by all requests of that
/// form.
final class CompiledResponse: Sendable {
    /// It has a delay of its own.
    let isDelayed: Bool
    private let content: Content
    private let stored: StoredMapping
    /// In place of the mapping's own, where that has several.
    private let replacement: ResponseDefinition?
    private let options: ResponseOptions
    /// The forms that were asked for, but the plain one of a constant response, which its stub keeps; valid for one version
    /// of the body file.
    private let others = Mutex(FormCache())

    private enum Content {
        /// It stands in the definition.
        case inline
        case file(String)
        case fault(Fault)
    }

    private struct FormCache {
        var version: UInt64 = 0
        var forms: [ResponseForm: WireScript] = [:]
    }

    /// - Parameter replacement: in place of the mapping's own response.
    init(
        _ stored: StoredMapping, replacement: ResponseDefinition? = nil, options: ResponseOptions
    ) throws(ResponseProblem) {
        let definition = replacement ?? stored.response
        self.stored = stored
        self.replacement = replacement
        self.options = options
        isDelayed = definition.fixedDelayMilliseconds != nil || definition.delayDistribution != nil
        if let fault = definition.fault {
            content = .fault(fault)
        } else if definition.body == nil, definition.jsonBody == nil, definition.base64Body == nil,
            let path = definition.bodyFileName
        {
            content = .file(path)
        } else {
            content = .inline
            if definition.base64Body != nil { _ = try Self.inlineBody(of: definition) }
        }
    }

    /// The mapping's own. Made anew for each who asks.
    var definition: ResponseDefinition { replacement ?? stored.response }

    /// The header lines of the stub's own, and those that name it.
    private var identity: StubIdentity { StubIdentity(id: stored.id.lowercasedString, name: stored.name) }

    /// A fault leaves nothing else of the response. Then the body, by WireMock 3's precedence: `body`, `jsonBody`,
    /// `base64Body`, and a file where there is none of these.
    private static func inlineBody(of definition: ResponseDefinition) throws(ResponseProblem) -> [UInt8] {
        if let body = definition.body { return Array(body.utf8) }
        if let json = definition.jsonBody { return json.compactBytes }
        guard let base64 = definition.base64Body else { return [] }
        do {
            return try Base64.decode(base64)
        } catch {
            throw ResponseProblem(field: "base64Body", message: error.detail)
        }
    }

    /// Not kept beside the definition, as it is rarely asked for: what it was made of was checked before.
    private var inlineBody: [UInt8] { (try? Self.inlineBody(of: definition)) ?? [] }

    /// The body as it is journalled: before compression and framing. Beside a fault it is what the stub says, though it is
    /// not sent.
    func body(files: any BodyFileSource) -> [UInt8] {
        switch content {
        case .fault, .inline: return inlineBody
        case .file(let path): return (try? files.read(path))?.bytes ?? []
        }
    }

    /// The header fields as they go out, for the journal.
    var headerFields: [(String, String)] { identity.fields(definition) }

    /// The response in one form.
    /// - Parameter extraHeaders: header lines for this one response, such as those of CORS.
    func rendered(
        _ form: ResponseForm, extraHeaders: [(String, String)], files: any BodyFileSource
    ) throws(BodyFileError) -> WireScript {
        switch content {
        case .fault(let fault):
            return cached(form) { WireScript(fault: fault, form) }
        case .inline where extraHeaders.isEmpty:
            return cached(form) { render(form, inlineBody, isFile: false) }
        case .inline:
            return render(form, inlineBody, isFile: false, extraHeaders)
        case .file(let path):
            let file = try files.read(path)
            guard extraHeaders.isEmpty else { return render(form, file.bytes, isFile: true, extraHeaders) }
            return cached(form, version: file.version) { render(form, file.bytes, isFile: true) }
        }
    }

    /// The body file that it sends; nil where it sends none.
    var filePath: String? {
        if case .file(let path) = content { path } else { nil }
    }

    /// No body file and nothing else can change what a form looks like.
    var isConstant: Bool {
        if case .file = content { false } else { true }
    }

    private func cached(_ form: ResponseForm, _ make: () -> WireScript) -> WireScript {
        form == [] ? make() : cached(form, version: 0, make)
    }

    private func cached(_ form: ResponseForm, version: UInt64, _ make: () -> WireScript) -> WireScript {
        let known = others.withLock { $0.version == version ? $0.forms[form] : nil }
        if let known { return known }
        let made = make()
        others.withLock { cache in
            if cache.version != version { cache = FormCache(version: version) }
            cache.forms[form] = made
        }
        return made
    }

    private func render(
        _ form: ResponseForm, _ body: [UInt8], isFile: Bool, _ extraHeaders: [(String, String)] = []
    ) -> WireScript {
        let definition = definition
        let own = identity.fields(definition)
        return ResponseRenderer(
            definition: definition, fields: own + CORS.headers(extraHeaders, besides: own), options: options,
            isFile: isFile
        ).render(form, body)
    }
}

/// What is wrong with a response definition.
public struct ResponseProblem: Error, Sendable, Equatable {
    public let field: String
    public let message: String
}

/// The header lines of a stub: its own, then those that tell which stub answered.
struct StubIdentity: Sendable {
    let id: String
    let name: String?

    func fields(_ definition: ResponseDefinition) -> [(String, String)] {
        var fields = definition.headers.flatMap { header in header.values.map { (header.name, $0) } }
        fields.append(("Matched-Stub-Id", id))
        if let name { fields.append(("Matched-Stub-Name", asciiOnly(name))) }
        return fields
    }

    private func asciiOnly(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isASCII ? $0 : "?" }))
    }
}
