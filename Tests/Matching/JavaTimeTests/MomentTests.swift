import SDJavaTime
import Testing

@Suite struct MomentTests {
    @Test func momentsStopAtTheEndsOfTheirRange() {
        #expect(Moment(seconds: .max, nanoseconds: .max).seconds == .max)
        #expect(Moment(seconds: .min, nanoseconds: .min).seconds == .min)
        #expect(Moment(seconds: .min).epochMilliseconds == .min)
        #expect(Moment(epochMilliseconds: -1) == Moment(seconds: -1, nanoseconds: 999_000_000))
        #expect(Moment(epochMilliseconds: .min).epochMilliseconds == .min)
        #expect(Moment.now > Moment(seconds: 1_700_000_000))
    }
}
