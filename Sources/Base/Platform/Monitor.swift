#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// A value that threads change under a lock, and whose changes they can wait for.
public final class Monitor<Value>: @unchecked Sendable {
    // The value is touched only between a lock and an unlock of the mutex. The two handles do not move as long as the
    // object lives, and nobody waits when it goes.
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    public init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
            pthread_cond_init(changed, nil)
        #else
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(changed, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Changes the value, and lets those who wait look at it.
    public func change<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_mutex_unlock(mutex)
            pthread_cond_broadcast(changed)
        }
        return body(&value)
    }

    /// Waits until the value is as wanted, or the time is over; without milliseconds for as long as it takes.
    /// - Returns: whether it is.
    @discardableResult
    public func wait(milliseconds: Int64? = nil, until isWanted: (Value) -> Bool) -> Bool {
        let deadline = milliseconds.map { SystemCalls.monotonicMilliseconds() + max($0, 0) }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isWanted(value) {
            guard let deadline else {
                pthread_cond_wait(changed, mutex)
                continue
            }
            guard deadline > SystemCalls.monotonicMilliseconds() else { return false }
            wait(until: deadline)
        }
        return true
    }

    /// Returns at the deadline at the latest, by the clock of `SystemCalls.monotonicMilliseconds`.
    private func wait(until deadline: Int64) {
        #if canImport(Darwin)
            let left = max(deadline - SystemCalls.monotonicMilliseconds(), 0)
            var time = timespec(tv_sec: Int(left / 1_000), tv_nsec: Int(left % 1_000) * 1_000_000)
            pthread_cond_timedwait_relative_np(changed, mutex, &time)
        #else
            var time = timespec()
            time.tv_sec = .init(deadline / 1_000)
            time.tv_nsec = .init(deadline % 1_000 * 1_000_000)
            pthread_cond_timedwait(changed, mutex, &time)
        #endif
    }
}
