import SDBasics
import SDTestSupport
import Testing

@Suite struct CivilDateTests {
    @Test func everyDayOfTenThousandYearsIsItsNumberAndFollowsTheOneBefore() throws {
        var number = try #require(CivilDate(year: -5000, month: 1, day: 1)).epochDay
        var wrong = 0
        for year in -5000...5000 {
            for month in 1...12 {
                for day in 1...CivilDate.days(in: month, of: year) {
                    let date = CivilDate(epochDay: number)
                    let isRight =
                        date?.year == year && date?.month == month && date?.day == day && date?.epochDay == number
                    if !isRight { wrong += 1 }
                    number += 1
                }
            }
        }
        #expect(wrong == 0)
        #expect(number == CivilDate(year: 5001, month: 1, day: 1)?.epochDay)
        #expect(CivilDate(year: 1970, month: 1, day: 1)?.epochDay == 0)
    }

    @Test func knowsTheDayOfTheWeekAndOfTheYear() throws {
        let leapDay = try #require(CivilDate(year: 2024, month: 2, day: 29))
        #expect(leapDay.dayOfWeek == 4)
        #expect(leapDay.dayOfYear == 60)
        #expect(CivilDate(year: 2024, dayOfYear: 366) == CivilDate(year: 2024, month: 12, day: 31))
        #expect(CivilDate(year: 2023, dayOfYear: 366) == nil)
        #expect(try #require(CivilDate(year: -1, month: 3, day: 1)).dayOfWeek == 1)
    }

    static let sums: [(from: [Int], months: Int, to: [Int])] = [
        ([2021, 1, 31], 1, [2021, 2, 28]), ([2020, 1, 31], 1, [2020, 2, 29]), ([2021, 3, 31], -1, [2021, 2, 28]),
        ([2020, 2, 29], 12, [2021, 2, 28]), ([2021, 12, 1], 1, [2022, 1, 1]), ([0, 1, 15], -1, [-1, 12, 15]),
    ]

    @Test(arguments: sums)
    func aMonthThatIsTooShortGivesItsLastDay(from: [Int], months: Int, to: [Int]) {
        let sum = CivilDate(year: from[0], month: from[1], day: from[2])?.adding(months: months)
        #expect(sum == CivilDate(year: to[0], month: to[1], day: to[2]))
        #expect(sum != nil)
    }

    @Test func yearsOutsideJavasRangeAreRefused() throws {
        let last = try #require(CivilDate(year: 999_999_999, month: 12, day: 31))
        let first = try #require(CivilDate(year: -999_999_999, month: 1, day: 1))
        #expect(last.adding(days: 1) == nil)
        #expect(last.adding(months: 1) == nil)
        #expect(last.adding(years: .max) == nil)
        #expect(first.adding(days: -1) == nil)
        #expect(first.adding(days: .min) == nil)
        #expect(CivilDate(epochDay: last.epochDay) == last)
        #expect(CivilDate(epochDay: first.epochDay) == first)
        #expect(CivilDate(epochDay: .max) == nil)
        #expect(CivilDate(year: 2021, month: 2, day: 29) == nil)
        #expect(CivilDate(year: 2021, month: .max, day: .min) == nil)
    }
}
