import SDSecrets
import Testing

/// Which names are those of secrets.
@Suite struct SecretNamesTests {
    @Test(arguments: [
        "accessToken", "ACCESS-TOKEN", "access_token", "access.token", "access token", "ACCESSTOKEN", "access%5Ftoken",
        "access\\u005ftoken", "access&#95;token", "access%255Ftoken", "x_api_key", "X-API-Key", "apiKey2", "IDToken",
        "login[password]", "login.password", "token[0]", "token[]", "dbPassword", "X-Vault-Token", "GITHUB_TOKEN",
        "AWS_SECRET_ACCESS_KEY", "Set-Cookie", "new_password", "XSRF-TOKEN", "b?token",
    ])
    func allSpellingsAreOneName(name: String) {
        #expect(SecretNames().contains(name))
    }

    @Test(arguments: [
        "token_type", "tokenType", "token.type", "keyboard", "tokens", "tokens_used", "author", "authority",
        "max_tokens",
        "password_hint", "secretary", "passwordless", "nextToken", "next.page.token", "cookie_policy", "broken", "key",
        "expires_in", "", "%", "\\", "1234", "session",
    ])
    func harmlessNeighboursAreNone(name: String) {
        #expect(!SecretNames().contains(name))
    }

    @Test func aProjectAddsItsOwn() {
        let names = SecretNames(["IBAN", "X-Card Number"])
        for name in ["iban", "Iban", "i_ban", "x_card_number", "xCardNumber"] { #expect(names.contains(name)) }
        #expect(!SecretNames().contains("iban"))
        #expect(names.adding(["pin"]).contains("PIN") && names.adding(["pin"]).contains("iban"))
    }
}
