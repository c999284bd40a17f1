/// The names of what nobody else may know: of headers, parameters, fields of forms and members of JSON.
package struct SecretNames: Sendable {
    private let names: Set<String>

    private static let usual: Set<String> = [
        "authorization", "proxyauthorization", "cookie", "setcookie", "token", "accesstoken", "refreshtoken", "idtoken",
        "authtoken", "bearertoken", "sessiontoken", "csrftoken", "xsrftoken", "xcsrftoken", "xxsrftoken", "xauthtoken",
        "secret", "clientsecret", "password", "passwd", "pwd", "passphrase", "apikey", "xapikey", "apitoken",
        "xapitoken",
        "appkey", "subscriptionkey", "ocpapimsubscriptionkey", "privatekey", "secretkey", "accesskey", "accesskeyid",
        "secretaccesskey", "sessionid", "jsessionid", "phpsessid", "jwt", "credential", "credentials", "signature",
        "clientassertion", "codeverifier", "otp",
    ]
    private static let endings = ["password", "secret", "apikey", "accesstoken", "refreshtoken", "privatekey"]

    /// - Parameter more: further names; case, dashes and underscores do not matter.
    package init(_ more: [String] = []) {
        names = Self.usual.union(more.map(Self.bare))
    }

    private static func bare(_ name: String) -> String {
        String(name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != "." && $0 != " " })
    }

    package func contains(_ name: String) -> Bool {
        let bare = Self.bare(name)
        return names.contains(bare) || Self.endings.contains { bare.hasSuffix($0) }
    }
}
