/// A set of request methods as bits: common methods have one each, all others share one.
///
/// The index checks it before it accesses a stub, so that a thousand stubs for other methods on a path cost almost
/// nothing.
public struct MethodSet: OptionSet, Sendable, Hashable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public static let get = MethodSet(rawValue: 1 << 0)
    public static let head = MethodSet(rawValue: 1 << 1)
    public static let post = MethodSet(rawValue: 1 << 2)
    public static let put = MethodSet(rawValue: 1 << 3)
    public static let delete = MethodSet(rawValue: 1 << 4)
    public static let patch = MethodSet(rawValue: 1 << 5)
    public static let options = MethodSet(rawValue: 1 << 6)
    public static let trace = MethodSet(rawValue: 1 << 7)
    /// All methods without a bit of their own, which must be compared by name.
    public static let other = MethodSet(rawValue: 1 << 8)
    public static let all = MethodSet(rawValue: (1 << 9) - 1)

    /// The bit of one method. Methods are case-sensitive: `get` is not `GET`.
    public init(of method: borrowing ArraySlice<UInt8>) {
        var word: UInt64 = 0
        if method.count <= 8 {
            let bytes = method.span
            for index in bytes.indices { word = word << 8 | UInt64(bytes[index]) }
        }
        self.init(word: word)
    }

    /// The bit of one method.
    /// - Parameter word: the method's bytes, big-endian; 0 for a method longer than eight bytes.
    public init(word: UInt64) {
        self =
            switch word {
            case 0x47_4554: .get
            case 0x4845_4144: .head
            case 0x504F_5354: .post
            case 0x50_5554: .put
            case 0x4445_4C45_5445: .delete
            case 0x50_4154_4348: .patch
            case 0x4F_5054_494F_4E53: .options
            case 0x54_5241_4345: .trace
            default: .other
            }
    }
}
