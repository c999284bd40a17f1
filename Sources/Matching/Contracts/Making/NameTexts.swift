import SDFakeValues

/// Texts suggested by names, such as an address for `email`.
enum NameTexts {
    static let plainWords = [
        "amber", "birch", "cedar", "coral", "delta", "ember", "falcon", "garden", "harbor", "indigo", "jasper",
        "lagoon",
        "maple", "meadow", "nova", "orchard", "pearl", "quartz", "river", "sierra", "summit", "tulip", "velvet",
        "willow",
    ]

    /// A text for a member, by its name and its owner's name.
    static func text(for spot: ValueLocation, _ source: inout FakeSource) -> String {
        let words = NameWords(spot.name)
        if words.ends(with: "name") || words.ends(with: "title"), let text = name(words, NameWords(spot.owner), &source)
        {
            return text
        }
        let ranks = (1...longestEnding).compactMap { ranksByEnding[words.words.suffix($0).joined(separator: " ")] }
        if let rank = ranks.min() { return text(kinds[rank].1, &source) }
        let (first, second) = (source.word(plainWords), source.word(plainWords))
        return first == second ? first : "\(first) \(second)"
    }

    /// A text for a member whose name suggests nothing.
    static func word(for spot: ValueLocation) -> String {
        var source = FakeSource(seed: spot.seed &+ UInt64(bitPattern: Int64(spot.turn)) &* 0x9E37_79B9)
        return source.word(plainWords)
    }

    private static func text(_ kind: Kind, _ source: inout FakeSource) -> String {
        switch kind {
        case .fake(let name): FakeValues.value(named: name, &source) ?? ""
        case .words(let words): source.word(words)
        case .format(let format): FormatText(format, ValueLocation(seed: source.next()))?.usual(&source) ?? ""
        case .filled(let pattern): source.filled(pattern)
        case .digits(let count): source.hexadecimal(count)
        case .path(let ending): "https://example.com/\(source.word(plainWords))-\(source.number(10...99))\(ending)"
        }
    }

    private enum Kind {
        case fake(String)
        case words([String])
        case format(String)
        case filled(String)
        case digits(Int)
        case path(String)
    }

    /// The value of a name depends on what it names.
    private static func name(_ words: NameWords, _ owner: NameWords, _ source: inout FakeSource) -> String? {
        let last = words.words.count > 1 ? words.words[words.words.count - 2] : ""
        let whole = words.words.dropLast().joined()
        if let kind = names[whole] ?? names[last] { return FakeValues.value(named: kind, &source) }
        guard words.words.count == 1 || ["display", "full", "long", "short"].contains(last) else { return nil }
        for word in owner.words.reversed() {
            let single = word.hasSuffix("s") ? String(word.dropLast()) : word
            if let kind = owners[single] ?? owners[word] { return FakeValues.value(named: kind, &source) }
        }
        if words.words.last == "title" { return FakeValues.value(named: "Book.title", &source) }
        let (first, second) = (source.word(plainWords), source.word(plainWords))
        return
            "\(first.prefix(1).uppercased())\(first.dropFirst()) \(second.prefix(1).uppercased())\(second.dropFirst())"
    }

    private static let names = [
        "first": "Name.firstName", "given": "Name.firstName", "fore": "Name.firstName", "middle": "Name.firstName",
        "last": "Name.lastName", "family": "Name.lastName", "sur": "Name.lastName", "user": "Name.username",
        "login": "Name.username", "nick": "Name.username", "screen": "Name.username", "company": "Company.name",
        "business": "Company.name", "organization": "Company.name", "organisation": "Company.name",
        "merchant": "Company.name", "employer": "Company.name", "city": "Address.city", "country": "Country.name",
        "state": "Address.state", "street": "Address.streetName", "host": "Internet.domainName",
        "domain": "Internet.domainName", "file": "File.fileName", "product": "Commerce.productName",
        "author": "Name.name", "owner": "Name.name", "contact": "Name.name", "customer": "Name.name",
        "person": "Name.name", "pet": "Dog.name", "job": "Job.title", "department": "Commerce.department",
        "color": "Color.name", "currency": "Currency.name", "bank": "Company.name",
    ]

    private static let owners = [
        "user": "Name.name", "person": "Name.name", "people": "Name.name", "customer": "Name.name",
        "author": "Name.name", "owner": "Name.name", "contact": "Name.name", "employee": "Name.name",
        "member": "Name.name", "patient": "Name.name", "student": "Name.name", "teacher": "Name.name",
        "driver": "Name.name", "account": "Name.name", "profile": "Name.name", "recipient": "Name.name",
        "pet": "Dog.name", "dog": "Dog.name", "cat": "Cat.name", "animal": "Dog.name", "company": "Company.name",
        "organization": "Company.name", "organisation": "Company.name", "vendor": "Company.name",
        "supplier": "Company.name", "merchant": "Company.name", "product": "Commerce.productName",
        "item": "Commerce.productName", "book": "Book.title", "city": "Address.city", "country": "Country.name",
        "category": "Commerce.department", "tag": "Hacker.adjective", "restaurant": "Restaurant.name",
        "team": "Team.name", "department": "Commerce.department", "color": "Color.name", "job": "Job.title",
    ]

