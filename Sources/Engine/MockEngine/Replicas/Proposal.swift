/// What a replica asks the shared server to decide: which of some stubs answers a request.
///
/// State that all replicas share lives under names that say since when it counts: a session's hash has the number of its
/// last reset, a stub's fields that of the change that made it, a scenario's that of the change that set it. These
/// numbers are those of the changes in the one order in which all replicas apply them, so an admin call has nothing to
/// write here: once a replica has applied it, its proposals name other fields, which begin as it knows them. A replica
/// that has not applied it yet still decides about the former ones.
package struct Proposal: Sendable {
    /// The hash of the session's decisions.
    package let key: DecisionKey
    /// The stubs that match the request, in the order in which they are tried; the last may be one without shared state.
    package var candidates: [Candidate] = []

    /// A stub, and what it depends on. Without any of it, it answers in any case.
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
        /// The state where the server has none.
        package let known: String
        /// The state that the stub requires, and the one to which it leads.
        package let required, next: String?
    }

    /// A number of uses.
    package struct Times: Sendable {
        /// The field of the number of uses so far.
        package let field: String
        /// The number where the server has none.
        package let known: Int
        /// The number of requests that the stub answers.
        package let limit: Int
    }

    /// A place in a list of responses.
    package struct Sequence: Sendable {
        /// The field of the index of the next response; for values, of the number of times that they were cleared out.
        package let field: String
        /// The index where the server has none.
        package let known: Int
        /// The index of the last response, and whether the first follows it.
        package let last: Int
        package let isLoop: Bool
        /// The value of the request for which the place is kept; nil for one place for all.
        package let value: [UInt8]?
    }
}

/// The name of a session's hash of decisions, to which a prefix for all that belongs to the mock server is added.
package struct DecisionKey: Sendable, Hashable {
    /// The session's id; nil for the first.
    package let session: String?
    /// The number of the change that reset the session last; 0 for none.
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
    /// What was found of the candidates up to the chosen one, before the chosen one moved anything.
    package var seen: [Seen] = []

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
