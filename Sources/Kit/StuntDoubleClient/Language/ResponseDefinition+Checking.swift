import SDJSON
import SDStubModel

/// Finds values that no server can send or that the daemon would reject, where the test wrote them.
extension ResponseDefinition {
    /// Returns the response if it can be sent.
    /// - Throws: the first problem, with the nearest valid value.
    func checked() throws(Stub.Problem) -> ResponseDefinition {
        if statusTemplate == nil { try Self.check(status: status) }
        if let statusMessage { try Self.check(line: statusMessage, of: "the message of a status", isTemplate) }
        for header in headers + trailers + early.flatMap(\.headers) { try check(header) }
        for status in early.map(\.status) { try Self.check(early: status) }
        if bodyFileName == "" { throw Stub.Problem(".file(\"\"): a body file has a name; expected one below __files") }
        try checkTimes()
        try checkProxy()
        for rule in faults?.rules ?? [] { try rule.check() }
        try checkPlaces()
        // The daemon's reader checks the rest. Bodies, which may be large, are left out.
        var rest = self
        (rest.body, rest.jsonBody, rest.base64Body, rest.transformerParameters) = (nil, nil, nil, nil)
        var reader = ModelReader()
        _ = Self.read(rest.json, &reader)
        if let problem = reader.problems.first { throw Stub.Problem(problem.description) }
        return self
    }

    private var isTemplate: Bool { template ?? transformers.contains("response-template") }

    // MARK: Status

    private static let statuses = 200...999

    /// - Parameter call: the kit's call that sets the status, for the message.
    static func check(status: Int, _ call: String = ".status") throws(Stub.Problem) {
        guard !statuses.contains(status) else { return }
        let call = "\(call)(\(status))"
        switch status {
        case 101: throw Stub.Problem("\(call): nothing switches protocols here; expected a status from 200 to 999")
        case 100...199:
            throw Stub.Problem(
                "\(call): clients wait for the answer after an informational status; expected a status from 200 to 999, "
                    + "or .early(\(status)) before one")
        case 0:
            throw Stub.Problem(
                "\(call): expected a status from 200 to 999, or for no answer at all .fault(.emptyResponse)")
        default:
            let digits = Int(String(status.magnitude).prefix(3)).flatMap { statuses.contains($0) ? $0 : nil }
            let meant = digits.map { "; did you mean \($0)?" } ?? ""
            throw Stub.Problem("\(call): expected a status from 200 to 999" + meant)
        }
    }

    private static func check(early status: Int) throws(Stub.Problem) {
        guard !(100...199).contains(status) || status == 101 else { return }
        let meant = statuses.contains(status) ? "; did you mean .status(\(status))?" : ""
        throw Stub.Problem(".early(\(status)): expected an informational status from 100 to 199 other than 101" + meant)
    }

    // MARK: Headers

    private func check(_ header: ResponseHeader) throws(Stub.Problem) {
        let name = header.name
        try Self.check(headerName: name)
        guard !header.values.isEmpty else {
            throw Stub.Problem(".header(\(quoted(name))): expected at least one value, and for an empty one \"\"")
        }
        for value in header.values { try Self.check(line: value, of: "the header \(quoted(name))", isTemplate) }
    }

    /// - Throws: `Stub.Problem` for a name that is not a valid field name (RFC 9110, section 5.1).
    static func check(headerName name: String) throws(Stub.Problem) {
        guard !HTTPToken.isToken(name) else { return }
        var meant = name.trimmingBlanks
        if meant.hasSuffix(":") { meant = String(meant.dropLast()) }
        meant = meant.split(separator: " ").joined(separator: "-")
        let suggestion = HTTPToken.isToken(meant) ? "; did you mean \(quoted(meant))?" : ""
        throw Stub.Problem(
            "\(quoted(name)) is no name of a header; expected letters, digits and any of !#$%&'*+-.^_`|~" + suggestion)
    }

    /// Checks text that is sent on a header line.
    /// - Parameter isTemplate: whether template expressions may change the text.
    static func check(line text: String, of what: String, _ isTemplate: Bool = false) throws(Stub.Problem) {
        guard text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else { return }
        if isTemplate, text.contains("{{") { return }
        let lines = text.split { $0.isNewline }.map { quoted(String($0)) }
        let isOfLines = text.contains { $0.isNewline }
        let meant = !isOfLines ? "" : lines.count > 1 ? ", or several values: \(lines.joined(separator: ", "))" : ""
        throw Stub.Problem(
            "\(what) has \(isOfLines ? "a line end" : "a control character"): \(quoted(text)); "
                + "expected one line of text" + meant)
    }

