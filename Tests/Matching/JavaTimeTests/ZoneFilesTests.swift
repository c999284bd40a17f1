import Testing

@testable import SDJavaTime

@Suite struct ZoneFilesTests {
    private static let system = "/usr/share/zoneinfo"

    @Test func aMissingFolderHasNoRegions() {
        let files = ZoneFiles(folder: "/nonexistent", variable: "Europe/London", link: "/nonexistent")
        #expect(files.names.isEmpty)
        #expect(files.region("Europe/London") == nil)
        #expect(files.systemZone == .utc)
    }

    @Test func knowsTheRegionsThatJavaKnows() {
        let files = ZoneFiles(folder: Self.system, variable: nil, link: "/nonexistent")
        #expect(files.names.isSuperset(of: ["Europe/London", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "UTC"]))
        #expect(
            files.names.isDisjoint(with: ["EST", "MST", "HST", "ROC", "posixrules", "posix/UTC", "../UTC", "Europe"]))
    }

    static let variables: [(variable: String, winter: Int, summer: Int)] = [
        ("Europe/Paris", 3600, 7200), (":Europe/Paris", 3600, 7200), ("/usr/share/zoneinfo/Europe/Paris", 3600, 7200),
        ("CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200), ("<+0330>-3:30", 12_600, 12_600), ("EST5EDT", -18_000, -14_400),
        ("XYZ0", 0, 0), ("NZST-12NZDT,M9.5.0,M4.1.0/3", 46_800, 43_200), ("", 0, 0), ("UTC", 0, 0),
        ("no such zone", 0, 0),
        ("AAA-1BBB,J60/0,J300/0", 3600, 7200), ("AAA-1BBB,59/0,299/0", 3600, 7200), ("AAA999", 0, 0), ("A1", 0, 0),
    ]

    @Test(arguments: variables)
    func theVariableNamesTheSystemsZone(variable: String, winter: Int, summer: Int) {
        let zone = ZoneFiles(folder: Self.system, variable: variable, link: "/etc/localtime").systemZone
        #expect(zone.offset(at: Moment(seconds: 1_610_712_000)) == winter)  // 2021-01-15
        #expect(zone.offset(at: Moment(seconds: 1_626_350_400)) == summer)  // 2021-07-15
    }

    @Test func withoutAVariableTheLinkNamesTheSystemsZone() {
        let files = ZoneFiles(folder: Self.system, variable: nil, link: Self.system + "/Asia/Tokyo")
        #expect(files.systemZone.offset(at: Moment(seconds: 0)) == 32_400)
    }

    @Test func brokenZoneFilesAreIgnored() {
        var bytes = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        for _ in 0..<64 {
            #expect(ZoneRules(tzif: bytes) == nil)
            bytes.append(0xff)
        }
        #expect(ZoneRules(tzif: []) == nil)
    }
}
