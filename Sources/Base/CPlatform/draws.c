#include "cplatform.h"

/* splitmix64, by Sebastiano Vigna: any seed will do, and two seeds make sequences that have nothing in common. */
static _Thread_local struct {
    bool is_set;
    unsigned long long state;
} draws;

void cp_begin_draws(unsigned long long seed) {
    draws.is_set = true;
    draws.state = seed;
}

void cp_end_draws(void) { draws.is_set = false; }

bool cp_draw(unsigned long long *value) {
    if (!draws.is_set) return false;
    unsigned long long z = draws.state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    *value = z ^ (z >> 31);
    return true;
}
