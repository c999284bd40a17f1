import SDBasics
import SDCommand

/// Why a command has probably asked nothing of its mock server.
struct RunHint {
    private let text: String?

    /// - Parameter status: that of the command, which has its own reasons if it is none of success.
    init(_ options: RunOptions, status: Int32) {
        if MeantCommand.lacksURL(options.command) {
            text =
                "warning: the command was given nothing in place of $STUNTDOUBLE_URL, which the shell read before it was set: "
                + "write it in single quotes, -- sh -c '… \"$STUNTDOUBLE_URL\" …'"
        } else if status == 0, options.verdict.failOn.map({ !$0.reasons.isEmpty }) == true {
            text =
                "warning: nothing was asked of the mock server, so that the verdict says nothing; the command finds its address "
                + "in STUNTDOUBLE_URL"
        } else {
            text = nil
        }
    }

    func tell() {
        if let text { Console.note(text) }
    }
}
