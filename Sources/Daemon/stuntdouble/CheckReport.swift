import SDBasics
import SDChecking
import SDCommand
import SDJSON
import SDStubModel

/// The result of a check, as text and as JSON.
struct CheckReport {
    private let options: CheckOptions
    private let results: [CheckRun.Result]

    init(_ options: CheckOptions, _ results: [CheckRun.Result]) {
        self.options = options
        self.results = results
    }

    /// Prints the report.
    /// - Returns: the exit status: 0 if every comparable stub was compared and matches, 1 if a stub differs or nothing
    ///   was compared, `incompleteCode` if only some were compared.
    func print() -> Int32 {
        let printed = Console.print(json, else: Printable.lines(text))
        guard isGood else { return 1 }
        return printed == 0 && missing > 0 ? Self.incompleteCode : printed
    }

    /// The exit status of a check without differences that could not compare everything.
    private static let incompleteCode: Int32 = 3

    private var isGood: Bool { !results.contains { $0.isBad } && results.contains { $0.word == "ok" } }

    /// The number of stubs that should have been compared and were skipped.
    private var missing: Int { skips.filter { $0.kind.isMissing }.reduce(0) { $0 + $1.count } }

    /// The number of skipped stubs by reason, without reasons that did not occur.
    private var skips: [(kind: CheckRun.Skip, count: Int)] {
        CheckRun.Skip.allCases.map { kind in (kind, results.count { $0.skip == kind }) }.filter { $0.count > 0 }
    }

    private func count(_ word: String) -> Int { results.filter { $0.word == word }.count }

    private static let words = ["ok", "differs", "skipped", "failed"]

    private var text: String {
        var text = ""
        for result in results {
            let pad = String(repeating: " ", count: 8 - result.word.count)
            text += "\(result.word)\(pad)\(result.stub.text(in: options.root.path))\n"
            text += result.lines.map { "        \($0)\n" }.joined()
        }
        let reasons = skips.map { "\($0.count) \($0.kind.rawValue)" }.joined(separator: ", ")
        let counts = Self.words.map { word in
            "\(count(word)) \(word)" + (word == "skipped" && !reasons.isEmpty ? " (\(reasons))" : "")
        }
        return text
            + "\(results.count.of("stub")) against \(options.target.withoutUser): \(counts.joined(separator: ", "))\n"
    }

    private var json: JSONValue {
        var counts: JSONObject = ["stubs": .number(JSONNumber(results.count))]
        for word in Self.words { counts[word] = .number(JSONNumber(count(word))) }
        counts["skippedFor"] = .object(JSONObject(skips.map { ($0.kind.rawValue, .number(JSONNumber($0.count))) }))
        return [
            "target": .string(options.target.withoutUser),
            "verdict": isGood ? missing > 0 ? "incomplete" : "passed" : "failed", "counts": .object(counts),
            "stubs": .array(results.map(\.json)),
        ]
    }
}

extension CheckRun.Result {
    var isBad: Bool { word == "differs" || word == "failed" }

    var word: String {
        switch outcome {
        case .compared(let comparison): comparison.differences.isEmpty ? "ok" : "differs"
        case .skipped: "skipped"
        case .failed: "failed"
        }
    }

    fileprivate var lines: [String] {
        switch outcome {
        case .compared(let comparison):
            comparison.differences.map(\.description) + comparison.notes.map { "note: \($0.description)" }
        case .skipped(let reason, _), .failed(let reason): [reason]
        }
    }

    var skip: CheckRun.Skip? { if case .skipped(_, let kind) = outcome { kind } else { nil } }

    fileprivate var json: JSONValue {
        var object = stub.json
        object["result"] = .string(word)
        object["request"] = request.map { ["method": .string($0.method), "url": .string($0.target)] }
        switch outcome {
        case .compared(let comparison):
            object["differences"] = .array(comparison.differences.map(\.json))
            object["notes"] = .array(comparison.notes.map(\.json))
        case .skipped(let reason, _), .failed(let reason): object["reason"] = .string(reason)
        }
        return .object(object)
    }
}
