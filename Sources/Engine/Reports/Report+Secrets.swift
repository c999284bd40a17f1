import SDBasics
import SDStubModel

extension Report {
    /// Takes the texts that clients sent, and the names that people gave, through a reader that knows what to hide.
    /// Conditions and what is said of them are left: their values were read with the names of their fields.
    public mutating func hide(_ shown: (String) -> String) {
        name = name.map(shown)
        unmatched.change { request in
            request.test?.hide(shown)
            request.url = shown(request.url)
            request.nearest?.hide(shown)
        }
        failed.change { request in
            request.test?.hide(shown)
            request.url = shown(request.url)
            request.stub = request.stub?.hiding(shown)
            request.reason = shown(request.reason)
        }
        asked.change { request in
            request.test?.hide(shown)
            request.url = shown(request.url)
            request.stub = request.stub?.hiding(shown)
        }
        aborted.change { answer in
            answer.test?.hide(shown)
            answer.url = shown(answer.url)
            answer.stub = answer.stub?.hiding(shown)
        }
        open.change { answer in
            answer.test?.hide(shown)
            answer.url = shown(answer.url)
            answer.stub = answer.stub?.hiding(shown)
        }
        slow.change { answer in
            answer.test?.hide(shown)
            answer.url = shown(answer.url)
            answer.stub = answer.stub?.hiding(shown)
        }
        webhooks.change { webhook in
            webhook.test?.hide(shown)
            webhook.method = shown(webhook.method)
            webhook.url = shown(webhook.url)
            webhook.stub = webhook.stub?.hiding(shown)
            webhook.text = shown(webhook.text)
        }
        used.change { used in
            used.test?.hide(shown)
            used.stub = used.stub.hiding(shown)
        }
        unused.change { $0 = $0.hiding(shown) }
        unmet.change { unmet in
            unmet.test?.hide(shown)
            unmet.name = shown(unmet.name)
            unmet.stub = unmet.stub?.hiding(shown)
        }
        faults.change { fault in
            fault.test?.hide(shown)
            fault.source = fault.source.map(shown)
            fault.stub = fault.stub?.hiding(shown)
        }
        refusals.change { refusal in
            refusal.subject = shown(refusal.subject.withoutUser)
            refusal.reason = shown(refusal.reason)
        }
        begun.sessions.change { $0.test.hide(shown) }
        timings?.hide(shown)
    }
}

extension Report.Test {
    fileprivate mutating func hide(_ shown: (String) -> String) { name = name.map(shown) }
}

extension Report.Nearest {
    fileprivate mutating func hide(_ shown: (String) -> String) {
        stub = stub.hiding(shown)
    }
}

extension StubReference {
    fileprivate func hiding(_ shown: (String) -> String) -> StubReference {
        StubReference(id: id, name: name.map(shown), file: file, line: line, key: shown(key))
    }
}

extension Timings {
    fileprivate mutating func hide(_ shown: (String) -> String) {
        slowest.change { slow in
            slow.stub = slow.stub?.hiding(shown)
            slow.url = shown(slow.url)
        }
    }
}

extension Array {
    fileprivate mutating func change(_ body: (inout Element) -> Void) {
        for index in indices { body(&self[index]) }
    }
}
