import SDBasics
import SDContracts
import SDJSON
import SDOpenAPI
import SDPlatform
import SDStubFiles
import SDStubModel

/// An operation's answers, each with what a request must ask for.
struct ImportedOperation {
    struct Answer {
        var asked: AskedAnswer
        var response: ResponseDefinition
    }

    /// In the order in which they are tried; the default one is last.
    private(set) var answers: [Answer] = []
    /// What the document does and the stubs do not, as sentences without full stops.
    private(set) var losses: [String] = []

    private let operation: APIOperation
    private let contract: Contract
    private let sample: SampleRequest
    /// The same request with other path values; nil without path parameters.
    private let other: SampleRequest?

    /// The maximum number of answers besides the default one.
    private static let maxOthers = 24

    /// - Parameter prefix: the path before the operation's.
    init(_ operation: APIOperation, below prefix: String, _ contract: Contract) {
        self.operation = operation
        self.contract = contract
        sample = SampleRequest(operation, contract, turn: 0)
        let values = sample.values
        other =
            values.isEmpty
            ? nil : (1...4).lazy.map { SampleRequest(operation, contract, turn: $0) }.first { $0.values != values }
        if let problem = operation.problem {
            losses.append("\(operation.key) is left out: \(problem)")
            return
        }
        let usual = AskedAnswer()
        let made: MadeAnswer
        switch answer(usual, to: sample) {
        case .success(let answer): made = answer
        case .failure(let refusal):
            losses.append("\(operation.key) is left out: \(refusal.message)")
            return
        }
        var echoed: Set<String> = []
        let (response, isMade) = response(for: usual, made, &echoed)
        let areOthersMade = addOthers(than: made)
        if isMade || areOthersMade {
            let names = echoed.sorted().joined(separator: ", ")
            losses.append(
                "\(operation.key) gives every request \(isMade ? "" : "with Prefer or Accept ")what the document gives "
                    + "\(operation.method) \(prefix)\(sample.request.path)"
                    + (names.isEmpty ? "" : ", but for its \(names)"))
        }
        answers.append(Answer(asked: usual, response: response))
        if !operation.calls.isEmpty {
            let names = operation.calls.map(\.name).joined(separator: ", ")
            losses.append("\(operation.key) makes no callbacks: \(names)")
        }
    }

    // MARK: Requested answers

    /// Adds the answers that requests can ask for.
    /// - Returns: whether any of them was generated for one request only, and others would differ.
    private mutating func addOthers(than usual: MadeAnswer) -> Bool {
        var asked = alternatives(to: usual)
        if asked.count > Self.maxOthers {
            losses.append("\(operation.key) has \(asked.count - Self.maxOthers) more answers by Prefer and Accept")
            asked.removeLast(asked.count - Self.maxOthers)
        }
        asked.sort { $0.rank.lexicographicallyPrecedes($1.rank) }
        var areMade = false
        for one in asked {
            switch answer(one, to: sample) {
            case .success(let made):
                var echoed: Set<String> = []
                let (response, isMade) = response(for: one, made, &echoed)
                answers.append(Answer(asked: one, response: response))
                areMade = areMade || isMade
            case .failure(let refusal):
                losses.append("\(operation.key) does not answer \(one.words ?? ""): \(refusal.message)")
            }
        }
        return areMade
    }

    /// The possible requests for other answers: by status, content type or example.
    private func alternatives(to usual: MadeAnswer) -> [AskedAnswer] {
        var asked: [AskedAnswer] = []
        for response in operation.responses where response.problem == nil {
            guard let status = status(of: response, usual) else { continue }
            let own = status == usual.status ? nil : status
            if let own { asked.append(AskedAnswer(status: own)) }
            let plain = own == nil ? usual : try? answer(AskedAnswer(status: own), to: sample).get()
            let type = plain?.headers.first { $0.name == "Content-Type" }?.value
            for content in response.contents where content.type != type && !content.type.contains("*") {
                asked.append(AskedAnswer(status: own, type: content.type))
            }
            var names: Set<String> = [""]
            if let known = plain?.example { names.insert(known) }
            for example in response.contents.flatMap(\.examples) where names.insert(example.name).inserted {
                asked.append(AskedAnswer(status: own, example: example.name))
            }
        }
        return asked
    }

