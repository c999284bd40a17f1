import SDMatching
import Testing

/// The answers are those of OpenJDK 17.
@Suite struct JavaDoubleTests {
    static let readings: [(text: String, value: Double?)] = [
        ("1", 1.0), (" 1 ", 1.0), ("\t1\n", 1.0), ("\u{a0}1", nil), ("+1", 1.0), ("-1", -1.0), ("--1", nil),
        ("+-1", nil), ("1.", 1.0), ("1.5", 1.5), (".5", 0.5), (".", nil), ("-.5", -0.5), ("1e3", 1000.0),
        ("1E+3", 1000.0), ("1e-3", 0.001), ("1e", nil), ("1e+", nil), ("e3", nil), ("1f", 1.0), ("1F", 1.0),
        ("1d", 1.0), ("1D", 1.0), ("1L", nil), ("1fd", nil), ("1e3d", 1000.0), ("1.f", 1.0), ("NaN", .nan),
        ("nan", nil), ("-NaN", .nan), ("+NaN", .nan), ("NaNf", nil), ("Infinity", .infinity),
        ("-Infinity", -.infinity), ("infinity", nil), ("Inf", nil), ("Infinityd", nil), ("0x1p0", 1.0),
        ("0X1P0", 1.0), ("0x1.8p3", 12.0), ("0x.8p1", 1.0), ("0x1", nil), ("0x1.8", nil), ("0x1p", nil),
        ("0xp1", nil), ("0x1p-1f", 0.5), ("0x1P+4d", 16.0), ("0x1fp0", 31.0), ("0xfp0d", 15.0), ("-0x1p1", -2.0),
        ("1e999", .infinity), ("-1e999", -.infinity), ("1e-999", 0.0), ("4.9e-324", .leastNonzeroMagnitude),
        ("2.4e-324", 0.0),
        ("1.7976931348623157e308", 1.7976931348623157e308), ("1.7976931348623159e308", .infinity),
        ("1e99999999999999999999", .infinity), ("1e-99999999999999999999", 0.0), ("0x1p99999999999", .infinity),
        ("0x1p-1074", .leastNonzeroMagnitude), ("0x1p-1076", 0.0), ("0x0p0", 0.0), ("00012", 12.0), ("1_000", nil),
        ("1,5", nil),
        ("1 2", nil), ("", nil), (" ", nil), ("\u{661}", nil), ("0.1", 0.1),
        ("123456789012345678901234567890", 1.2345678901234568e29), ("0x1.fffffffffffff8p0", 2.0),
        ("0x1.fffffffffffff7p0", 1.9999999999999998), ("0e99999999999", 0.0), ("-0", -0.0), ("1ee3", nil),
        ("1.2.3", nil), ("0xg", nil), ("x", nil), ("0x", nil), ("true", nil), ("null", nil), ("1\u{663}", nil),
    ]

    @Test(arguments: readings)
    func readsTextAsTheJVMDoes(text: String, value: Double?) {
        #expect(JavaDouble.parse(text)?.bitPattern == value?.bitPattern, "\(text)")
    }
}
