/// The word lists of fake values.
enum FakeWords {
    private static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { String($0.drop { $0 == " " || $0 == "\n" }) }
    }

    static let firstNames = list(
        """
        Ada, Alan, Alma, Amir, Anna, Ben, Carla, Chen, Clara, Daniel, David, Dina, Elena, Emil, Emma, Eva, Felix, Finn, Frida,
        Grace, Hana, Hugo, Ida, Igor, Ines, Ivan, Jack, Jana, Jonas, Julia, Karim, Kira, Lea, Leo, Lina, Linus, Lucas, Luis,
        Maja, Marie, Max, Mia, Milan, Nina, Noah, Nora, Olga, Omar, Oscar, Paula, Pavel, Rosa, Ruth, Sara, Sofia, Tim, Tom,
        Vera, Yara, Zoe
        """)
    static let lastNames = list(
        """
        Abbott, Adler, Alvarez, Baker, Becker, Berg, Bianchi, Brown, Carter, Castillo, Chen, Clark, Cohen, Costa, Diaz,
        Dubois, Evans, Fischer, Garcia, Green, Haas, Hall, Hansen, Harris, Hoffmann, Ito, Ivanov, Jensen, Johnson, Jones,
        Keller, Khan, Kim, Klein, Kowalski, Larsen, Lee, Lopez, Martin, Mendes, Miller, Moore, Nguyen, Novak, Okafor, Olsen,
        Patel, Popov, Reyes, Rossi, Sato, Schmidt, Silva, Singh, Smith, Svensson, Taylor, Walker, Weber, Young
        """)
    static let cities = list(
        """
        Ashford, Brightwater, Cedarville, Clearbrook, Eastport, Elmwood, Fairhaven, Glenfield, Greenhill, Harborview,
        Kingsbridge, Lakeside, Maplewood, Millbrook, Newbury, Northgate, Oakdale, Pinecrest, Riverton, Rockford, Silverton,
        Springdale, Stonebridge, Summerfield, Westbrook, Willowton, Winterport, Woodland
        """)
    static let streets = list(
        """
        Acorn, Birch, Bridge, Broad, Cedar, Cherry, Church, Elm, Forest, Garden, Harbor, Hill, Juniper, King, Lake, Main,
        Maple, Meadow, Mill, North, Oak, Orchard, Park, Pine, Queen, River, School, Spring, Station, Valley, Willow
        """)
    static let streetSuffixes = list("Avenue, Court, Drive, Lane, Place, Road, Square, Street, Terrace, Way")
    static let states: [(name: String, code: String)] = [
        ("Alabama", "AL"), ("Alaska", "AK"), ("Arizona", "AZ"), ("Arkansas", "AR"), ("California", "CA"),
        ("Colorado", "CO"), ("Connecticut", "CT"), ("Delaware", "DE"), ("Florida", "FL"), ("Georgia", "GA"),
        ("Hawaii", "HI"), ("Idaho", "ID"), ("Illinois", "IL"), ("Indiana", "IN"), ("Iowa", "IA"), ("Kansas", "KS"),
        ("Kentucky", "KY"), ("Louisiana", "LA"), ("Maine", "ME"), ("Maryland", "MD"), ("Michigan", "MI"),
        ("Minnesota", "MN"), ("Montana", "MT"), ("Nebraska", "NE"), ("Nevada", "NV"), ("New York", "NY"),
        ("Ohio", "OH"),
        ("Oregon", "OR"), ("Texas", "TX"), ("Utah", "UT"), ("Vermont", "VT"), ("Virginia", "VA"), ("Washington", "WA"),
    ]
    /// Countries with their two- and three-letter codes, currencies and capitals.
    static let countries: [(name: String, code: String, long: String, currency: String, capital: String)] = [
        ("Argentina", "AR", "ARG", "ARS", "Buenos Aires"), ("Australia", "AU", "AUS", "AUD", "Canberra"),
        ("Austria", "AT", "AUT", "EUR", "Vienna"), ("Brazil", "BR", "BRA", "BRL", "Brasília"),
        ("Canada", "CA", "CAN", "CAD", "Ottawa"), ("Chile", "CL", "CHL", "CLP", "Santiago"),
        ("Denmark", "DK", "DNK", "DKK", "Copenhagen"), ("Egypt", "EG", "EGY", "EGP", "Cairo"),
        ("Finland", "FI", "FIN", "EUR", "Helsinki"), ("France", "FR", "FRA", "EUR", "Paris"),
        ("Germany", "DE", "DEU", "EUR", "Berlin"), ("India", "IN", "IND", "INR", "New Delhi"),
        ("Ireland", "IE", "IRL", "EUR", "Dublin"), ("Italy", "IT", "ITA", "EUR", "Rome"),
        ("Japan", "JP", "JPN", "JPY", "Tokyo"), ("Kenya", "KE", "KEN", "KES", "Nairobi"),
        ("Mexico", "MX", "MEX", "MXN", "Mexico City"), ("Netherlands", "NL", "NLD", "EUR", "Amsterdam"),
        ("Nigeria", "NG", "NGA", "NGN", "Abuja"), ("Norway", "NO", "NOR", "NOK", "Oslo"),
        ("Poland", "PL", "POL", "PLN", "Warsaw"), ("Portugal", "PT", "PRT", "EUR", "Lisbon"),
        ("Spain", "ES", "ESP", "EUR", "Madrid"), ("Sweden", "SE", "SWE", "SEK", "Stockholm"),
        ("Switzerland", "CH", "CHE", "CHF", "Bern"), ("Türkiye", "TR", "TUR", "TRY", "Ankara"),
        ("United Kingdom", "GB", "GBR", "GBP", "London"), ("United States", "US", "USA", "USD", "Washington"),
    ]
    static let currencies: [(name: String, code: String)] = [
        ("Australian dollar", "AUD"), ("Brazilian real", "BRL"), ("British pound", "GBP"), ("Canadian dollar", "CAD"),
        ("Danish krone", "DKK"), ("Euro", "EUR"), ("Indian rupee", "INR"), ("Japanese yen", "JPY"),
        ("Mexican peso", "MXN"), ("Norwegian krone", "NOK"), ("Polish zloty", "PLN"), ("Swedish krona", "SEK"),
        ("Swiss franc", "CHF"), ("US dollar", "USD"),
    ]
    static let timeZones = list(
        """
        Africa/Cairo, Africa/Nairobi, America/Chicago, America/New_York, America/Sao_Paulo, Asia/Kolkata, Asia/Tokyo,
        Australia/Sydney, Europe/Berlin, Europe/London, Europe/Madrid, Pacific/Auckland
        """)
    static let companySuffixes = list("AG, GmbH, Group, Inc, Ltd, LLC, and Sons, Partners")
    static let industries = list(
        "Aviation, Banking, Biotechnology, Construction, Education, Energy, Health Care, Insurance, Logistics, Media, Retail, Software, Telecommunications, Tourism"
    )
    static let buzzwords = list(
        "adaptive, balanced, configurable, distributed, ergonomic, expanded, integrated, modular, open, optimized, robust, secure, streamlined, universal"
    )
    static let buzznouns = list(
        "architecture, capability, concept, framework, initiative, interface, knowledge base, model, network, platform, process, solution, strategy, toolset"
    )
    static let jobFields = list(
        "Accounting, Administration, Consulting, Design, Education, Engineering, Farming, Finance, Government, Healthcare, Legal, Marketing, Operations, Sales"
    )
    static let seniorities = list("Associate, Chief, Junior, Lead, Principal, Regional, Senior")
    static let positions = list(
        "Administrator, Agent, Analyst, Architect, Assistant, Consultant, Coordinator, Designer, Developer, Director, Engineer, Manager, Officer, Specialist, Supervisor, Technician"
    )
    static let skills = list(
        "Communication, Leadership, Networking, Organisation, Planning, Problem solving, Self-motivation, Teamwork")
    static let colors = list(
        "azure, black, blue, brown, coral, cyan, gold, gray, green, indigo, ivory, lime, magenta, maroon, olive, orange, pink, plum, purple, red, silver, teal, violet, white, yellow"
    )
    static let departments = list(
        "Automotive, Baby, Beauty, Books, Clothing, Computers, Electronics, Games, Garden, Grocery, Health, Home, Jewelry, Kids, Music, Outdoors, Shoes, Sports, Tools, Toys"
    )
    static let materials = list(
        "Aluminum, Bronze, Concrete, Copper, Cotton, Glass, Granite, Iron, Leather, Linen, Marble, Paper, Plastic, Rubber, Silk, Steel, Wood, Wool"
    )
    static let productAdjectives = list(
        "Awesome, Durable, Elegant, Ergonomic, Fantastic, Gorgeous, Handy, Incredible, Intelligent, Lightweight, Practical, Rustic, Sleek, Small, Sturdy"
    )
    static let products = list(
        "Bag, Bench, Bottle, Chair, Clock, Coat, Computer, Gloves, Hat, Keyboard, Knife, Lamp, Pants, Plate, Shirt, Shoes, Table, Wallet, Watch"
    )
    static let lorem = list(
        """
        accusamus, ad, aliquam, amet, animi, architecto, aut, autem, beatae, commodi, consectetur, corporis, culpa, cum,
        cupiditate, deleniti, dicta, dolor, dolorem, ducimus, ea, eius, eligendi, enim, eos, error, est, et, eum, eveniet, ex,
        excepturi, explicabo, facere, facilis, fuga, fugiat, harum, hic, id, illo, in, inventore, ipsa, ipsam, ipsum, iste,
        itaque, iure, labore, laudantium, lorem, magnam, magni, maxime, minima, minus, molestiae, mollitia, natus, nemo,
        nihil, nisi, nobis, non, odio, odit, officia, omnis, optio, pariatur, perferendis, placeat, porro, possimus, quae,
        quam, quas, quasi, qui, quia, quis, quo, ratione, rem, repellat, saepe, sed, sequi, sint, sit, soluta, sunt,
        suscipit, tempora, tempore, tenetur, totam, ullam, unde, ut, vel, velit, veniam, vero, vitae, voluptas, voluptate
        """)
    static let fileKinds: [(ending: String, type: String)] = [
        ("csv", "text/csv"), ("gif", "image/gif"), ("html", "text/html"), ("jpg", "image/jpeg"),
        ("json", "application/json"), ("mp3", "audio/mpeg"), ("mp4", "video/mp4"), ("pdf", "application/pdf"),
        ("png", "image/png"), ("txt", "text/plain"), ("xml", "application/xml"), ("zip", "application/zip"),
    ]
    static let userAgents = [
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
        "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    ]
    static let animals = list(
        "badger, bear, beaver, camel, cat, cheetah, cow, deer, dog, dolphin, eagle, elephant, falcon, fox, frog, giraffe, goat, hedgehog, horse, koala, lion, lynx, otter, owl, panda, penguin, rabbit, seal, sheep, tiger, whale, wolf, zebra"
    )
    static let dogBreeds = list(
        "Basset Hound, Beagle, Border Collie, Boxer, Bulldog, Collie, Dachshund, Dalmatian, Golden Retriever, Greyhound, Husky, Labrador Retriever, Poodle, Pug, Terrier"
    )
    static let catBreeds = list(
        "Abyssinian, Balinese, Bengal, Birman, British Shorthair, Burmese, Chartreux, Maine Coon, Manx, Persian, Ragdoll, Siamese, Sphynx"
    )
    static let petNames = list(
        "Bailey, Bella, Buddy, Charlie, Coco, Daisy, Lola, Lucky, Luna, Max, Milo, Molly, Oscar, Rocky, Ruby")
    static let dishes = list(
        "Bean Soup, Burger, Caesar Salad, Cheesecake, Chicken Curry, Fish and Chips, Gnocchi, Lasagne, Mushroom Risotto, Pancakes, Pasta with Tomatoes, Pizza, Ramen, Tacos, Vegetable Stew"
    )
    static let fruits = list(
        "Apple, Apricot, Banana, Blueberry, Cherry, Fig, Grape, Kiwi, Lemon, Mango, Melon, Orange, Peach, Pear, Plum, Strawberry"
    )
    static let vegetables = list(
        "Beetroot, Broccoli, Cabbage, Carrot, Cauliflower, Celery, Cucumber, Leek, Onion, Parsnip, Pea, Potato, Pumpkin, Spinach, Tomato"
    )
    static let spices = list(
        "Basil, Cardamom, Chili, Cinnamon, Clove, Coriander, Cumin, Dill, Ginger, Mint, Nutmeg, Oregano, Paprika, Rosemary, Saffron, Thyme, Turmeric"
    )
    static let ingredients = list(
        "Beans, Butter, Cheese, Cream, Eggs, Flour, Garlic, Honey, Lentils, Milk, Noodles, Nuts, Oats, Olive Oil, Rice, Salt, Sugar, Vinegar, Yoghurt"
    )
    static let titles = list(
        "The Last Harbor, A Winter Garden, Paper Boats, The Silent Orchard, Northern Lights, Seven Bridges, The Glass Map, An Honest Mistake, The Long Afternoon, Blue Hour, Salt and Iron, The Cartographer"
    )
    static let publishers = list(
        "Anchor & Vale, Blue Lantern, Harbour House, Long Road Press, Meridian, Paper Mill, Stonefield, Three Owls")
    static let genres = list(
        "Adventure, Biography, Comedy, Crime, Drama, Essay, Fantasy, History, Mystery, Poetry, Romance, Science Fiction, Thriller"
    )
    static let instruments = list(
        "Accordion, Cello, Clarinet, Drums, Flute, Guitar, Harp, Oboe, Piano, Saxophone, Trumpet, Ukulele, Viola, Violin"
    )
    static let musicGenres = list(
        "Blues, Classical, Country, Electronic, Folk, Funk, Hip Hop, Jazz, Metal, Pop, Reggae, Rock, Soul")
    static let platforms = list("Android, FreeBSD, iOS, Linux, macOS, Windows")
    static let deviceModels = list("Aero 3, Comet X, Lumen 10, Nova 5, Orbit Pro, Pixelate 8, Quartz Mini, Vertex 2")
    static let makers = list("Arclight, Borealis, Cobalt, Dynamo, Everline, Fathom, Granite, Helios")
    static let vehicleModels = list("Alto, Bravo, Corsa GT, Delta, Estate, Falcon, Gazelle, Horizon")
    static let weathers = list(
        "Clear sky, Cloudy, Drizzle, Fog, Heavy rain, Light rain, Overcast, Partly cloudy, Snow, Sunny, Thunderstorm, Windy"
    )
    static let planets = list("Mercury, Venus, Earth, Mars, Jupiter, Saturn, Uranus, Neptune")
    static let stars = list(
        "Aldebaran, Altair, Antares, Arcturus, Betelgeuse, Canopus, Capella, Deneb, Polaris, Procyon, Rigel, Sirius, Spica, Vega"
    )
    static let languages = list(
        "Ada, C, C++, C#, Clojure, Elixir, Erlang, Go, Haskell, Java, JavaScript, Kotlin, Lisp, Lua, OCaml, Perl, PHP, Python, Ruby, Rust, Scala, Swift, TypeScript"
    )
    static let emojis = ["😀", "😁", "😄", "😊", "🙂", "😉", "😍", "🤔", "😴", "😎"]
    static let sports = list(
        "Badminton, Baseball, Basketball, Cricket, Football, Handball, Hockey, Rugby, Tennis, Volleyball")
    static let universities = list("Eastern, Northern, Southern, Western")
    static let nationalities = list(
        "American, Argentine, Australian, Brazilian, British, Canadian, Danish, Dutch, Egyptian, French, German, Indian, Irish, Italian, Japanese, Kenyan, Mexican, Nigerian, Norwegian, Polish, Spanish, Swedish"
    )
    static let elements: [(name: String, symbol: String)] = [
        ("Hydrogen", "H"), ("Helium", "He"), ("Carbon", "C"), ("Nitrogen", "N"), ("Oxygen", "O"), ("Neon", "Ne"),
        ("Sodium", "Na"), ("Aluminium", "Al"), ("Silicon", "Si"), ("Iron", "Fe"), ("Copper", "Cu"), ("Zinc", "Zn"),
        ("Silver", "Ag"), ("Tin", "Sn"), ("Gold", "Au"), ("Mercury", "Hg"), ("Lead", "Pb"), ("Uranium", "U"),
    ]
}