    /// The maximum number of words in an ending.
    private static let longestEnding = kinds.flatMap(\.0).map { $0.split(separator: " ").count }.max() ?? 1
    /// The first index in `kinds` of each ending.
    private static let ranksByEnding = Dictionary(
        kinds.enumerated().flatMap { rank, kind in kind.0.map { ($0, rank) } }, uniquingKeysWith: min)

    private static let kinds: [([String], Kind)] = [
        (["email", "mail", "email address"], .fake("Internet.safeEmailAddress")),
        (["firstname", "givenname", "forename"], .fake("Name.firstName")),
        (["lastname", "surname", "familyname"], .fake("Name.lastName")),
        (["fullname", "displayname"], .fake("Name.name")),
        (["username", "login", "handle", "nickname"], .fake("Name.username")),
        (["author", "owner", "assignee", "customer", "recipient", "sender"], .fake("Name.name")),
        (["country code"], .fake("Address.countryCode")), (["city", "town"], .fake("Address.city")),
        (["country"], .fake("Country.name")), (["state", "province", "region"], .fake("Address.state")),
        (["zip", "zip code", "zipcode", "postcode", "postal code", "post code"], .fake("Address.zipCode")),
        (["street", "address", "line1", "address1", "street address"], .fake("Address.streetAddress")),
        (["line2", "address2"], .fake("Address.secondaryAddress")),
        (["phone", "mobile", "telephone", "fax", "phone number"], .fake("PhoneNumber.phoneNumberInternational")),
        (["company", "organization", "organisation", "employer", "vendor", "manufacturer"], .fake("Company.name")),
        (["job title", "occupation", "profession"], .fake("Job.title")),
        (
            [
                "description", "summary", "about", "bio", "comment", "message", "note", "notes", "body", "text",
                "detail",
                "details", "reason", "content", "caption", "instructions", "help",
            ], .fake("Lorem.sentence")
        ),
        (
            [
                "image", "photo", "picture", "avatar", "logo", "thumbnail", "image url", "avatar url", "photo url",
                "icon",
                "photo urls", "icon url",
            ], .path(".png")
        ),
        (
            [
                "url", "uri", "link", "website", "homepage", "href", "urls", "links", "endpoint", "callback",
                "location",
                "self", "next", "prev", "previous", "first", "last",
            ], .path("")
        ),
        (["color", "colour"], .fake("Color.name")), (["currency", "currency code"], .fake("Currency.code")),
        (["language", "lang", "locale"], .words(["en", "de", "fr", "es", "ja"])),
        (["timezone", "time zone", "tz"], .fake("Address.timeZone")),
        (["uuid", "guid", "uid", "correlation id", "request id", "trace id"], .format("uuid")),
        (
            [
                "token", "secret", "api key", "apikey", "access key", "password", "nonce", "signature", "session id",
                "cursor",
                "page token",
            ], .digits(24)
        ),
        (["sha", "sha1", "commit"], .digits(40)), (["hash", "checksum", "digest", "sha256"], .digits(64)),
        (["md5"], .digits(32)), (["etag"], .digits(16)),
        (["ip", "ip address", "ipv4"], .format("ipv4")), (["ipv6"], .format("ipv6")),
        (["mac", "mac address"], .fake("Internet.macAddress")),
        (["host", "hostname", "domain", "server"], .fake("Internet.domainName")),
        (["user agent"], .fake("Internet.userAgent")), (["version"], .fake("App.version")),
        (["filename", "file"], .fake("File.fileName")), (["path"], .words(["/docs/report.pdf", "/images/logo.png"])),
        (["mime type", "media type", "content type", "mimetype"], .fake("File.mimeType")),
        (["extension"], .fake("File.extension")), (["isbn"], .fake("Code.isbn13")), (["iban"], .fake("Finance.iban")),
        (["bic", "swift"], .fake("Finance.bic")), (["vin"], .fake("Vehicle.vin")),
        (["sku", "reference", "code", "number"], .filled("##-####")),
        (["card number", "credit card"], .fake("Finance.creditCard")), (["brand"], .fake("Commerce.brand")),
        (["category", "department"], .fake("Commerce.department")), (["product"], .fake("Commerce.productName")),
        (["material"], .fake("Commerce.material")), (["breed"], .fake("Dog.breed")),
        (["gender"], .words(["female", "male"])), (["subject", "headline"], .fake("Book.title")),
        (["status"], .words(["active", "pending", "done"])), (["slug"], .fake("Internet.slug")),
        (["latitude", "lat"], .fake("Address.latitude")), (["longitude", "lng", "lon"], .fake("Address.longitude")),
        (["price", "amount", "total", "cost", "balance", "fee"], .fake("Commerce.price")),
        (
            [
                "created", "updated", "created at", "updated at", "modified", "timestamp", "date time", "datetime",
                "expires at",
                "started at", "ended at", "start time", "end time", "last modified", "expires", "deleted at",
                "published at",
            ],
            .format("date-time")
        ),
        (["date", "birthday", "birth date", "dob", "start date", "end date", "due date", "day"], .format("date")),
        (["time"], .format("time")), (["duration"], .words(["PT15M", "PT1H30M"])),
        (["id", "key", "ids"], .digits(12)),
        (
            ["type", "kind", "tag", "label", "keyword", "tags", "labels", "group", "role", "scope", "name"],
            .words(plainWords)
        ),
    ]
}
