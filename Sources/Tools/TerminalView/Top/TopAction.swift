/// An action that a view requests.
public enum TopAction: Sendable, Hashable {
    case quit
    /// Suspends the process, like Ctrl-Z.
    case suspend
    /// Repaints the whole screen.
    case redraw
    /// Fetches why a request was not matched.
    case explain(TrafficRow)
    /// Fetches a whole exchange.
    case load(TrafficRow)
    /// Fetches a request as a curl command.
    case curl(TrafficRow)
    /// Releases one request waiting at a gate, or all of them.
    case release(gate: String, id: String?, session: String?)
}

/// The keys. Bindings, footer and help are derived from this table.
enum TopKeys {
    struct Row {
        let keys: String
        /// The label in the footer; nil for keys that only the help shows.
        let word: String?
        let help: String
    }

    static let all: [Row] = [
        Row(keys: "q", word: "quit", help: "quit; Ctrl-C, too"),
        Row(keys: "?", word: "help", help: "this help"),
        Row(
            keys: "/", word: "filter",
            help: "filter: words in method, URL, stub; GET 404 4xx is:unmatched path:/a/* -stub:x time:>500ms"),
        Row(keys: "p", word: "pause", help: "pause the picture, not the collecting"),
        Row(keys: "f", word: "follow", help: "follow the newest; End, too"),
        Row(keys: "u", word: "unmatched", help: "only unmatched requests, and all again"),
        Row(keys: "tab", word: "view", help: "next view: requests, stubs, sessions, held; 1 to 4"),
        Row(
            keys: "enter", word: "open",
            help: "open: why, request, response; [ ] or left and right change what is shown"),
        Row(keys: "w", word: "why", help: "open, at why it is unmatched"),
        Row(keys: "r", word: "release", help: "release what is held; asks first"),
        Row(keys: "y", word: "copy curl", help: "copy as a curl command (OSC 52), and show it"),
        Row(keys: "s", word: "sort", help: "sort stubs: by hits, by last hit, by key, as they are tried"),
        Row(keys: "S", word: nil, help: "only one session: the next one, at the end all again"),
        Row(keys: "n N", word: nil, help: "next, previous unmatched"),
        Row(keys: "j k", word: nil, help: "down, up; arrows, PgUp, PgDn, Home, End, too"),
        Row(keys: "esc", word: nil, help: "back: close, leave the row, empty the filter"),
        Row(keys: "^L", word: nil, help: "redraw the screen"),
        Row(keys: "^Z", word: nil, help: "stop, as any program; fg brings it back"),
    ]
}
