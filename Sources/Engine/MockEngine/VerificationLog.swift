import SDHTTPTransport
import SDJSON
package import SDJournal
import SDMatching
import SDStubModel
import Synchronization

/// The verifications of a session whose last result was a failure.
package final class VerificationLog: Sendable {
    /// The largest number of stored verifications.
    fileprivate static let most = 100

    private let state = Mutex(State())
    private let notes: CounterNotes?

    fileprivate struct State {
        /// By question; the same question replaces the entry.
        var unmet: [String: Unmet] = [:]
        /// The number of results so far.
        var answers = 0
    }

    /// A verification that did not hold.
    package struct Unmet: Sendable {
        /// The name of the expectation, or its request.
        package let name: String
        /// The result.
        package let text: String
        fileprivate let answer: Int
    }

    /// - Parameter notes: sends the results to other replicas; nil without replicas.
    package init(_ notes: CounterNotes? = nil) {
        self.notes = notes
    }

    /// Records the result of a call that verified or waited.
    /// - Parameters:
    ///   - met: for each expectation, the number of matching requests, and whether it is the expected one.
    ///   - holds: whether the whole verification holds.
    ///   - unexpected: the number of requests that matched no expectation, if none are allowed.
    package func note(
        _ met: [(expectation: Expectation, count: Int, isOK: Bool)], holds: Bool, unexpected: Int,
        _ redaction: Redaction?
    ) {
        state.withLock { state in
            state.answers += 1
            for (expectation, count, isOK) in met {
                set(
                    "one \(expectation.question)", &state,
                    isOK
                        ? nil
                        : Unmet(
                            name: expectation.redactedName(redaction),
                            text: "expected \(expectation.count), got \(count)", answer: state.answers))
            }
            let all = met.map(\.expectation)
            let isWholeUnmet = !holds && met.allSatisfy(\.isOK)
            let name = all.prefix(3).map { $0.redactedName(redaction) }.joined(separator: ", ")
            let text =
                unexpected > 0
                ? "\(unexpected) unexpected requests" : "the requests came in another order"
            // The order of requests, and the absence of others.
            set(
                "all \(all.map(\.question).joined(separator: " "))", &state,
                isWholeUnmet
                    ? Unmet(name: name.isEmpty ? "nothing else" : name, text: text, answer: state.answers) : nil)
        }
    }

    private func set(_ key: String, _ state: inout State, _ value: Unmet?) {
        guard state.set(key, value) else { return }
        notes?.add(.verification) { writer in
            writer.add(key)
            writer.add(byte: value == nil ? 0 : 1)
            if let value {
                writer.add(value.name)
                writer.add(value.text)
            }
        }
    }

    /// Applies the result of a verification on another replica.
    /// - Parameter unmet: nil if it holds.
    func take(_ key: String, _ unmet: (name: String, text: String)?) {
        state.withLock { state in
            state.answers += 1
            _ = state.set(key, unmet.map { Unmet(name: $0.name, text: $0.text, answer: state.answers) })
        }
    }

    /// The verifications that did not hold, ordered by their last result.
    package var unmet: [Unmet] {
        state.withLock { Array($0.unmet.values) }.sorted { ($0.answer, $0.name) < ($1.answer, $1.name) }
    }

    package func removeAll() {
        state.withLock { $0 = State() }
        notes?.forget([.verification])
    }
}

extension VerificationLog.State {
    /// - Returns: whether the result is new.
    fileprivate mutating func set(_ key: String, _ value: VerificationLog.Unmet?) -> Bool {
        guard unmet[key] != nil || value != nil && unmet.count < VerificationLog.most else { return false }
        unmet[key] = value
        return true
    }
}

extension Expectation {
    /// The key of a verification, the same on all replicas.
    fileprivate var question: String { "\(count) \(name ?? "") \(pattern.json.compactText)" }

    /// The name, or the kind of request that is expected.
    fileprivate func redactedName(_ redaction: Redaction?) -> String {
        name.map(redaction.redactedURL) ?? redaction.redacted(pattern).routeKey
    }
}