    // MARK: Proxy

    private func checkProxy() throws(Stub.Problem) {
        for header in additionalProxyRequestHeaders { try check(header) }
        for name in removeProxyRequestHeaders { try Self.check(headerName: name) }
        guard let url = proxyBaseUrl else {
            let call = [
                proxyUrlPrefixToRemove.map { _ in ".removingPathPrefix" },
                additionalProxyRequestHeaders.first.map { _ in ".proxyHeader" },
                removeProxyRequestHeaders.first.map { _ in ".removingProxyHeaders" },
                proxyHttp2.map { _ in ".overHTTP2" },
            ]
            guard let found = call.compactMap(\.self).first else { return }
            throw Stub.Problem("\(found) has no effect without a server; expected .proxy(to: …) before it")
        }
        if url.contains("{{") { return }
        guard URLParts(url) != nil else {
            let meant =
                URLParts("https://" + url) != nil && !url.contains("://")
                ? "; did you mean \(quoted("https://" + url))?" : ""
            throw Stub.Problem(
                ".proxy(to: \(quoted(url))): expected a URL that begins with http:// or https://, such as "
                    + "\"https://staging.example.com\"" + meant)
        }
    }

    // MARK: Times

    private func checkTimes() throws(Stub.Problem) {
        try Stub.Problem.check(fixedDelayMilliseconds, ".delay")
        try delayDistribution?.check(".delay")
        try delays?.firstByte?.check(".delays(firstByte:)")
        try delays?.perChunk?.check(".delays(perChunk:)")
        try Stub.Problem.check(chunkedDribbleDelay?.totalDuration, ".dribble(over:)")
        if let chunks = chunkedDribbleDelay?.numberOfChunks, chunks < 1 {
            throw Stub.Problem(".dribble(chunks: \(chunks)): expected at least 1 chunk")
        }
        try Stub.Problem.check(hold?.timeoutMilliseconds, ".hold(timeout:)")
        if case .status(let status) = hold?.onTimeout { try Self.check(status: status) }
        for item in stream?.items ?? [] {
            try Stub.Problem.check(item.after, ".after")
            switch item.content {
            case .hold(let hold): try Stub.Problem.check(hold.timeoutMilliseconds, ".hold(timeout:)")
            case .event(let event): try Stub.Problem.check(event.retryMilliseconds, ".event(retry:)")
            case .chunk, .base64: break
            }
        }
    }
}

/// Checks that positions in a body are within it; beyond its end nothing would happen.
extension ResponseDefinition {
    private func checkPlaces() throws(Stub.Problem) {
        let places = (faults?.rules ?? []).flatMap(\.changes).compactMap { change -> (call: String, least: Int)? in
            switch change {
            case .cut(.byte(let count), _): (".cut(after: \(count))", count)
            case .stall(let count, _): (".stall(after: \(count))", count)
            case .corruptByte(let offset): (".corrupt(byte: \(offset))", offset + 1)
            default: nil
            }
        }
        guard !places.isEmpty, let size = knownBodySize else { return }
        for (call, least) in places where least > size {
            throw Stub.Problem("\(call): the body has \(size) bytes and would arrive whole; expected a place within it")
        }
    }

    /// The number of bytes of the body; nil if it is not known yet.
    private var knownBodySize: Int? {
        guard !isTemplate, stream == nil, fault == nil else { return nil }
        if let body { return body.utf8.count }
        if let jsonBody { return jsonBody.compactBytes.count }
        if let base64Body { return (try? Base64.decode(base64Body))?.count }
        return bodyFileName == nil ? 0 : nil
    }
}

