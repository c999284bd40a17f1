#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// A value behind a mutex, whose changes threads can wait for.
public final class Monitor<Value>: @unchecked Sendable {
    // Sendable because the value is accessed only while the mutex is locked. Both handles keep their addresses for the
    // lifetime of the object, and no thread waits on an object that is being destroyed.
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

    /// Changes the value and wakes the threads that wait for it.
    public func change<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_mutex_unlock(mutex)
            pthread_cond_broadcast(changed)
        }
        return body(&value)
    }

    /// Waits until `isWanted` accepts the value or the time is over. Nil milliseconds wait without limit.
    /// - Returns: whether the value was accepted.
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

    /// Waits for a change until the deadline, by the clock of `SystemCalls.monotonicMilliseconds`.
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
