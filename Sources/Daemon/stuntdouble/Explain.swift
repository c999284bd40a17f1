import SDBasics
import SDCommand
import SDJSON
import SDMockEngine
import SDPlatform
import SDStubModel

/// `stuntdouble explain`: the stub that answers a request and the reason, or the differences from the nearest stubs.
enum Explain {
    /// Runs the command.
    /// - Returns: the exit status: 0 if a stub or a body file would answer, or `cors` would allow the preflight; 1 if
    ///   not; 2 if the question is invalid or cannot be asked.
    static func run(_ options: QueryOptions) -> Int32 {
        do throws(AdminClientProblem) {
            let request = try request(options)
            let answer: JSONValue
            if let client = AdminClient(options) {
                answer = try client.call("POST", "/explain", body: request)
            } else {
                answer = try QueriedFolder(options).explain(request)
            }
            let isMatched =
                answer["stubMapping"]?.objectValue != nil || answer["bodyFile"] != nil || answer["passThrough"] != nil
                || answer["preflight"]?["allowed"] == true
            let folder = options.server == nil ? options.root.path : answer["folder"]?.stringValue
            let printed =
                options.format == .json
                ? Console.print(document: answer)
                : Console.show(ExplanationText(answer, options, folder: folder).text)
            return isMatched ? printed : 1
        } catch {
            return error.report()
        }
    }

    /// The request as the admin API expects it.
    /// - Throws: if the URL is invalid or the body cannot be read.
    private static func request(_ options: QueryOptions) throws(AdminClientProblem) -> JSONValue {
        var request: JSONObject = ["method": .string(options.isMessage ? "GET" : options.method)]
        let isAbsolute = options.target.contains(text: "://")
        let target = try target(options.target, isAbsolute: isAbsolute)
        request[isAbsolute ? "absoluteUrl" : "url"] = .string(target)
        if isAbsolute { request["url"] = .string(target.pathOfURL ?? target) }
        var headers = JSONObject()
        for header in options.headers {
            let values = (headers[header.name]?.arrayValue ?? []) + [.string(header.value)]
            headers[header.name] = .array(values)
        }
        if options.isMessage {
            request["headers"] = .object(headers)
            request["message"] = try message(options)
            return .object(request)
        }
        if options.data != nil, !options.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            headers["Content-Type"] = ["application/x-www-form-urlencoded"]
        }
        request["headers"] = .object(headers)
        if let data = options.data { request["bodyAsBase64"] = .string(Base64.encode(try body(data))) }
        return .object(request)
    }

    /// The text of the WebSocket message to explain.
    /// - Throws: if there is none, or it cannot be read.
    private static func message(_ options: QueryOptions) throws(AdminClientProblem) -> JSONValue {
        guard let data = options.data else {
            let question = "stuntdouble explain \(options.method) \(shellWord(options.target)) --data hello"
            throw AdminClientProblem("missing the message to explain", fix: question)
        }
        let bytes = try body(data)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return ["body": ["base64Data": .string(Base64.encode(bytes))]]
        }
        return .string(text)
    }

    /// The request target for a URL typed by a person: spaces and non-ASCII characters escaped, without a fragment.
    /// - Throws: if it is invalid.
    private static func target(_ url: String, isAbsolute: Bool) throws(AdminClientProblem) -> String {
        guard isAbsolute || url.hasPrefix("/") || url == "*" else {
            let hasPort = url.prefix { $0 != "/" }.contains(":")
            let meant = hasPort ? "http://\(url)" : "/\(url)"
            throw AdminClientProblem(
                "the URL \(url) does not begin with /" + didYouMean(meant, in: ""), fix: "write \(meant)")
        }
        let hexadecimal = Array("0123456789ABCDEF".utf8)
        var sent: [UInt8] = []
        for byte in url.utf8.prefix(while: { $0 != UInt8(ascii: "#") }) {
            if byte > 0x20, byte < 0x7f {
                sent.append(byte)
            } else {
                sent += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: sent, as: UTF8.self)
    }

    /// The body; `@file` stands for a file's content, `@-` for standard input.
    /// - Throws: if it cannot be read.
    private static func body(_ data: String) throws(AdminClientProblem) -> [UInt8] {
        guard data.hasPrefix("@") else { return Array(data.utf8) }
        let isInput = data == "@-"
        let path = isInput ? "standard input" : String(data.dropFirst())
        do throws(SystemError) {
            let file = try isInput ? SystemCalls.standardInput() : SystemCalls.open(path, .readWaiting)
            return try SystemCalls.readAll(file, limit: 1 << 30, path: path, waiting: true)
        } catch {
            throw AdminClientProblem("--data: \(error)", fix: "name a file that can be read, as @FILE")
        }
    }
}

/// Why the daemon or the folder cannot answer a question.
struct AdminClientProblem: Error {
    let message: String
    /// The next step.
    let fix: String

    /// Whether no daemon answered.
    let isUnreachable: Bool
    /// The admin API's own address, if another port was asked.
    let adminServer: ServerURL?

    init(_ message: String, fix: String, isUnreachable: Bool = false, adminServer: ServerURL? = nil) {
        self.adminServer = adminServer
        self.message = message
        self.fix = fix
        self.isUnreachable = isUnreachable
    }