extension SDStubModel.DelayDistribution {
    /// - Throws: `Stub.Problem` for a negative time, or an invalid sigma.
    func check(_ call: String) throws(Stub.Problem) {
        switch self {
        case .fixed(let milliseconds): try Stub.Problem.check(milliseconds, call)
        case .uniform(let lower, _): try Stub.Problem.check(lower, call + "(.uniform)")
        case .lognormal(let median, let sigma, let most):
            try Stub.Problem.check(median, call + "(.lognormal(median:))")
            try Stub.Problem.check(most, call + "(.lognormal(max:))")
            guard sigma >= 0 else {
                throw Stub.Problem("\(call)(.lognormal(sigma: \(sigma))): expected 0 or more, usually less than 1")
            }
        case .gaussian(let mean, let deviation, let most):
            try Stub.Problem.check(mean, call + "(.gaussian(mean:))")
            try Stub.Problem.check(deviation, call + "(.gaussian(deviation:))")
            try Stub.Problem.check(most, call + "(.gaussian(max:))")
        case .exponential(let mean, let most):
            try Stub.Problem.check(mean, call + "(.exponential(mean:))")
            try Stub.Problem.check(most, call + "(.exponential(max:))")
        }
    }
}

extension SDStubModel.FaultRule {
    /// - Throws: `Stub.Problem` for a fault that no client could see.
    func check() throws(Stub.Problem) {
        if case .status(let status) = replacement { try ResponseDefinition.check(status: status, ".fault(.status)") }
        try delay?.check(".fault(.delay)")
        for change in changes {
            switch change {
            case .bandwidth(let rate) where rate.bytesPerSecond < 1:
                throw Stub.Problem(
                    ".bandwidth(\(rate.bytesPerSecond) bytes a second): expected at least .bytes(1); "
                        + "a body that never comes is .fault(.stall(after: 0))")
            case .cut(.byte(let count), _) where count < 0:
                throw Stub.Problem(".cut(after: \(count)): expected a number of bytes from 0, or .head for none")
            case .cut(.chunk(let count), _) where count < 0:
                throw Stub.Problem(".cut(after: .chunk(\(count))): expected a number of chunks from 0")
            case .cut(.share(let share), _) where !(0...1).contains(share):
                let meant = (1...100).contains(share) ? "; did you mean .share(\(share / 100))?" : ""
                throw Stub.Problem(".cut(after: .share(\(share))): expected a part of the body from 0 to 1" + meant)
            case .wrongLength(0):
                throw Stub.Problem(".wrongLength(by: 0): expected a difference, such as 5 or -1")
            case .slowClose(let milliseconds): try Stub.Problem.check(milliseconds, ".slowClose")
            case .slice(_, let gap): try Stub.Problem.check(gap, ".slice(gap:)")
            case .stall(_, let milliseconds): try Stub.Problem.check(milliseconds, ".stall(for:)")
            case .duplicateHeader(let name, let value):
                try ResponseDefinition.check(headerName: name)
                if let value { try ResponseDefinition.check(line: value, of: "the second header \(quoted(name))") }
            case .cut(_, .goAway(_, let stream?)) where stream > UInt32(Int32.max):
                throw Stub.Problem(".goAway(lastStream: \(stream)): expected the id of a stream, up to \(Int32.max)")
            default: break
            }
        }
        if let first = conditions.first, first < 1 {
            throw Stub.Problem(".first(\(first)): expected at least 1 request")
        }
        if let header = conditions.firstPer { try ResponseDefinition.check(headerName: header) }
        if let probability = conditions.probability, !(0...1).contains(probability) {
            let meant = (1...100).contains(probability) ? "; did you mean \(probability / 100)?" : ""
            throw Stub.Problem(".probability(\(probability)): expected a number from 0 to 1" + meant)
        }
    }

    /// The rule as a fault of the session.
    /// - Throws: `Stub.Problem` if the rule is not valid there.
    func checkedPlan() throws(Stub.Problem) -> FaultPlan {
        try check()
        let plan = FaultPlan([self])
        var reader = ModelReader()
        _ = FaultPlan.read(plan.json, isOfStub: false, &reader)
        if let problem = reader.problems.first { throw Stub.Problem(problem.description) }
        return plan
    }
}

extension Stub.Problem {
    /// - Throws: `Stub.Problem` for a negative time.
    static func check(_ milliseconds: Int?, _ call: String) throws(Stub.Problem) {
        try check(milliseconds.map { Double($0) }, call)
    }

    /// - Throws: `Stub.Problem` for a negative time.
    static func check(_ milliseconds: Double?, _ call: String) throws(Stub.Problem) {
        guard let milliseconds, !(milliseconds >= 0) else { return }
        let whole = Int(min(milliseconds.magnitude, Double(Int32.max)))
        throw Stub.Problem(
            "\(call): expected a time of 0 or more, found -\(whole) ms; did you mean .milliseconds(\(whole))?")
    }
}
