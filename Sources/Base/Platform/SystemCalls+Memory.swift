private import SDCPlatform

extension SystemCalls {
    /// Tunes the heap for a program that reads many files at start. Must be called first.
    public static func growHeapInLargeSteps() {
        cp_grow_heap_in_large_steps()
    }

    /// Grows the calling thread's part of the heap by some megabytes at once, before many small allocations. Costs
    /// nothing while there is room.
    public static func makeRoomInHeap() {
        cp_reserve_arena()
    }

    /// Returns freed memory to the system. Takes some milliseconds, in which it waits for its own threads; a no-op
    /// where the allocator does this by itself.
    public static func releaseFreeMemory() {
        cp_release_free_memory()
    }

    /// Bounds the memory kept by the allocator for short-lived threads: each loop has an arena, and the other threads
    /// share at most three. Call it at the start.
    public static func boundFreeMemory(loops: Int) {
        cp_share_free_memory(Int32(clamping: loops + min(processorCount, 3)))
    }
}
