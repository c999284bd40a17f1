package import SDJSON
import Synchronization

/// Who has a state that stubs change, as a session does.
package protocol StateKeeper: AnyObject, Sendable {
    var states: StateStore { get }
    var stateLimits: StateLimits { get }

    /// Changes the state at the one point of order: a request that is being matched sees it before or after the change,
    /// and is matched again where that makes a difference.
    func inOrder<Result: Sendable>(_ change: () throws(StateProblem) -> Result) throws(StateProblem) -> Result
}

/// The session's state as helpers, listeners and the admin API read and change it.
extension StateKeeper {
    /// The contexts, in the order in which they were made.
    package var stateContexts: [(name: String, context: StoredContext)] { states.all }

    /// The context of that name; nil if there is none.
    package func stateContext(_ name: String) -> StoredContext? { states[name] }

    /// Changes the state at the session's one point of order: a request that is being matched sees it before or after
    /// the change, and is matched again where that makes a difference.
    /// - Throws: what `change` throws, and if there is no room for the result; then nothing has changed.
    package func changeState<Result: Sendable>(
        _ change: (inout StateContents) throws(StateProblem) -> Result
    ) throws(StateProblem) -> Result {
        try inOrder { () throws(StateProblem) in try states.change(change) }
    }

    /// Sets properties of a context, which is made if there is none of that name.
    /// - Throws: if there is no room for them.
    package func setState(_ name: String, _ properties: JSONObject) throws(StateProblem) {
        try changeState { states throws(StateProblem) in
            try states.update(name) { context in
                for member in properties.members { context.properties[member.key] = member.value }
                context.updateCount += 1
            }
        }
    }

    /// Replaces a context by other properties and another list.
    /// - Throws: if there is no room for them.
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
    /// - Returns: whether there was one of that name.
    package func removeState(_ name: String) -> Bool {
        (try? changeState { $0.remove(name) }) ?? false
    }

    /// Removes all contexts.
    package func removeAllState() {
        try? inOrder { () throws(StateProblem) in states.removeAll() }
    }

    /// Adds to a number, which begins at `start` and is a property of a context.
    /// - Returns: the sum; `start` the first time.
    /// - Throws: if the property is no whole number, if the sum would be none of 64 bits, and if there is no room for it.
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
