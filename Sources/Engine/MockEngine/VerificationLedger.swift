package import SDJournal
import SDMatching
import SDStubModel
import Synchronization

/// The verifications of a session whose last answer was that they do not hold.
package final class VerificationLedger: Sendable {
    /// The largest number that is kept.
    fileprivate static let most = 100

    private let state = Mutex(State())

    fileprivate struct State {
        var unmet: [Key: Unmet] = [:]
        /// The number of answers so far.
        var answers = 0
    }

    /// What is asked again is the same question, whatever the name of it.
    fileprivate enum Key: Hashable {
        case expectation(Expectation)
        /// The order of requests, and that there are no others.
        case whole([Expectation])
    }

    /// A verification that did not hold.
    package struct Unmet: Sendable {
        /// The name of what was expected, or its request.
        package let name: String
        /// What came of it.
        package let text: String
        fileprivate let answer: Int
    }

    package init() {}

    /// Notes an answer to a call that verified or waited.
    /// - Parameters:
    ///   - met: how many requests have met each expectation, and whether these are as many as are expected.
    ///   - holds: whether all holds that was asked.
    ///   - unexpected: the number of requests that met none, though nothing else may come.
    package func note(
        _ met: [(expectation: Expectation, count: Int, isOK: Bool)], holds: Bool, unexpected: Int,
        _ redaction: Redaction?
    ) {
        state.withLock { state in
            state.answers += 1
            for (expectation, count, isOK) in met {
                state.set(
                    .expectation(expectation),
                    isOK
                        ? nil
                        : Unmet(
                            name: expectation.shownName(redaction),
                            text: "expected \(expectation.count), got \(count)", answer: state.answers))
            }
            let all = met.map(\.expectation)
            let isWholeUnmet = !holds && met.allSatisfy(\.isOK)
            let name = all.prefix(3).map { $0.shownName(redaction) }.joined(separator: ", ")
            let text =
                unexpected > 0
                ? "\(unexpected) unexpected requests" : "the requests came in another order"
            state.set(
                .whole(all),
                isWholeUnmet
                    ? Unmet(name: name.isEmpty ? "nothing else" : name, text: text, answer: state.answers) : nil)
        }
    }

    /// The verifications that did not hold, in the order in which they were asked last.
    package var unmet: [Unmet] {
        state.withLock { Array($0.unmet.values) }.sorted { ($0.answer, $0.name) < ($1.answer, $1.name) }
    }

    package func removeAll() {
        state.withLock { $0 = State() }
    }
}

extension VerificationLedger.State {
    fileprivate mutating func set(_ key: VerificationLedger.Key, _ value: VerificationLedger.Unmet?) {
        guard value == nil || unmet[key] != nil || unmet.count < VerificationLedger.most else { return }
        unmet[key] = value
    }
}

extension Expectation {
    /// The name, or what kind of request is meant.
    fileprivate func shownName(_ redaction: Redaction?) -> String {
        name.map(redaction.shownURL) ?? redaction.shown(pattern).routeKey
    }
}
