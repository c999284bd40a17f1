/// The location of a value being generated.
struct ValueLocation {
    /// The name of the member; empty for the root.
    var name = ""
    /// The name of its owner, such as `Pet`.
    var owner = ""
    /// The number of enclosing objects.
    var depth = 0
    /// The number of enclosing values.
    var nesting = 0
    /// The seed of its random numbers: equal in all items of a list.
    var seed: UInt64
    /// The index of its list item, from 0; values derived from it differ between items.
    var turn = 0
    /// Whether it is a list item or inside of one.
    var isInList = false
    /// Whether it may echo values of the request.
    var mayEcho = true

    init(seed: UInt64) {
        self.seed = seed
    }

    /// A member of an object.
    func member(_ name: String, of owner: String) -> ValueLocation {
        var spot = self
        spot.name = name
        spot.owner = owner
        spot.depth += 1
        spot.nesting += 1
        spot.seed = Self.mixed(seed, name)
        return spot
    }

    /// An item of a list.
    func item(_ index: Int) -> ValueLocation {
        var spot = self
        spot.nesting += 1
        spot.turn = turn &* 7 &+ index
        spot.isInList = true
        return spot
    }

    /// The same location, for another attempt.
    func again(_ attempt: Int) -> ValueLocation {
        var spot = self
        spot.turn = turn &+ attempt &* 101
        return spot
    }

    /// Mixes a text into a seed (FNV).
    static func mixed(_ seed: UInt64, _ text: some StringProtocol) -> UInt64 {
        var hash = seed ^ 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }
}
