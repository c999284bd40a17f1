import SDStubModel

/// WireMock's helpers for encodings, form data and system values.
enum EncodingHelpers {
    static let table: [String: Helper] = [
        "base64": base64, "urlEncode": urlEncode, "formData": formData,
        "hostname": { call throws(RenderError) in .text(call.renderer.environment.system.hostName) },
        "systemValue": systemValue,
    ]

    private static let base64: Helper = { call throws(RenderError) in
        let text = try TextHelpers.input(call)
        guard call.isSet("decode") else {
            var encoded = Base64.encode(text.utf8)
            if call.text("padding")?.lowercased() == "false" {
                while encoded.hasSuffix("=") { encoded.removeLast() }
            }
            return .text(encoded)
        }
        do throws(Base64.Problem) {
            return .text(String(decoding: try Base64.decode(plainBase64(text)), as: UTF8.self))
        } catch {
            throw RenderError("base64: \(error.detail)")
        }
    }

    /// Base64 converted to the standard alphabet on one line.
    private static func plainBase64(_ text: String) -> String {
        let bytes = text.utf8.lazy.filter { $0 != 0x0A && $0 != 0x0D }.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        return String(decoding: Array(bytes), as: UTF8.self)
    }

    /// Decodes Base64 in the standard or URL alphabet, with or without line breaks; nil if it is invalid.
    static func decoded(_ text: String) -> [UInt8]? { try? Base64.decode(plainBase64(text)) }

    /// Ignores a block: encodes its parameter or else the current value.
    private static let urlEncode: Helper = { call throws(RenderError) in
        let text = call.subject.text
        guard let charset = Charset(call.text("encoding") ?? "UTF-8") else {
            throw Charset.unknown(call)
        }
        return .text(call.isSet("decode") ? formDecoded(text, charset) : formEncoded(text, charset))
    }

    /// The character encoding for percent-encoded bytes.
    private enum Charset {
        case utf8, latin1, ascii, utf16

        init?(_ name: String) {
            switch name.uppercased() {
            case "UTF-8", "UTF8": self = .utf8
            case "ISO-8859-1", "ISO8859_1", "LATIN1": self = .latin1
            case "US-ASCII", "ASCII": self = .ascii
            case "UTF-16": self = .utf16
            default: return nil
            }
        }

        static func unknown(_ call: HelperCall) -> RenderError {
            RenderError(
                "\(call.name): the encoding is \(call.text("encoding") ?? ""), and may be UTF-8, ISO-8859-1, US-ASCII or "
                    + "UTF-16")
        }

        func bytes(of scalar: Unicode.Scalar) -> [UInt8] {
            switch self {
            case .utf8: Array(String(scalar).utf8)
            case .latin1: scalar.value < 256 ? [UInt8(scalar.value)] : [UInt8(ascii: "?")]
            case .ascii: scalar.isASCII ? [UInt8(scalar.value)] : [UInt8(ascii: "?")]
            case .utf16: String(scalar).utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            }
        }

        func text(of bytes: [UInt8]) -> String {
            switch self {
            case .utf8: String(decoding: bytes, as: UTF8.self)
            case .latin1: String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            case .ascii: String(String.UnicodeScalarView(bytes.map { $0 < 128 ? Unicode.Scalar($0) : "\u{FFFD}" }))
            case .utf16: Self.utf16Text(bytes)
            }
        }

        private static func utf16Text(_ bytes: [UInt8]) -> String {
            var units = stride(from: 0, to: bytes.count - 1, by: 2).map {
                UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
            }
            if units.first == 0xFFFE { units = units.map(\.byteSwapped) }
            if units.first == 0xFEFF { units.removeFirst() }
            return String(decoding: units, as: UTF16.self)
        }
    }

    /// Encodes a text like Java's `URLEncoder`: spaces become `+`.
    private static func formEncoded(_ text: String, _ charset: Charset) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        var isInRun = false
        func add(_ byte: UInt8) {
            result.append(UInt8(ascii: "%"))
            result.append(digits[Int(byte >> 4)])
            result.append(digits[Int(byte & 15)])
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "*":
                result.append(UInt8(scalar.value))
                isInRun = false
            case " ":
                result.append(UInt8(ascii: "+"))
                isInRun = false
            default:
                // Each run of such characters is encoded separately, in UTF-16 with a byte order mark.
                let mark: [UInt8] = charset == .utf16 && !isInRun ? [0xFE, 0xFF] : []
                isInRun = true
                mark.forEach(add)
                charset.bytes(of: scalar).forEach(add)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func formDecoded(_ text: String, _ charset: Charset) -> String {
        var result = ""
        var run: [UInt8] = []
        var plain: [UInt8] = []
        let bytes = Array(text.utf8)
        var index = 0
        func flush() {
            result += String(decoding: plain, as: UTF8.self) + charset.text(of: run)
            (plain, run) = ([], [])
        }
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let value = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                run.append(value)
                index += 3
            } else {
                if !run.isEmpty { flush() }
                plain.append(bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index])
                index += 1
            }
        }
        flush()
        return result
    }

    /// The fields of a form. A value ends at a second `=`; fields without a value are ignored.
    private static let formData: Helper = { call throws(RenderError) in
        let decodes = call.isSet("urlDecode")
        guard let charset = Charset(call.text("encoding") ?? "UTF-8") else {
            throw Charset.unknown(call)
        }
        var fields: [(key: String, values: [TemplateValue])] = []
        var places: [String: Int] = [:]
        for pair in call.subject.text.split(separator: "&") {
            let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count > 1, !parts[1].isEmpty else { continue }
            let name = String(parts[0])
            let text = TextHelpers.trimmed(String(parts[1]))
            let value = TemplateValue.text(decodes ? formDecoded(text, charset) : text)
            try call.renderer.spend(50)
            if let place = places[name] {
                fields[place].values.append(value)
            } else {
                places[name] = fields.count
                fields.append((name, [value]))
            }
        }
        let map = TemplateValue.map(TemplateMap(fields.map { ($0.key, .values($0.values)) }))
        guard call.parameters.count > 1 else { return map }
        call.renderer.store(map, as: call.parameter(1).text)
        return .null
    }

    private static let systemValue: Helper = { call throws(RenderError) in
        let key = call.text("key") ?? ""
        guard !key.isEmpty else { return call.error("The key cannot be empty") }
        let isProperty = call.text("type") == "PROPERTY"
        switch call.renderer.environment.system.systemValue(key, isProperty: isProperty) {
        case .value(let value): return .text(value)
        case .missing: return call.option("default") ?? .null
        case .denied: return call.error("Access to \(key) is denied")
        }
    }
}
