import SDBasics
import SDChecking
import SDCommand
import SDJSON
import SDStubModel

/// What a check has found, as text and as JSON.
struct CheckReport {
    private let options: CheckOptions
    private let results: [CheckRun.Result]

    init(_ options: CheckOptions, _ results: [CheckRun.Result]) {
        self.options = options
        self.results = results
    }

    /// Prints it.
    /// - Returns: the exit status.
    func print() -> Int32 {
        let isGood = !results.contains { $0.isBad } && results.contains { $0.word == "ok" }
        let printed = Console.print(json, else: text)
        return isGood ? printed : 1
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
        let counts = Self.words.map { "\(count($0)) \($0)" }.joined(separator: ", ")
        return text
            + "\(results.count.of("stub")) against \(options.target): \(counts)\n"
    }

    private var json: JSONValue {
        var counts: JSONObject = ["stubs": .number(JSONNumber(results.count))]
        for word in Self.words { counts[word] = .number(JSONNumber(count(word))) }
        let isGood = count("differs") + count("failed") == 0 && count("ok") > 0
        return [
            "target": .string(options.target), "verdict": isGood ? "passed" : "failed", "counts": .object(counts),
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
        case .skipped(let reason), .failed(let reason): [reason]
        }
    }

    fileprivate var json: JSONValue {
        var object = stub.json
        object["result"] = .string(word)
        object["request"] = request.map { ["method": .string($0.method), "url": .string($0.target)] }
        switch outcome {
        case .compared(let comparison):
            object["differences"] = .array(comparison.differences.map(\.json))
            object["notes"] = .array(comparison.notes.map(\.json))
        case .skipped(let reason), .failed(let reason): object["reason"] = .string(reason)
        }
        return .object(object)
    }
}
