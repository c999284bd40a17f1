import SDBasics
import SDCommand

/// Hints about why a command sent no request to its mock server.
struct RunHint {
    private let text: String?

    /// - Parameter status: the command's exit status. After a failure, missing requests alone give no hint.
    init(_ options: RunOptions, status: Int32) {
        if SuggestedCommand.lacksURL(options.command) {
            text =
                "warning: $STUNTDOUBLE_URL was empty, because the shell expanded it before it was set: "
                + "write it in single quotes, -- sh -c '… \"$STUNTDOUBLE_URL\" …'"
        } else if status == 0, options.verdict.failOn.map({ !$0.reasons.isEmpty }) == true {
            text =
                "warning: no requests to the mock server, so the verdict says nothing; does the command read "
                + "STUNTDOUBLE_URL?"
        } else {
            text = nil
        }
    }

    func print() {
        if let text { Console.info(text) }
    }
}
