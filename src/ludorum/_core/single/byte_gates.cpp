// Full evaluation in bytes: runs of one shape without any branch.

#include "single/byte_gates.hpp"

namespace ludorum {

namespace {

using Byte = std::uint8_t;

template <int P, int N>
void run_shape(const LaneRun &run, const std::uint32_t *in, Byte *slots) {
    const Byte flip = run.flip ? 0xFF : 0;
    for (std::uint32_t i = 0; i < run.count; ++i, in += P + N + 1) {
        Byte value = 0xFF;
#pragma GCC unroll 8
        for (int at = 0; at < P; ++at) value &= slots[in[at]];
#pragma GCC unroll 8
        for (int at = P; at < P + N; ++at) value &= static_cast<Byte>(~slots[in[at]]);
        slots[in[P + N]] = value ^ flip;
    }
}

void run_any(const LaneRun &run, const std::uint32_t *in, Byte *slots) {
    const Byte flip = run.flip ? 0xFF : 0;
    for (std::uint32_t i = 0; i < run.count; ++i) {
        Byte all = 0xFF, none = 0;
        for (std::uint32_t at = 0; at < run.positive; ++at) all &= slots[*in++];
        for (std::uint32_t at = 0; at < run.negative; ++at) none |= slots[*in++];
        slots[*in++] = static_cast<Byte>((all & ~none) ^ flip);
    }
}

using RunShape = void (*)(const LaneRun &, const std::uint32_t *, Byte *);
constexpr std::uint32_t SHAPES = 5;
#define ROW(p) {&run_shape<p, 0>, &run_shape<p, 1>, &run_shape<p, 2>, &run_shape<p, 3>, &run_shape<p, 4>}
constexpr RunShape TABLE[SHAPES][SHAPES] = {ROW(0), ROW(1), ROW(2), ROW(3), ROW(4)};
#undef ROW

void run_all(const LanePhase &phase, std::uint32_t first, std::uint32_t end, Byte *slots) {
    for (std::uint32_t number = first; number < end; ++number) {
        const LaneRun &run = phase.runs[number];
        const std::uint32_t *in = phase.inputs.data() + run.first_input;
        if (run.positive < SHAPES && run.negative < SHAPES)
            TABLE[run.positive][run.negative](run, in, slots);
        else
            run_any(run, in, slots);
    }
}

}  // namespace

void evaluate_bytes(const LanePhase &phase, Byte *slots, Byte *saved) {
    for (const Segment &segment : phase.segments) {
        const std::uint32_t *carried = phase.carried.data() + segment.first_carried;
        const std::uint32_t count = segment.end_carried - segment.first_carried;
        for (std::uint32_t i = 0; i < count; ++i) saved[i] = slots[carried[i]] = 0;
        for (bool changed = true; changed;) {
            run_all(phase, segment.first_run, segment.end_run, slots);
            changed = false;
            for (std::uint32_t i = 0; i < count; ++i) {
                changed |= saved[i] != slots[carried[i]];
                saved[i] = slots[carried[i]];
            }
        }
    }
}

}  // namespace ludorum
