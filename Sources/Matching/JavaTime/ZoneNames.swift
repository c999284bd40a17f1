/// English names of common zones in messages, with their regions.
///
/// Java has a name for every region; this list has those in common use. Other regions are printed by the abbreviation
/// in their zone file, and parsed by their identifier.
enum ZoneNames {
    private struct Row {
        let region: String
        let standard, daylight: (short: String, full: String)
        var generic = (short: "", full: "")
    }

    private static func row(_ region: String, _ short: String, _ full: String, summer: String = "") -> Row {
        let names = full.split(separator: "|").map(String.init)
        return Row(
            region: region, standard: (short, names[0]),
            daylight: (summer, names.count > 1 ? names[1] : ""))
    }

    private static func american(_ region: String, _ letters: String, _ name: String) -> Row {
        var zone = row(region, letters + "ST", "\(name) Standard Time|\(name) Daylight Time", summer: letters + "DT")
        zone.generic = (letters + "T", "\(name) Time")
        return zone
    }

    private static func european(_ region: String, _ letters: String, _ name: String) -> Row {
        row(
            region, letters + "T", "\(name) European Standard Time|\(name) European Summer Time", summer: letters + "ST"
        )
    }

    private static let rows = [
        american("America/New_York", "E", "Eastern"), american("America/Chicago", "C", "Central"),
        american("America/Denver", "M", "Mountain"), american("America/Los_Angeles", "P", "Pacific"),
        american("America/Anchorage", "AK", "Alaska"), american("America/Halifax", "A", "Atlantic"),
        row("Pacific/Honolulu", "HST", "Hawaii-Aleutian Standard Time"),
        row("America/St_Johns", "NST", "Newfoundland Standard Time|Newfoundland Daylight Time", summer: "NDT"),
        row("Europe/London", "GMT", "Greenwich Mean Time|British Summer Time", summer: "BST"),
        european("Europe/Paris", "CE", "Central"), european("Europe/Bucharest", "EE", "Eastern"),
        european("Europe/Lisbon", "WE", "Western"),
        row("Europe/Moscow", "MSK", "Moscow Standard Time"), row("Asia/Kolkata", "IST", "India Standard Time"),
        row("Asia/Tokyo", "JST", "Japan Standard Time"), row("Asia/Seoul", "KST", "Korean Standard Time"),
        row("Asia/Shanghai", "CST", "China Standard Time"), row("Asia/Hong_Kong", "HKT", "Hong Kong Standard Time"),
        row(
            "Australia/Sydney", "AEST", "Australian Eastern Standard Time|Australian Eastern Daylight Time",
            summer: "AEDT"),
        row(
            "Australia/Adelaide", "ACST", "Australian Central Standard Time|Australian Central Daylight Time",
            summer: "ACDT"),
        row("Australia/Perth", "AWST", "Australian Western Standard Time"),
        row("Pacific/Auckland", "NZST", "New Zealand Standard Time|New Zealand Daylight Time", summer: "NZDT"),
        row("Africa/Johannesburg", "SAST", "South Africa Standard Time"),
        row("Africa/Lagos", "WAT", "West Africa Standard Time"), row("Africa/Nairobi", "EAT", "East Africa Time"),
    ]

    /// Reads a name and returns its region. `GMT`, `UTC` and their full names mean Greenwich.
    static func read(_ reader: inout TextReader, style: TextStyle) -> Zone? {
        for (name, region) in sorted(style) where reader.starts(with: name) {
            guard let zone = region.isEmpty ? .utc : ZoneFiles.shared.region(region) else { continue }
            reader.place += name.utf8.count
            return zone
        }
        return nil
    }

    static func name(of time: ZonedDateTime, style: TextStyle) -> String {
        guard case .region(let name, let rules) = time.zone else {
            return time.zone.id == "Z" ? "Z" : time.zone.id
        }
        let kind = rules.offset(at: time.moment.seconds)
        if let row = rows.first(where: { $0.region == name }) {
            let names = kind.isDaylight ? row.daylight : row.standard
            let text = style == .full ? names.full : names.short
            if !text.isEmpty { return text }
        }
        if isUniversal(name) {
            return style == .full ? "Coordinated Universal Time" : "UTC"
        }
        return kind.abbreviation.utf8.first.map { $0 | 0x20 >= UInt8(ascii: "a") } == true ? kind.abbreviation : name
    }

    /// Whether a region is universal time.
    static func isUniversal(_ region: String) -> Bool {
        region.hasSuffix("UTC") || region == "Etc/UCT" || region.hasSuffix("Zulu")
    }

    /// The name in `java.util.TimeZone`'s spelling: `UTC`, `GMT+02:00` for an offset, and names of regions.
    static func legacyName(of time: ZonedDateTime, isFull: Bool) -> String {
        switch time.zone {
        case .fixed(0): return isFull ? "Coordinated Universal Time" : "UTC"
        case .fixed(let offset):
            return "GMT"
                + OffsetStyle(hours: .two, minutes: .always, seconds: .never, colon: true, zero: "").text(offset)
        case .region(let name, let rules):
            let short = self.name(of: time, style: .short)
            guard isFull, !rows.contains(where: { $0.region == name }) else {
                return isFull ? self.name(of: time, style: .full) : short
            }
            // Regions with the abbreviation of a row share its names, unless it is ambiguous.
            let kind = rules.offset(at: time.moment.seconds)
            let names = rows.map { kind.isDaylight ? $0.daylight : $0.standard }.filter { $0.short == short }
            return names.count == 1 && short != "IST" && short != "CST"
                ? names[0].full : self.name(of: time, style: .full)
        }
    }

    private static let short = names { $0.short } + [("UTC", ""), ("GMT", "")]
    private static let full =
        names { $0.full } + [("Coordinated Universal Time", ""), ("Greenwich Mean Time", "")]
    private static let shortLongestFirst = short.sorted { $0.0.utf8.count > $1.0.utf8.count }
    private static let fullLongestFirst = full.sorted { $0.0.utf8.count > $1.0.utf8.count }

    private static func sorted(_ style: TextStyle) -> [(String, String)] {
        style == .full ? fullLongestFirst : shortLongestFirst
    }

    private static func names(_ text: ((short: String, full: String)) -> String) -> [(String, String)] {
        rows.flatMap { row in
            [row.standard, row.daylight, row.generic].map { (text($0), row.region) }
                .filter { !$0.0.isEmpty && $0.0 != "GMT" && $0.0 != "Greenwich Mean Time" }
        }
    }
}
