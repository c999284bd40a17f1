/// One event of a session's event stream.
public enum FeedEvent: Sendable {
    /// A request was decided.
    case request(ServeEvent)
    /// The response to a request has ended.
    case response(ServeEvent)
    case change(SessionChange)

    /// The type of an event.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case request, response, stub, scenario, reset, reload
        // Sent only to readers that ask for them.
        case session, gate, fault, recording, setting, channel, message
        /// A request moved a scenario. The event is named `scenario`.
        case scenarioMoved = "moved"

        /// The types that a reader gets by default.
        public static let usual: Set<Kind> = [.request, .response, .stub, .scenario, .reset, .reload]

        public var name: String { self == .scenarioMoved ? Kind.scenario.rawValue : rawValue }
    }

    public var kind: Kind {
        switch self {
        case .request: .request
        case .response: .response
        case .change(let change):
            switch change {
            case .stub, .imported, .allStubsRemoved: .stub
            case .scenario: .scenario
            case .reset, .requestsForgotten, .scenariosReset: .reset
            case .reload: .reload
            case .scenarioMoved: .scenarioMoved
            case .gate: .gate
            case .fault: .fault
            case .recording: .recording
            case .setting: .setting
            case .channel: .channel
            case .message: .message
            }
        }
    }
}

/// A reader's position in the stream, as stated by the `id` of an event.
package struct FeedPosition: Sendable, Hashable {
    /// The arrival of the last request.
    package var request: UInt64
    /// The number of the last change.
    package var change: UInt64
    /// The arrival up to which all responses were read.
    package var answered: UInt64

    package init(request: UInt64, change: UInt64, answered: UInt64) {
        self.request = request
        self.change = change
        self.answered = answered
    }

    /// Parses an event's id. A bare number is the sequence number of a request.
    /// - Parameter run: the text that distinguishes the session's ids from those of other runs.
    /// - Returns: nil for an id of another run, and for other text.
    package init?(_ text: String, of run: String) {
        if let sequence = UInt64(text) {
            self.init(request: sequence, change: .max, answered: sequence)
            return
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().compactMap { UInt64($0) }
        guard parts.count == 4, numbers.count == 3, parts[0] == run else { return nil }
        self.init(request: numbers[0], change: numbers[1], answered: numbers[2])
    }

    /// Whether the id does not state which changes were read.
    var isBare: Bool { change == .max }

    package func text(_ run: String) -> String { "\(run).\(request).\(change).\(answered)" }
}