    /// The status that selects an answer; nil if it has none of its own.
    private func status(of response: APIResponse, _ usual: MadeAnswer) -> Int? {
        func isFree(_ status: Int) -> Bool {
            !operation.responses.contains { $0.code == .status(status) } && status != usual.status
        }
        switch response.code {
        case .status(let status): return status >= 200 ? status : nil
        case .range(let first):
            // The default answer may be the first of its class.
            if usual.status / 100 == first, !operation.responses.contains(where: { $0.code == .status(usual.status) }) {
                return usual.status
            }
            return (0..<100).lazy.map { first * 100 + $0 }.first { $0 >= 200 && isFree($0) }
        case .standard:
            if !operation.responses.contains(where: { $0.code != .standard }) { return usual.status }
            return (500..<600).lazy.first { status in
                isFree(status) && !operation.responses.contains { $0.code == .range(status / 100) }
            }
        }
    }

    private func answer(_ asked: AskedAnswer, to sample: SampleRequest, seed: UInt64 = 0)
        -> Result<MadeAnswer, ContractRefusal>
    {
        var request = sample.request
        request.headers = asked.headers
        var wishes = AnswerPreferences()
        asked.apply(to: &wishes)
        wishes.seed = request.seed &+ seed
        return contract.answer(to: request, of: operation, wishes: wishes)
    }

    // MARK: Responses

    /// A stub's response, and whether it was generated for one request only, so that others would differ.
    /// - Parameter echoed: collects the names of echoed parameters.
    private func response(
        for asked: AskedAnswer, _ made: MadeAnswer, _ echoed: inout Set<String>
    ) -> (response: ResponseDefinition, isMade: Bool) {
        var response = ResponseDefinition(status: made.status)
        response.headers = made.headers.map { ResponseHeader($0.name, [$0.value]) }
        let elsewhere = other.flatMap { try? answer(asked, to: $0).get() }
        // Without path values that differ, another seed shows whether something was generated.
        let isPlain = asked == AskedAnswer() || !sample.values.isEmpty
        let another = elsewhere ?? (isPlain ? try? answer(asked, to: sample, seed: 1).get() : nil)
        let isMade = another.map { $0.body != made.body } ?? false
        if made.body.isEmpty { return (response, isMade) }
        let type = made.headers.first { $0.name.lowercased() == "content-type" }?.value
        if type.map({ Self.isJSON($0) }) ?? false, let json = try? JSONValue(parsing: made.body),
            json.compactText.utf8.elementsEqual(made.body)
        {
            response.jsonBody = json
            if isMade, let elsewhere, let second = try? JSONValue(parsing: elsewhere.body) {
                echo(json, second, in: &response, &echoed)
            }
        } else if let text = String(validating: made.body, as: UTF8.self), !text.contains("\0") {
            response.body = text
        } else {
            response.base64Body = Base64.encode(made.body)
        }
        return (response, isMade)
    }

    /// Inserts expressions where two answers repeat the path values of their requests.
    private func echo(
        _ first: JSONValue, _ second: JSONValue, in response: inout ResponseDefinition, _ echoed: inout Set<String>
    ) {
        guard let other, !first.compactText.contains(text: "{{") else { return }
        var names: Set<String> = []
        let template = Self.echoing(first, second) { one, two in
            for (name, value) in sample.values where value != other.values[name] {
                guard let text = other.values[name], one.isText(value), two.isText(text) else { continue }
                names.insert(name)
                let path =
                    "request.path.\(name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? name : "[\(name)]")"
                return .string(one.stringValue == nil ? "{{parseJson \(path)}}" : "{{\(path)}}")
            }
            return nil
        }
        guard !names.isEmpty else { return }
        echoed.formUnion(names)
        response.jsonBody = template
        response.transformers = ["response-template"]
        response.transformerParameters = ["keepTypes": true]
    }

    /// A value with expressions where two documents differ by the path values.
    private static func echoing(
        _ first: JSONValue, _ second: JSONValue, _ replaced: (JSONValue, JSONValue) -> JSONValue?
    ) -> JSONValue {
        switch (first, second) {
        case (.object(let one), .object(let two)):
            var object = one
            for member in one.members {
                if let other = two[member.key] { object[member.key] = echoing(member.value, other, replaced) }
            }
            return .object(object)
        case (.array(let one), .array(let two)):
            return .array(
                one.enumerated().map { index, value in
                    two.indices.contains(index) ? echoing(value, two[index], replaced) : value
                })
        default: return replaced(first, second) ?? first
        }
    }

    private static func isJSON(_ type: String) -> Bool {
        let name = type.prefix { $0 != ";" }.lowercased().trimmingBlanks
        return name == "application/json" || name == "text/json" || name.hasSuffix("+json")
    }
}

extension JSONValue {
    /// Whether it equals the text of a path value.
    fileprivate func isText(_ text: String) -> Bool { (stringValue ?? numberValue?.text) == text }
}
