package import SDReports
package import SDStubModel
import Synchronization

/// What became of a session's webhooks, for its report: also of those that are sent when the session has ended.
package final class WebhookLedger: Sendable {
    /// The most kinds of webhooks that are kept.
    fileprivate static let most = 100

    private let state = Mutex(State())

    fileprivate struct State {
        var pending: [Int: Report.Webhook] = [:]
        /// What became of the last attempt of those that are tried again.
        var reasons: [Int: String] = [:]
        var next = 0
        var kinds: [Report.Webhook] = []
        var bad = 0
    }

    package init() {}

    /// Notes that a webhook is to be made and sent.
    /// - Returns: its number.
    package func began() -> Int {
        state.withLock { state in
            state.next += 1
            state.pending[state.next] = Report.Webhook(
                method: "", url: "", stub: nil, state: .pending, text: "not sent yet")
            return state.next
        }
    }

    /// Notes what is to be sent, and where to.
    package func made(_ number: Int, method: String, url: String, stub: StubReference?) {
        state.withLock { state in
            state.pending[number]?.method = method
            state.pending[number]?.url = url
            state.pending[number]?.stub = stub
        }
    }

    /// Notes that it is on its way, and not answered.
    package func sends(_ number: Int, attempt: Int) {
        state.withLock { state in
            let before = state.reasons[number].map { "; the one before: \($0)" } ?? ""
            state.pending[number]?.text =
                attempt > 1 ? "attempt \(attempt) is not answered yet\(before)" : "not answered yet"
        }
    }

    /// Notes that it is tried again, once it has waited for that.
    package func waits(_ number: Int, attempt: Int, after reason: String) {
        state.withLock { state in
            state.reasons[number] = reason
            state.pending[number]?.text = "attempt \(attempt) is still to come; the one before: \(reason)"
        }
    }

    /// Notes what came of it.
    package func ended(_ number: Int, _ text: String, isBad: Bool) {
        state.withLock { state in
            state.reasons[number] = nil
            guard var webhook = state.pending.removeValue(forKey: number) else { return }
            webhook.state = isBad ? .failed : .sent
            webhook.text = text
            state.add(webhook)
        }
    }

    /// Forgets a webhook of which nothing more is to be told.
    package func left(_ number: Int) {
        state.withLock { state in
            state.reasons[number] = nil
            state.pending[number] = nil
        }
    }

    /// Notes a webhook that could not be made.
    package func failed(method: String, url: String, stub: StubReference?, _ text: String) {
        state.withLock { state in
            state.add(Report.Webhook(method: method, url: url, stub: stub, state: .failed, text: text))
        }
    }

    /// Forgets everything, but what is still to be sent counts.
    package func beginReport() {
        state.withLock { state in
            state.kinds = []
            state.bad = 0
        }
    }

    /// The number of those that are still to be sent, or to be answered.
    package var pendingCount: Int { state.withLock { $0.pending.count } }

    /// The kinds of webhooks, those that are still to be sent among them; how many failed or are still to be sent, and how many
    /// of these are still to be sent.
    package var findings: (webhooks: [Report.Webhook], bad: Int, pending: Int) {
        state.withLock { state in
            let pending = state.pending.sorted { $0.key < $1.key }.prefix(Self.most).map(\.value)
            return (state.kinds + pending, state.bad + state.pending.count, state.pending.count)
        }
    }
}

extension WebhookLedger.State {
    fileprivate mutating func add(_ webhook: Report.Webhook) {
        if webhook.isBad { bad += 1 }
        let kind = kinds.firstIndex { known in
            known.state == webhook.state && known.text == webhook.text && known.url == webhook.url
                && known.method == webhook.method && known.stub == webhook.stub
        }
        if let kind {
            kinds[kind].count += 1
        } else if kinds.count < WebhookLedger.most {
            kinds.append(webhook)
        } else if webhook.isBad, let good = kinds.firstIndex(where: { !$0.isBad }) {
            kinds[good] = webhook
        }
    }
}
