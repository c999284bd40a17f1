/// The fake values by name; case and underscores in names are ignored.
public enum FakeValues {
    private typealias Maker = @Sendable (inout FakeSource) -> String

    /// All names in normalized form.
    public static var names: [String] { all.keys.sorted() }

    /// A fake value; nil for an unknown name.
    public static func value(named name: String, _ source: inout FakeSource) -> String? { all[key(name)]?(&source) }

    /// The normalized name, without case and underscores: `Name.first_name` is `name.firstname`.
    public static func key(_ name: String) -> String {
        String(
            String.UnicodeScalarView(name.unicodeScalars.filter { $0 != "_" && $0 != " " })
        ).lowercased()
    }

    private static let all: [String: Maker] = {
        var all: [String: Maker] = [:]
        for table in [people, places, commerce, network, words, numbers, things] {
            for (name, maker) in table { all[key(name)] = maker }
        }
        return all
    }()

    private static func pick(_ list: [String]) -> Maker { { $0.word(list) } }
    private static func fill(_ pattern: String) -> Maker { { $0.filled(pattern) } }

    // MARK: - People

    private static let people: [String: Maker] = [
        "Name.firstName": pick(FakeWords.firstNames), "Name.lastName": pick(FakeWords.lastNames),
        "Name.name": { fullName(&$0) }, "Name.fullName": { fullName(&$0) },
        "Name.nameWithMiddle": {
            "\($0.word(FakeWords.firstNames)) \($0.word(FakeWords.firstNames)) \($0.word(FakeWords.lastNames))"
        },
        "Name.prefix": pick(["Dr.", "Mr.", "Mrs.", "Ms."]),
        "Name.suffix": pick(["Jr.", "Sr.", "II", "III", "MD", "PhD"]),
        "Name.title": { jobTitle(&$0) }, "Name.username": { userName(&$0) }, "Twitter.userName": { userName(&$0) },
        "Twitter.userId": fill("##########"), "FunnyName.name": { fullName(&$0) }, "Artist.name": { fullName(&$0) },
        "Gender.binaryTypes": pick(["Female", "Male"]), "Gender.shortBinaryTypes": pick(["f", "m"]),
        "Gender.types": pick(["Female", "Male", "Non-binary"]), "Demographic.sex": pick(["Female", "Male"]),
        "Demographic.maritalStatus": pick(["Divorced", "Married", "Never married", "Separated", "Widowed"]),
        "Nation.nationality": pick(FakeWords.nationalities), "Demographic.demonym": pick(FakeWords.nationalities),
        "Relationship.parent": pick(["Father", "Mother"]), "Relationship.sibling": pick(["Brother", "Sister"]),
        "Relationship.spouse": pick(["Husband", "Wife"]), "Job.title": { jobTitle(&$0) },
        "Job.field": pick(FakeWords.jobFields), "Job.position": pick(FakeWords.positions),
        "Job.seniority": pick(FakeWords.seniorities), "Job.keySkills": pick(FakeWords.skills),
        "PhoneNumber.phoneNumber": fill("(555) ###-####"), "PhoneNumber.cellPhone": fill("555-###-####"),
        "PhoneNumber.phoneNumberNational": fill("(555) ###-####"), "PhoneNumber.extension": fill("####"),
        "PhoneNumber.phoneNumberInternational": fill("+1 555-###-####"), "PhoneNumber.subscriberNumber": fill("####"),
        "IdNumber.valid": { ssn(&$0) }, "IdNumber.ssnValid": { ssn(&$0) }, "IdNumber.invalid": fill("000-##-####"),
        "Passport.valid": { "\($0.word(["C", "X", "P"]))\($0.filled("########"))" },
        "BloodType.aboTypes": pick(["A", "B", "AB", "O"]), "BloodType.rhTypes": pick(["Rh+", "Rh-"]),
        "BloodType.bloodGroup": pick(["A+", "A-", "B+", "B-", "AB+", "AB-", "O+", "O-"]),
        "University.name": { "\($0.word(FakeWords.universities)) University of \($0.word(FakeWords.cities))" },
        "Educator.university": { "\($0.word(FakeWords.universities)) University of \($0.word(FakeWords.cities))" },
        "Team.sport": pick(FakeWords.sports), "Team.creature": pick(FakeWords.animals),
        "Team.name": { "\($0.word(FakeWords.cities)) \(capitalized($0.word(FakeWords.animals)))s" },
    ]

    private static func fullName(_ source: inout FakeSource) -> String {
        "\(source.word(FakeWords.firstNames)) \(source.word(FakeWords.lastNames))"
    }

    private static func userName(_ source: inout FakeSource) -> String {
        "\(source.word(FakeWords.firstNames)).\(source.word(FakeWords.lastNames))".lowercased()
    }

    private static func jobTitle(_ source: inout FakeSource) -> String {
        "\(source.word(FakeWords.seniorities)) \(source.word(FakeWords.jobFields)) \(source.word(FakeWords.positions))"
    }

    private static func ssn(_ source: inout FakeSource) -> String {
        "\(source.number(100...665))-\(source.number(10...99))-\(source.number(1_000...9_999))"
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    // MARK: - Places

    private static let places: [String: Maker] = [
        "Address.city": pick(FakeWords.cities), "Address.cityName": pick(FakeWords.cities),
        "Address.state": { $0.word(FakeWords.states.map(\.name)) },
        "Address.stateAbbr": { $0.word(FakeWords.states.map(\.code)) },
        "Address.country": { $0.word(FakeWords.countries.map(\.name)) },
        "Address.countryCode": { $0.word(FakeWords.countries.map(\.code)) },
        "Address.streetName": { streetName(&$0) }, "Address.streetSuffix": pick(FakeWords.streetSuffixes),
        "Address.streetAddress": { streetAddress(&$0) }, "Address.streetAddressNumber": fill("###"),
        "Address.buildingNumber": { String($0.number(1...999)) },
        "Address.secondaryAddress": { "\($0.word(["Apt.", "Suite"])) \($0.number(100...999))" },
        "Address.zipCode": fill("#####"), "Address.postcode": fill("#####"), "Address.zipCodePlus4": fill("#####-####"),
        "Address.mailBox": fill("PO Box ####"), "Address.timeZone": pick(FakeWords.timeZones),
        "Address.latitude": { coordinate(&$0, 90) }, "Address.longitude": { coordinate(&$0, 180) },
        "Address.latLon": { "\(coordinate(&$0, 90)),\(coordinate(&$0, 180))" },
        "Address.lonLat": { "\(coordinate(&$0, 180)),\(coordinate(&$0, 90))" },
        "Address.fullAddress": {
            let street = streetAddress(&$0)
            return
                "\(street), \($0.word(FakeWords.cities)), \($0.word(FakeWords.states.map(\.code))) \($0.filled("#####"))"
        },
        "Country.name": { $0.word(FakeWords.countries.map(\.name)) },
        "Country.countryCode2": { $0.word(FakeWords.countries.map(\.code)).lowercased() },
        "Country.countryCode3": { $0.word(FakeWords.countries.map(\.long)).lowercased() },
        "Country.capital": { $0.word(FakeWords.countries.map(\.capital)) },
        "Country.currencyCode": { $0.word(FakeWords.countries.map(\.currency)) },
        "Country.currency": { $0.word(FakeWords.currencies.map(\.name)) },
        "Nation.capitalCity": { $0.word(FakeWords.countries.map(\.capital)) },
        "Nation.isoCountry": { $0.word(FakeWords.countries.map(\.code)) },
        "Compass.word": pick(["north", "east", "south", "west"]), "Compass.abbreviation": pick(["N", "E", "S", "W"]),
        "Compass.azimuth": { String($0.number(0...359)) },
    ]

    private static func streetName(_ source: inout FakeSource) -> String {
        "\(source.word(FakeWords.streets)) \(source.word(FakeWords.streetSuffixes))"
    }

    private static func streetAddress(_ source: inout FakeSource) -> String {
        let number = source.number(1...9_999)
        return "\(number) \(streetName(&source))"
    }

    private static func coordinate(_ source: inout FakeSource, _ most: Int) -> String {
        decimal(source.number((-most * 1_000_000)...(most * 1_000_000)), places: 6)
    }

    /// An amount in the smallest unit, written with `places` decimal digits.
    private static func decimal(_ number: Int, places: Int) -> String {
        let digits = String(number.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return (number < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
    }

    // MARK: - Commerce

    private static let commerce: [String: Maker] = [
        "Company.name": { "\($0.word(FakeWords.lastNames)) \($0.word(FakeWords.companySuffixes))" },
        "Company.suffix": pick(FakeWords.companySuffixes), "Company.industry": pick(FakeWords.industries),
        "Company.profession": pick(FakeWords.positions), "Company.buzzword": pick(FakeWords.buzzwords),
        "Company.catchPhrase": { capitalized("\($0.word(FakeWords.buzzwords)) \($0.word(FakeWords.buzznouns))") },
        "Company.bs": {
            "\($0.word(["build", "deliver", "grow", "scale"])) \($0.word(FakeWords.buzzwords)) \($0.word(FakeWords.buzznouns))"
        },
        "Company.url": { "www.\(domain(&$0))" },
        "Company.logo": { "https://example.com/logos/\($0.number(1...13)).png" },
        "Commerce.department": pick(FakeWords.departments), "Commerce.material": pick(FakeWords.materials),
        "Commerce.productName": {
            "\($0.word(FakeWords.productAdjectives)) \($0.word(FakeWords.materials)) \($0.word(FakeWords.products))"
        },
        "Commerce.price": { decimal($0.number(1...10_000), places: 2) }, "Commerce.brand": pick(FakeWords.makers),
        "Commerce.vendor": pick(FakeWords.makers),
        "Commerce.promotionCode": { "\($0.word(FakeWords.productAdjectives))\($0.filled("######"))" },
        "Currency.name": { $0.word(FakeWords.currencies.map(\.name)) },
        "Currency.code": { $0.word(FakeWords.currencies.map(\.code)) },
        "Money.currency": { $0.word(FakeWords.currencies.map(\.name)) },
        "Money.currencyCode": { $0.word(FakeWords.currencies.map(\.code)) },
        "Finance.creditCard": { checked($0.filled("4###-####-####-###")) },
        "Business.creditCardNumber": { checked($0.filled("4###-####-####-###")) },
        "Business.creditCardType": pick(["american_express", "discover", "mastercard", "visa"]),
        "Business.creditCardExpiry": { "\($0.number(2030...2039))-\(decimalMonth(&$0))-01" },
        "Business.securityCode": fill("###"), "Finance.iban": { iban(&$0) },
        "Finance.bic": { $0.filled("????").uppercased() + $0.word(FakeWords.countries.map(\.code)) + $0.filled("##") },
        "Finance.nasdaqTicker": { $0.filled("????").uppercased() },
        "Finance.nyseTicker": { $0.filled("???").uppercased() },
        "Stock.nsdqSymbol": { $0.filled("????").uppercased() }, "Stock.nyseSymbol": { $0.filled("???").uppercased() },
        "Subscription.plans": pick(["Basic", "Business", "Free Trial", "Premium", "Starter"]),
        "Subscription.statuses": pick(["Active", "Blocked", "Idle", "Pending"]),
        "Subscription.paymentMethods": pick(["Bank transfer", "Cash", "Credit card", "Direct debit"]),
        "Code.isbn13": { bookNumber(&$0) }, "Code.ean13": { barcode($0.filled("############")) },
        "Code.ean8": { barcode($0.filled("#######")) }, "Code.gtin13": { barcode($0.filled("############")) },
        "Code.gtin8": { barcode($0.filled("#######")) }, "Code.asin": { "B0" + $0.filled("########") },
        "Code.imei": { checked($0.filled("35############")) }, "Barcode.ean13": { barcode($0.filled("############")) },
        "Barcode.ean8": { barcode($0.filled("#######")) }, "Barcode.gtin13": { barcode($0.filled("############")) },
        "Barcode.gtin12": { barcode($0.filled("###########")) },
        "Barcode.gtin14": { barcode($0.filled("#############")) },
        "Restaurant.name": {
            "The \(capitalized($0.word(FakeWords.colors))) \(capitalized($0.word(FakeWords.animals)))"
        },
        "IndustrySegments.industry": pick(FakeWords.industries),
    ]

    private static func decimalMonth(_ source: inout FakeSource) -> String {
        let month = source.number(1...12)
        return month < 10 ? "0\(month)" : String(month)
    }

    /// The digits with their Luhn check digit.
    private static func checked(_ text: String) -> String {
        let digits = text.compactMap(\.wholeNumberValue)
        let sum = digits.reversed().enumerated().reduce(0) { sum, each in
            let doubled = each.element * 2
            return sum + (each.offset % 2 == 0 ? doubled / 10 + doubled % 10 : each.element)
        }
        return text + String((10 - sum % 10) % 10)
    }

    /// The digits with their EAN check digit.
    private static func barcode(_ text: String) -> String {
        let sum = text.compactMap(\.wholeNumberValue).reversed().enumerated().reduce(0) {
            $0 + $1.element * ($1.offset % 2 == 0 ? 3 : 1)
        }
        return text + String((10 - sum % 10) % 10)
    }

    private static func bookNumber(_ source: inout FakeSource) -> String { barcode("978" + source.filled("#########")) }

    /// A German account number (IBAN) with its ISO 13616 check digits.
    private static func iban(_ source: inout FakeSource) -> String {
        let account = source.filled("##################")
        // DE is 1314, and the check digits count as 00.
        let rest = (account + "131400").reduce(0) { ($0 * 10 + ($1.wholeNumberValue ?? 0)) % 97 }
        let check = 98 - rest
        return "DE" + (check < 10 ? "0\(check)" : String(check)) + account
    }

    // MARK: - Network

    private static let network: [String: Maker] = [
        "Internet.emailAddress": { "\(userName(&$0))@\(domain(&$0))" },
        "Internet.safeEmailAddress": { "\(userName(&$0))@example.com" }, "Internet.domainName": { domain(&$0) },
        "Internet.domainWord": { $0.word(FakeWords.lastNames).lowercased() },
        "Internet.domainSuffix": pick(["com", "example", "net", "org"]),
        "Internet.url": { "https://www.\(domain(&$0))" },
        "Internet.slug": { "\($0.word(FakeWords.lorem))_\($0.word(FakeWords.lorem))" },
        "Internet.uuid": { uuid(&$0) }, "Internet.uuidv4": { uuid(&$0) },
        "Internet.ipV4Address": { address(&$0, 1...255) }, "Internet.publicIpV4Address": { address(&$0, 11...99) },
        "Internet.privateIpV4Address": { "10.\($0.number(0...255)).\($0.number(0...255)).\($0.number(1...254))" },
        "Internet.ipV4Cidr": { "\(address(&$0, 1...255))/\($0.number(1...31))" },
        "Internet.ipV6Address": { source in (0..<8).map { _ in source.hexadecimal(4) }.joined(separator: ":") },
        "Internet.macAddress": { source in (0..<6).map { _ in source.hexadecimal(2) }.joined(separator: ":") },
        "Internet.port": { String($0.number(1_024...65_535)) }, "Internet.password": { $0.hexadecimal(12) },
        "Internet.httpMethod": pick(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]),
        "Internet.userAgent": pick(FakeWords.userAgents),
        "Internet.image": { "https://example.com/images/\($0.number(1...1_000)).png" },
        "Hashing.md5": { $0.hexadecimal(32) }, "Hashing.sha1": { $0.hexadecimal(40) },
        "Hashing.sha256": { $0.hexadecimal(64) }, "Hashing.sha384": { $0.hexadecimal(96) },
        "Hashing.sha512": { $0.hexadecimal(128) },
        "File.fileName": {
            "\($0.word(FakeWords.lorem))/\($0.word(FakeWords.lorem)).\($0.word(FakeWords.fileKinds.map(\.ending)))"
        },
        "File.extension": { $0.word(FakeWords.fileKinds.map(\.ending)) },
        "File.mimeType": { $0.word(FakeWords.fileKinds.map(\.type)) },
        "App.name": { capitalized($0.word(FakeWords.lorem)) }, "App.author": { fullName(&$0) },
        "App.version": { "\($0.number(0...9)).\($0.number(0...20)).\($0.number(0...99))" },
        "Computer.operatingSystem": pick(FakeWords.platforms), "Computer.platform": pick(FakeWords.platforms),
        "Computer.type": pick(["laptop", "server", "workstation"]), "Device.platform": pick(FakeWords.platforms),
        "Device.modelName": pick(FakeWords.deviceModels), "Device.manufacturer": pick(FakeWords.makers),
        "Device.serial": { $0.hexadecimal(16) }, "ProgrammingLanguage.name": pick(FakeWords.languages),
        "Aws.region": pick(["ap-south-1", "eu-central-1", "eu-west-1", "us-east-1", "us-west-2"]),
        "Aws.accountId": fill("############"),
    ]

    private static func domain(_ source: inout FakeSource) -> String {
        "\(source.word(FakeWords.lastNames).lowercased()).example"
    }

    private static func address(_ source: inout FakeSource, _ first: ClosedRange<Int>) -> String {
        "\(source.number(first)).\(source.number(0...255)).\(source.number(0...255)).\(source.number(1...254))"
    }

    private static func uuid(_ source: inout FakeSource) -> String {
        let (first, second, third) = (source.hexadecimal(8), source.hexadecimal(4), source.hexadecimal(3))
        let (fourth, fifth) = (source.word(["8", "9", "a", "b"]) + source.hexadecimal(3), source.hexadecimal(12))
        return "\(first)-\(second)-4\(third)-\(fourth)-\(fifth)"
    }

    // MARK: - Words

    private static let words: [String: Maker] = [
        "Lorem.word": pick(FakeWords.lorem), "Lorem.words": { sentence(&$0, 3...3) },
        "Lorem.sentence": { capitalized(sentence(&$0, 4...9)) + "." },
        "Lorem.paragraph": { source in
            (0..<3).map { _ in capitalized(sentence(&source, 4...9)) + "." }.joined(separator: " ")
        },
        "Lorem.character": { $0.filled("?") },
        "Lorem.characters": { source in source.filled(String(repeating: "?", count: 255)) },
        "Text.character": { $0.filled("?") }, "Text.lowercaseCharacter": { $0.filled("?") },
        "Text.uppercaseCharacter": { $0.filled("?").uppercased() },
        "Text.text": { source in source.filled(String(repeating: "?", count: 36)) },
        "Book.title": pick(FakeWords.titles), "Book.author": { fullName(&$0) },
        "Book.publisher": pick(FakeWords.publishers),
        "Book.genre": pick(FakeWords.genres), "Hacker.adjective": pick(FakeWords.buzzwords),
        "Hacker.noun": pick(FakeWords.buzznouns), "Hipster.word": pick(FakeWords.lorem),
        "Marketing.buzzwords": pick(FakeWords.buzzwords), "Emoji.smiley": pick(FakeWords.emojis),
        "Verb.base": pick(["build", "draw", "find", "give", "go", "hold", "make", "read", "run", "take", "write"]),
        "Mood.feeling": pick(["calm", "cheerful", "curious", "hopeful", "nervous", "proud", "sad", "tired"]),
    ]

    private static func sentence(_ source: inout FakeSource, _ count: ClosedRange<Int>) -> String {
        (0..<source.number(count)).map { _ in source.word(FakeWords.lorem) }.joined(separator: " ")
    }

    // MARK: - Numbers

    private static let numbers: [String: Maker] = [
        "Number.digit": { String($0.number(0...9)) }, "Number.randomDigit": { String($0.number(0...9)) },
        "Number.randomDigitNotZero": { String($0.number(1...9)) },
        "Number.positive": { String($0.number(1...2_147_483_647)) },
        "Number.negative": { String($0.number(-2_147_483_648 ... -1)) },
        "Number.randomNumber": { String($0.number(0...999_999_999)) },
        "Bool.bool": pick(["false", "true"]), "Coin.flip": pick(["Heads", "Tails"]),
        "Date.birthday": { "\($0.number(1950...2005))-\(decimalMonth(&$0))-\($0.number(10...28))" },
        "Weather.temperatureCelsius": { "\($0.number(-30...38))°C" },
        "Weather.temperatureFahrenheit": { "\($0.number(-22...100))°F" },
    ]

    // MARK: - Things

    private static let things: [String: Maker] = [
        "Color.name": pick(FakeWords.colors), "Color.hex": { "#" + $0.hexadecimal(6) },
        "Animal.name": pick(FakeWords.animals), "Dog.name": pick(FakeWords.petNames),
        "Dog.breed": pick(FakeWords.dogBreeds),
        "Cat.name": pick(FakeWords.petNames), "Cat.breed": pick(FakeWords.catBreeds),
        "Horse.name": pick(FakeWords.petNames),
        "Food.dish": pick(FakeWords.dishes), "Food.fruit": pick(FakeWords.fruits),
        "Food.ingredient": pick(FakeWords.ingredients),
        "Food.vegetable": pick(FakeWords.vegetables), "Food.spice": pick(FakeWords.spices),
        "Music.instrument": pick(FakeWords.instruments), "Music.genre": pick(FakeWords.musicGenres),
        "Music.key": pick(["A", "B", "C", "D", "E", "F", "G"]),
        "Vehicle.make": pick(FakeWords.makers), "Vehicle.manufacturer": pick(FakeWords.makers),
        "Vehicle.model": pick(FakeWords.vehicleModels), "Vehicle.color": pick(FakeWords.colors),
        "Vehicle.makeAndModel": { "\($0.word(FakeWords.makers)) \($0.word(FakeWords.vehicleModels))" },
        "Vehicle.fuelType": pick(["Diesel", "Electric", "Gas", "Hybrid"]),
        "Vehicle.transmission": pick(["Automatic", "Manual"]),
        "Vehicle.licensePlate": { $0.filled("???-####").uppercased() },
        "Vehicle.vin": { $0.hexadecimal(17).uppercased() }, "Weather.description": pick(FakeWords.weathers),
        "Space.planet": pick(FakeWords.planets), "Space.star": pick(FakeWords.stars),
        "Science.element": { $0.word(FakeWords.elements.map(\.name)) },
        "Science.elementSymbol": { $0.word(FakeWords.elements.map(\.symbol)) },
        "House.room": pick([
            "attic", "basement", "bathroom", "bedroom", "dining room", "hall", "kitchen", "living room",
        ]),
        "House.furniture": pick(["armchair", "bed", "bookcase", "chair", "desk", "sofa", "table", "wardrobe"]),
        "Size.adjective": pick(["big", "enormous", "huge", "large", "little", "small", "tiny"]),
    ]
}
