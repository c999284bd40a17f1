import SDMatching

/// The verdict of a pattern on a request in the journal.
enum MatchVerdict: Sendable {
    case met
    case unmet
    /// The pattern reads the body, of which only the beginning is stored; everything else matches.
    case undecided
}

extension ServeEvent {
    /// Compares the request with a pattern.
    func meets(_ pattern: CompiledPattern, _ views: inout RequestViews) -> MatchVerdict {
        guard wholeBody != nil, pattern.readsBody else { return pattern.matches(request, &views) ? .met : .unmet }
        return pattern.matchesApartFromBody(request, &views) ? .undecided : .unmet
    }
}

extension JournalOwner {
    /// The message that a pattern cannot be matched against truncated requests.
    /// - Parameter sequences: their sequence numbers; at least one, in any order.
    package func cannotTell(of sequences: [UInt64]) -> String {
        let shown = sequences.sorted().prefix(10).map { "#\($0)" }.joined(separator: ", ")
        return """
            cannot tell of \(shown)\(sequences.count > 10 ? ", …" : ""): the journal keeps only the first \
            \(journaling.bodyLimit) bytes of a body, see --journal-body-limit
            """
    }
}