    /// Prints the problem.
    /// - Returns: the exit status.
    func report() -> Int32 {
        Console.error(message, fix: fix)
        return CommandLineError.exitCode
    }
}

/// An explanation as text.
private struct ExplanationText {
    let answer: JSONValue
    let options: QueryOptions
    /// A prefix for file paths; nil for none.
    let folder: String?

    init(_ answer: JSONValue, _ options: QueryOptions, folder: String?) {
        self.answer = answer
        self.options = options
        self.folder = folder
    }

    var text: String {
        head + list("May not answer now", answer["ineligible"], reasoned)
            + list("Noted", answer["notes"]) {
                ($0["message"]?.stringValue ?? "").split(separator: "\n").joined(separator: "\n    ")
            }
    }

    private var head: String {
        if options.isMessage { return headOfMessage }
        let request = "\(options.method) \(options.target)"
        let reason = answer["reason"]?.stringValue ?? ""
        if let preflight = answer["preflight"], let text = preflight["rule"]?.stringValue {
            let place = answer["file"]?.stringValue.map { FileLocation(file: $0, line: answer["line"]?.intValue) }
            let whole = text + (place.map { " at \($0.text(in: folder))" } ?? "")
            return "\(request) is \(whole): \(preflight["status"]?.intValue ?? 0).\n\(reason).\n"
        }
        if let file = answer["bodyFile"]?.stringValue {
            return "\(request) is answered by the file \(file) in __files. \(reason).\n"
        }
        if answer["passThrough"] != nil { return "No stub answers \(request). \(reason).\n" }
        guard let mapping = answer["stubMapping"], mapping.objectValue != nil else {
            return "No stub answers \(request). \(reason).\n"
                + list("Nearest", answer["nearMisses"]) { miss in
                    ([stub(miss)] + differences(miss) + warnings(miss)).joined(separator: "\n    ")
                }
                + list("It may be meant for a stub file that has errors", answer["brokenFiles"]) {
                    $0.stringValue ?? ""
                }
        }
        return "\(request) is answered by \(stub(answer)): \(StubAnswer(mapping).text).\n\(reason).\n"
            + (answer["failure"]?.stringValue.map { "The response is a 500: \($0).\n" } ?? "")
            + list("It hides", answer["shadows"], reasoned)
    }

    private var headOfMessage: String {
        let reason = answer["reason"]?.stringValue ?? ""
        guard let mapping = answer["stubMapping"]?.objectValue else {
            return "No message stub acts on this message on \(options.target). \(reason).\n"
                + list("Nearest", answer["nearMisses"]) { miss in
                    ([stub(miss)] + differences(miss)).joined(separator: "\n    ")
                }
                + (answer["smallestChange"]?.stringValue.map { "\($0).\n" } ?? "")
        }
        let actions = (mapping["actions"]?.arrayValue?.count ?? 0).of("action")
        return "The message stub \(stub(answer)) acts on this message on \(options.target): \(actions).\n\(reason).\n"
            + list("It hides", answer["shadows"], stub)
    }

    private func reasoned(_ item: JSONValue) -> String { "\(stub(item)): \(item["reason"]?.stringValue ?? "")" }

    private func list(_ title: String, _ items: JSONValue?, _ line: (JSONValue) -> String) -> String {
        guard let items = items?.arrayValue, !items.isEmpty else { return "" }
        return "\(title):\n" + items.map { "  \(line($0))\n" }.joined()
    }

    private func stub(_ json: JSONValue) -> String {
        let name = json["name"] ?? json["stubMapping"]?["name"]
        return StubReference(
            id: StubMapping().id, name: name?.stringValue, file: json["file"]?.stringValue,
            line: json["line"]?.intValue, key: json["key"]?.stringValue ?? ""
        ).text(in: folder)
    }

    private func warnings(_ miss: JSONValue) -> [String] {
        (miss["warnings"]?.arrayValue ?? []).map { "warning: " + ($0.stringValue ?? "") }
    }

    private func differences(_ miss: JSONValue) -> [String] {
        let failed = (miss["attributes"]?.arrayValue ?? []).filter { $0["matches"] == false }
        let lines = failed.flatMap { attribute in
            let name = [attribute["attribute"], attribute["name"]].compactMap { $0?.stringValue }.joined(separator: " ")
            let line = "\(name): expected \(Self.expected(attribute["expected"])), \(Self.actual(attribute["actual"]))"
            return [line] + (attribute["differences"]?.arrayValue ?? []).map { "  " + ($0.stringValue ?? "") }
        }
        return lines + (miss["ineligible"]?.stringValue.map { [$0] } ?? [])
    }

    private static func expected(_ value: JSONValue?) -> String {
        guard case .object(let object)? = value, let first = object.members.first else {
            return value?.stringValue ?? value?.compactText ?? ""
        }
        if first.key == "absent" { return first.value == false ? "a value" : "none" }
        let operand = first.value.compactText
        return first.key == "equalTo" && object.count == 1 ? operand : "\(first.key) \(operand)"
    }

    private static func actual(_ value: JSONValue?) -> String {
        switch value {
        case .array(let values) where values.isEmpty: "was missing"
        case .array(let values): "was " + values.map(\.compactText).joined(separator: ", ")
        case let value?: "was \(value.compactText)"
        case nil: ""
        }
    }
}
