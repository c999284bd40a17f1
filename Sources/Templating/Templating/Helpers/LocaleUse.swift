import SDJavaTime

/// Where a helper accepts a locale.
struct LocaleUse {
    let helper: String
    /// The index of the parameter.
    let parameter = 2
    /// Whether the option `locale` is accepted, too, if the parameter is null.
    let hasOption: Bool
    /// Whether an empty name means the root locale rather than no locale.
    let takesEmpty: Bool

    static let dateFormat = LocaleUse(helper: "dateFormat", hasOption: true, takesEmpty: false)
    static let numberFormat = LocaleUse(helper: "numberFormat", hasOption: false, takesEmpty: true)

    /// The locale with that name.
    /// - Throws: `RenderError` if it is unknown.
    func locale(_ name: String) throws(RenderError) -> JavaLocale {
        do throws(JavaLocale.Unknown) {
            return try JavaLocale(name)
        } catch {
            throw RenderError("\(helper): \(error.message)")
        }
    }

    /// The problem with a name; nil for a known locale or no name.
    func problem(_ name: String) -> JavaLocale.Unknown? {
        if name.isEmpty { return nil }
        do throws(JavaLocale.Unknown) {
            _ = try JavaLocale(name)
            return nil
        } catch {
            return error
        }
    }
}

extension HelperCall {
    /// The locale of the call; nil for American English, which needs no look-up.
    /// - Throws: `RenderError` for an unknown locale.
    func locale(_ use: LocaleUse) throws(RenderError) -> JavaLocale? {
        var value = parameter(use.parameter)
        if value.isNull, use.hasOption { value = option("locale") ?? .null }
        if value.isNull { return nil }
        guard case .text(let name) = value else {
            throw RenderError("\(use.helper): a locale is a text such as \"de_AT\", found \(value.text)")
        }
        if name == "en_US" || name.isEmpty && !use.takesEmpty { return nil }
        return try use.locale(name)
    }
}
