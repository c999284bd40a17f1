import SDJSON
package import SDMatching
package import SDStubModel

/// The stubs that WireMock makes of exchanges.
package struct RecordedStubs: Sendable {
    /// A body that is too large for its stub.
    package struct BodyFile: Sendable, Equatable {
        /// The path below `__files`.
        package let name: String
        package let bytes: [UInt8]
    }

    /// The stubs, the last exchange first, as WireMock answers. The first exchange is to be tried first.
    package private(set) var mappings: [StubMapping] = []
    package private(set) var bodyFiles: [BodyFile] = []
    /// What is not as it was, as sentences without a full stop.
    package private(set) var remarks: [String] = []

    /// Makes the stubs.
    /// - Parameters:
    ///   - exchanges: in the order in which they were made.
    ///   - filter: the pattern of `spec`, ready to match; nil if the exchanges are filtered already.
    package init(of exchanges: [RecordedExchange], _ spec: RecordSpec, filter: CompiledPattern? = nil) {
        var occurrences: [RequestPattern: Int] = [:]
        for exchange in exchanges {
            let request = RecordedRequest(exchange)
            if let filter, !request.matches(filter) { continue }
            let pattern = request.pattern(spec)
            occurrences[pattern, default: 0] += 1
            if !spec.repeatsAsScenarios, occurrences[pattern, default: 0] > 1 {
                // The last one counts.
                mappings.removeAll { $0.request == pattern }
                occurrences[pattern] = 1
            }
            var stub = StubMapping(
                id: Self.id(pattern, occurrences[pattern] ?? 1), name: RecordedName.stub(path: exchange.path),
                request: pattern, response: exchange.response)
            if spec.persists { stub.persistent = true }
            mappings.append(stub)
            note(exchange)
        }
        mappings.reverse()
        if spec.repeatsAsScenarios { putRepeatsInScenarios(occurrences) }
        if let sizes = spec.extraction {
            for index in mappings.indices {
                if let file = Self.extractBody(of: &mappings[index], above: sizes) { bodyFiles.append(file) }
            }
        }
    }

    /// The id of a stub: always the same for the same request, so that what is recorded again takes its place.
    private static func id(_ pattern: RequestPattern, _ occurrence: Int) -> StubMapping.ID {
        StubMapping.id(hashing: "recorded \(occurrence) \(pattern.json.compactText)")
    }

    private mutating func note(_ exchange: RecordedExchange) {
        let name = "\(exchange.method) \(exchange.target)"
        if exchange.missingBytes > 0 {
            remarks.append(
                "the last \(exchange.missingBytes) bytes of the answer to \(name) are missing: the body was too long "
                    + "for the journal")
        }
        if exchange.missingRequestBytes > 0 {
            remarks.append("the body of \(name) was too long for the journal, and any body matches")
        }
    }

    /// Chains the stubs of equal requests, in the order in which they were made.
    private mutating func putRepeatsInScenarios(_ occurrences: [RequestPattern: Int]) {
        var numbers: [RequestPattern: Int] = [:]
        var left = occurrences
        for index in mappings.indices {
            let pattern = mappings[index].request
            guard let count = occurrences[pattern], count > 1 else { continue }
            let number = numbers[pattern] ?? numbers.count + 1
            numbers[pattern] = number
            let place = left[pattern] ?? 1
            left[pattern] = place - 1
            let scenario = "scenario-\(number)-\(RecordedName.scenario(path: pattern.recordedPath))"
            mappings[index].scenarioName = scenario
            mappings[index].requiredScenarioState = place == 1 ? "Started" : "\(scenario)-\(place)"
            if place < count { mappings[index].newScenarioState = "\(scenario)-\(place + 1)" }
        }
    }

    /// Takes a large body out of its stub.
    static func extractBody(
        of stub: inout StubMapping, above sizes: RecordSpec.Thresholds
    ) -> BodyFile? {
        let contentType = stub.response.headers.first { $0.name.lowercased() == "content-type" }?.values.first
        let type = RecordedType(contentType)
        let bytes: [UInt8]
        if let text = stub.response.body {
            bytes = Array(text.utf8)
        } else if let encoded = stub.response.base64Body, let decoded = try? Base64.decode(encoded) {
            bytes = decoded
        } else {
            return nil
        }
        let isLarge =
            type.isText
            ? (stub.response.body?.utf16.count ?? bytes.count) > sizes.text
            : bytes.count > sizes.binary
        guard isLarge else { return nil }
        let path = stub.request.recordedPath
        let method = if case .exactly(let method) = stub.request.method { method } else { "ANY" }
        let name = RecordedName.bodyFile(
            name: stub.name ?? "", method: method, url: path, id: stub.idText,
            extension: type.fileExtension(path: path, body: bytes))
        stub.response.body = nil
        stub.response.base64Body = nil
        stub.response.bodyFileName = name
        return BodyFile(name: name, bytes: bytes)
    }
}

extension RecordedExchange {
    /// The path of the target, undecoded.
    var path: String { String(target.prefix { $0 != "?" }) }
}

extension RequestPattern {
    /// The path of a recorded pattern, undecoded.
    fileprivate var recordedPath: String {
        switch url {
        case .url(let text), .urlPath(let text): String(text.prefix { $0 != "?" })
        default: ""
        }
    }
}
