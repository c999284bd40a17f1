package import SDJournal

/// What a replica asks the shared server to decide: which of the candidate stubs answers a request.
///
/// The names of shared fields say since when they count: a session's hash has the number of its last reset, a stub's
/// fields that of the change that made it, a scenario's that of the change that set it. All replicas apply changes in
/// one order, so these numbers agree and an admin call writes nothing here: a replica that has applied it proposes
/// other fields, which start with the values that it knows. Until then, a replica decides about the former fields.
package struct Proposal: Sendable {
    /// The hash of the session's decisions.
    package let key: DecisionKey
    /// The stubs that match the request, in the order of precedence; the last may be one without shared state.
    package var candidates: [Candidate] = []
    /// The fault counts of a request whose stub is known; `candidates` is empty then.
    package var counts: [FaultCount] = []

    /// A stub, and the state on which it depends. Without any, it always answers.
    package struct Candidate: Sendable {
        package var scenario: Scenario?
        package var times: Times?
        package var sequence: Sequence?

        package init(scenario: Scenario? = nil, times: Times? = nil, sequence: Sequence? = nil) {
            self.scenario = scenario
            self.times = times
            self.sequence = sequence
        }
    }

    /// A step in a scenario.
    package struct Scenario: Sendable {
        /// The field of the scenario's state.
        package let field: String
        /// The state if the server has none.
        package let known: String
        /// The state that the stub requires, and the one to which it leads.
        package let required, next: String?
    }

    /// A number of uses.
    package struct Times: Sendable {
        /// The field of the number of uses so far.
        package let field: String
        /// The number if the server has none.
        package let known: Int
        /// The number of requests that the stub answers.
        package let limit: Int
    }

    /// A position in a list of responses.
    package struct Sequence: Sendable {
        /// The field of the index of the next response; for values, of the number of times that they were cleared.
        package let field: String
        /// The index if the server has none.
        package let known: Int
        /// The index of the last response, and whether the list starts again after it.
        package let last: Int
        package let isLoop: Bool
        /// The request's value that selects the position; nil for one position for all requests.
        package let value: [UInt8]?
    }
}

/// The name of a session's hash of decisions, without the prefix of the mock server's keys.
package struct DecisionKey: Sendable, Hashable {
    /// The session's id; nil for the default session.
    package let session: String?
    /// The number of the change that last reset the session; 0 for none.
    package let reset: UInt64

    package init(session: String?, reset: UInt64) {
        self.session = session
        self.reset = reset
    }

    /// `d:SESSION:RESET`.
    package var text: String { "d:\(session ?? "base"):\(reset)" }
}

/// The decision about a proposal.
package struct Verdict: Sendable, Equatable {
    /// The index of the candidate that answers; nil for none.
    package var chosen: Int?
    /// The index of the response that answers; nil for a candidate without a sequence.
    package var place: Int?
    /// The state of the candidates up to the chosen one, before the chosen one moved anything.
    package var seen: [Seen] = []
    /// The previous counts, one for each of `counts`.
    package var counts: [FaultCount.Verdict] = []

    package struct Seen: Sendable, Equatable {
        /// The state of its scenario; nil without one.
        package var state: String?
        /// The number of its uses; nil without `times`.
        package var used: Int?

        package init(state: String? = nil, used: Int? = nil) {
            self.state = state
            self.used = used
        }
    }

    package init(chosen: Int? = nil, place: Int? = nil, seen: [Seen] = []) {
        self.chosen = chosen
        self.place = place
        self.seen = seen
    }
}
