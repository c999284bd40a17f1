package import SDReports
package import SDStubModel
import SDWireValues
import Synchronization

/// The results of a session's webhooks, for its report; also those sent after the session has ended.
package final class WebhookCounters: Sendable {
    /// The largest number of stored kinds of webhooks.
    fileprivate static let most = 100
    /// The largest number of pending webhooks of another replica.
    private static let maxElsewhere = 10_000

    private let state = Mutex(State())
    private let notes: CounterNotes?

    fileprivate struct State {
        var pending: [Int: Report.Webhook] = [:]
        /// The pending webhooks of other replicas, by replica and number.
        var elsewhere: [UInt64: [Int: Report.Webhook]] = [:]
        /// The result of the last attempt, for webhooks that are retried.
        var reasons: [Int: String] = [:]
        var next = 0
        var kinds: [Report.Webhook] = []
        var bad = 0
    }

    /// - Parameter notes: sends the results to other replicas; nil without replicas.
    package init(_ notes: CounterNotes? = nil) {
        self.notes = notes
    }

    /// Sends the state of a webhook to other replicas. Called under the lock.
    /// - Parameter number: its number; 0 for one that could not be made.
    private func tell(_ number: Int, _ webhook: Report.Webhook?) {
        notes?.add(.webhook) { writer in
            writer.add(count: number)
            writer.add(byte: webhook == nil ? 0 : 1)
            webhook?.pack(to: &writer)
        }
    }

    /// Applies another replica's state of one of its webhooks.
    package func take(_ number: Int, _ webhook: Report.Webhook?, of replica: UInt64) {
        state.withLock { state in
            state.elsewhere[replica]?[number] = nil
            guard let webhook else { return }
            if webhook.state == .pending {
                guard state.elsewhere[replica]?.count ?? 0 < Self.maxElsewhere else { return }
                state.elsewhere[replica, default: [:]][number] = webhook
            } else {
                state.add(webhook)
            }
        }
    }

    /// Fails the pending webhooks of a replica that has died.
    package func left(_ replica: UInt64) {
        state.withLock { state in
            for (_, webhook) in (state.elsewhere.removeValue(forKey: replica) ?? [:]).sorted(by: { $0.key < $1.key }) {
                var webhook = webhook
                (webhook.state, webhook.text) = (.failed, "it ended with its replica, unsent or unanswered")
                state.add(webhook)
            }
        }
    }

    /// Records that a webhook is to be made and sent.
    /// - Returns: its number.
    package func began() -> Int {
        state.withLock { state in
            state.next += 1
            state.pending[state.next] = Report.Webhook(
                method: "", url: "", stub: nil, state: .pending, text: "not sent yet")
            tell(state.next, state.pending[state.next])
            return state.next
        }
    }

    /// Records the method, URL and stub of a webhook.
    package func made(_ number: Int, method: String, url: String, stub: StubReference?) {
        state.withLock { state in
            state.pending[number]?.method = method
            state.pending[number]?.url = url
            state.pending[number]?.stub = stub
            tell(number, state.pending[number])
        }
    }

    /// Records that it was sent, and not answered yet.
    package func sends(_ number: Int, attempt: Int) {
        state.withLock { state in
            let before = state.reasons[number].map { "; the one before: \($0)" } ?? ""
            state.pending[number]?.text =
                attempt > 1 ? "attempt \(attempt) is not answered yet\(before)" : "not answered yet"
            tell(number, state.pending[number])
        }
    }

    /// Records that it will be retried, after a delay.
    package func waits(_ number: Int, attempt: Int, after reason: String) {
        state.withLock { state in
            state.reasons[number] = reason
            state.pending[number]?.text = "attempt \(attempt) is still to come; the one before: \(reason)"
            tell(number, state.pending[number])
        }
    }

    /// Records the result.
    package func ended(_ number: Int, _ text: String, isBad: Bool) {
        state.withLock { state in
            state.reasons[number] = nil
            guard var webhook = state.pending.removeValue(forKey: number) else { return }
            webhook.state = isBad ? .failed : .sent
            webhook.text = text
            state.add(webhook)
            tell(number, webhook)
        }
    }

    /// Removes a webhook that needs no further reporting.
    package func left(_ number: Int) {
        state.withLock { state in
            state.reasons[number] = nil
            if state.pending.removeValue(forKey: number) != nil { tell(number, nil) }
        }
    }

    /// Records a webhook that could not be made.
    package func failed(method: String, url: String, stub: StubReference?, _ text: String) {
        state.withLock { state in
            let webhook = Report.Webhook(method: method, url: url, stub: stub, state: .failed, text: text)
            state.add(webhook)
            tell(0, webhook)
        }
    }

    /// Clears the results; pending webhooks still count.
    package func beginReport() {
        state.withLock { state in
            state.kinds = []
            state.bad = 0
        }
    }

    /// The number of webhooks that are still to be sent or answered.
    package var pendingCount: Int { state.withLock { $0.pending.count } }

    /// The kinds of webhooks, including pending ones; the number of those that failed or are pending; and the number of
    /// pending ones.
    package var findings: (webhooks: [Report.Webhook], bad: Int, pending: Int) {
        state.withLock { state in
            let all = [state.pending] + state.elsewhere.sorted { $0.key < $1.key }.map(\.value)
            let pending = all.flatMap { $0.sorted { $0.key < $1.key }.map(\.value) }
            return (state.kinds + pending.prefix(Self.most), state.bad + pending.count, pending.count)
        }
    }
}

extension WebhookCounters.State {
    fileprivate mutating func add(_ webhook: Report.Webhook) {
        if webhook.isBad { bad += 1 }
        let kind = kinds.firstIndex { known in
            known.state == webhook.state && known.text == webhook.text && known.url == webhook.url
                && known.method == webhook.method && known.stub == webhook.stub
        }
        if let kind {
            kinds[kind].count += 1
        } else if kinds.count < WebhookCounters.most {
            kinds.append(webhook)
        } else if webhook.isBad, let good = kinds.firstIndex(where: { !$0.isBad }) {
            kinds[good] = webhook
        }
    }
}
