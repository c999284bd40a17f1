/// Bytes in Base64 (RFC 4648, section 4), with padding.
public func base64(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var characters: [UInt8] = []
    characters.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
        let left = bytes.count - index
        let (first, second) = (bytes[index], left > 1 ? bytes[index + 1] : 0)
        let third = left > 2 ? bytes[index + 2] : 0
        characters.append(alphabet[Int(first >> 2)])
        characters.append(alphabet[Int(first << 4 & 63 | second >> 4)])
        characters.append(left > 1 ? alphabet[Int(second << 2 & 63 | third >> 6)] : UInt8(ascii: "="))
        characters.append(left > 2 ? alphabet[Int(third & 63)] : UInt8(ascii: "="))
        index += 3
    }
    return String(decoding: characters, as: UTF8.self)
}
