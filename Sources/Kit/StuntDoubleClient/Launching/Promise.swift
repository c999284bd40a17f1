import SDBasics

/// A value that comes once, and that any number of tasks wait for.
package final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: [CheckedContinuation<Value, Never>] = []
    }

    private let state = Lock(State())

    package init() {}

    /// Gives the value; a second one is dropped.
    package func fulfil(_ value: Value) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>] in
            guard state.value == nil else { return [] }
            state.value = value
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    /// The value if it is there.
    package var known: Value? { state.withLock { $0.value } }

    /// The value, once it is there.
    package var value: Value {
        get async {
            await KitThreads.wait {
                await withCheckedContinuation { continuation in
                    let value = state.withLock { state -> Value? in
                        if state.value == nil { state.waiting.append(continuation) }
                        return state.value
                    }
                    if let value { continuation.resume(returning: value) }
                }
            }
        }
    }
}
