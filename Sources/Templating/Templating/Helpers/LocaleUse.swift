import SDJavaTime

/// Where a helper takes the name of a locale.
struct LocaleUse {
    let helper: String
    /// The index of the parameter.
    let parameter = 2
    /// Whether the option `locale` names one too, which counts where the parameter is null.
    let hasOption: Bool
    /// Whether an empty name is that of no language, rather than no name.
    let takesEmpty: Bool

    static let dateFormat = LocaleUse(helper: "dateFormat", hasOption: true, takesEmpty: false)
    static let numberFormat = LocaleUse(helper: "numberFormat", hasOption: false, takesEmpty: true)

    /// The locale of that name.
    /// - Throws: if there is none.
    func locale(_ name: String) throws(RenderError) -> JavaLocale {
        do throws(JavaLocale.Unknown) {
            return try JavaLocale(name)
        } catch {
            throw RenderError("\(helper): \(error.message)")
        }
    }

    /// The finding about a name; nil if it is a locale's, or none.
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
    /// The locale that the call names; nil for American English, of which nothing needs to be looked up.
    /// - Throws: for a name that is none of a locale.
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
