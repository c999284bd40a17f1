package import SDJSON
import Synchronization

/// An owner of state that stubs change. `Session` is the one in production.
package protocol StateOwner: AnyObject, Sendable {
    var states: StateStore { get }
    var stateLimits: StateLimits { get }

    /// Changes the state, serialised with requests: a request being matched sees it before or after the change, and is
    /// matched again if that matters.
    func inOrder<Result: Sendable>(_ change: () throws(StateProblem) -> Result) throws(StateProblem) -> Result
}

/// Access to the session's state for helpers, listeners and the admin API.
extension StateOwner {
    /// The contexts, in order of creation.
    package var stateContexts: [(name: String, context: StoredContext)] { states.all }

    /// The context of that name; nil if there is none.
    package func stateContext(_ name: String) -> StoredContext? { states[name] }

    /// Changes the state, serialised with requests: a request being matched sees it before or after the change, and is
    /// matched again if that matters.
    /// - Throws: what `change` throws, and if a limit is exceeded; then nothing has changed.
    package func changeState<Result: Sendable>(
        _ change: (inout StateContents) throws(StateProblem) -> Result
    ) throws(StateProblem) -> Result {
        try inOrder { () throws(StateProblem) in try states.change(change) }
    }

    /// Sets properties of a context, which is created if needed.
    /// - Throws: if a limit is exceeded.
    package func setState(_ name: String, _ properties: JSONObject) throws(StateProblem) {
        try changeState { states throws(StateProblem) in
            try states.update(name) { context in
                for member in properties.members { context.properties[member.key] = member.value }
                context.updateCount += 1
            }
        }
    }

    /// Replaces the properties and the list of a context.
    /// - Throws: if a limit is exceeded.
    package func replaceState(_ name: String, _ properties: JSONObject, list: [JSONObject]) throws(StateProblem) {
        try changeState { states throws(StateProblem) in
            try states.update(name) { context in
                context.properties = properties
                context.list = list
                context.updateCount += 1
            }
        }
    }

    /// Removes a context.
    /// - Returns: whether it existed.
    package func removeState(_ name: String) -> Bool {
        (try? changeState { $0.remove(name) }) ?? false
    }

    /// Removes all contexts.
    package func removeAllState() {
        try? inOrder { () throws(StateProblem) in states.removeAll() }
    }

    /// Adds to a number, which starts at `start` and is a property of a context.
    /// - Returns: the sum; `start` the first time.
    /// - Throws: if the property is not an integer, if the sum overflows 64 bits, and if a limit is exceeded.
    package func count(
        _ name: String, in context: String, from start: Int, by step: Int
    ) throws(StateProblem) -> Int {
        try changeState { states throws(StateProblem) in
            var next = start
            if let known = states[context]?.properties[name] {
                guard let number = known.intValue ?? known.stringValue.flatMap({ Int($0) }) else {
                    throw StateProblem("the property \"\(name)\" is no number to count with: \(known.shortDescription)")
                }
                let (sum, isTooLarge) = number.addingReportingOverflow(step)
                guard !isTooLarge else {
                    throw StateProblem(
                        "the property \"\(name)\" is \(number), and \(step) more is no number of 64 bits")
                }
                next = sum
            }
            try states.update(context) { changed in
                changed.properties[name] = .string(String(next))
                changed.updateCount += 1
            }
            return next
        }
    }
}
