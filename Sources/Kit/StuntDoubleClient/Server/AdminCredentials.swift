import SDStubModel

/// The `Authorization` header for servers whose admin API requires credentials.
enum AdminCredentials {
    /// The header for a server started with these options; nil if they require no credentials.
    static func header(for arguments: [String]) -> String? {
        value(of: "--admin-token", in: arguments).map { "Bearer " + $0 }
            ?? value(of: "--admin-api-basic-auth", in: arguments).map(basic)
    }

    /// The header for `user:password`.
    static func basic(_ credentials: String) -> String {
        "Basic " + Base64.encode(Array(credentials.utf8))
    }

    /// The value of an option: `--name value` or `--name=value`.
    private static func value(of name: String, in arguments: [String]) -> String? {
        for (index, argument) in arguments.enumerated() {
            if argument == name { return index + 1 < arguments.count ? arguments[index + 1] : nil }
            if argument.hasPrefix(name + "=") { return String(argument.dropFirst(name.count + 1)) }
        }
        return nil
    }
}
