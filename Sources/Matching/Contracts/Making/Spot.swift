/// A place in a value that is being made.
struct Spot {
    /// The name of the member; empty for the whole.
    var name = ""
    /// The name of what it belongs to, such as `Pet`.
    var owner = ""
    /// How many objects are around it.
    var depth = 0
    /// How many values are around it.
    var nesting = 0
    /// What its random numbers begin with: the same in all items of a list.
    var seed: UInt64
    /// Which item of a list it belongs to, from 0: what follows it differs from item to item.
    var turn = 0
    /// Whether it is an item of a list, or belongs to one.
    var isInList = false
    /// Whether it may have values of the request.
    var mayEcho = true

    init(seed: UInt64) {
        self.seed = seed
    }

    /// A member of an object.
    func member(_ name: String, of owner: String) -> Spot {
        var spot = self
        spot.name = name
        spot.owner = owner
        spot.depth += 1
        spot.nesting += 1
        spot.seed = Self.mixed(seed, name)
        return spot
    }

    /// An item of a list.
    func item(_ index: Int) -> Spot {
        var spot = self
        spot.nesting += 1
        spot.turn = turn &* 7 &+ index
        spot.isInList = true
        return spot
    }

    /// The same place, for another try.
    func again(_ attempt: Int) -> Spot {
        var spot = self
        spot.turn = turn &+ attempt &* 101
        return spot
    }

    /// What a text and a number make of a seed, by FNV.
    static func mixed(_ seed: UInt64, _ text: some StringProtocol) -> UInt64 {
        var hash = seed ^ 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }
}
