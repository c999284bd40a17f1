#include "cplatform.h"

/* splitmix64, by Sebastiano Vigna: any seed is good, and the sequences of two seeds are unrelated. */
static _Thread_local struct {
    bool is_set;
    unsigned long long state;
} generator;

void cp_begin_seeded_random(unsigned long long seed) {
    generator.is_set = true;
    generator.state = seed;
}

void cp_end_seeded_random(void) { generator.is_set = false; }

bool cp_seeded_random(unsigned long long *value) {
    if (!generator.is_set) return false;
    unsigned long long z = generator.state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    *value = z ^ (z >> 31);
    return true;
}
