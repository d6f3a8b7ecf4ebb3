// Phases become machine code, one function for each stretch of gates between loops.

#include "lane_native.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "aarch64.hpp"
#include "stretch_writer.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#define LUDORUM_MMAP 1
#endif

namespace ludorum {

namespace {

bool is_loop(const Segment &segment) { return segment.first_carried != segment.end_carried; }

// Fewer gate inputs are gone through as fast as a function can be called for every column.
constexpr std::size_t FEW_TERMS = 16;

bool is_worth_it(const Stretch &stretch) {
    return stretch.terms.size() >= FEW_TERMS &&
           std::none_of(stretch.gates.begin(), stretch.gates.end(),
                        [](const Stretch::Gate &gate) { return gate.first == gate.end; });
}

// Backwards: what is written was not needed before, what is read was. Loops may leave everything as it is.
void step_back(const LanePhase &phase, const Segment &segment, LiveSlots &live, const SlotMap &map) {
    std::vector<std::pair<const std::uint32_t *, std::uint32_t>> gates;
    each_gate(phase, segment.first_run, segment.end_run,
              [&](const LaneRun &run, const std::uint32_t *in, std::uint32_t) {
                  gates.emplace_back(in, run.positive + run.negative);
              });
    for (std::size_t gate = gates.size(); gate-- > 0;) {
        const auto [in, size] = gates[gate];
        const std::uint32_t to = in[size] / map.slot_bytes;
        if (!is_loop(segment) && to >= map.first_gate) live[to] = 0;
        for (std::uint32_t i = 0; i < size; ++i) live[in[i] / map.slot_bytes] = 1;
    }
}

}  // namespace

std::shared_ptr<const NativeCode> NativeCode::make(const std::vector<std::uint32_t> &words) {
#if defined(__aarch64__) && LUDORUM_MMAP
    const std::size_t bytes = words.size() * sizeof(std::uint32_t);
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    std::shared_ptr<const NativeCode> code(new NativeCode(memory, bytes));
    std::memcpy(memory, words.data(), bytes);
    // Never to be written and run at once: many machines forbid it.
    if (mprotect(memory, bytes, PROT_READ | PROT_EXEC) != 0) return nullptr;
    __builtin___clear_cache(static_cast<char *>(memory), static_cast<char *>(memory) + bytes);
    return code;
#else
    static_cast<void>(words);
    return nullptr;
#endif
}

NativeCode::~NativeCode() {
#if LUDORUM_MMAP
    munmap(memory_, bytes_);
#endif
}

LiveSlots make_native(LanePhase &phase, LiveSlots live, const SlotMap &map) {
    std::fill_n(live.begin(), map.first_gate, 1);
    Aarch64 code;
    std::vector<std::size_t> begins(phase.segments.size(), SIZE_MAX);
    for (std::size_t number = phase.segments.size(); number-- > 0;) {
        const Segment &segment = phase.segments[number];
        if (!is_loop(segment)) {
            const Stretch stretch = read_stretch(phase, segment, live, map);
            const std::vector<std::uint32_t> order = order_stretch(stretch);
            const std::size_t begin = code.words.size();
            if (is_worth_it(stretch) && StretchWriter(stretch, order, code).write()) begins[number] = begin;
        }
        step_back(phase, segment, live, map);
    }
    if (!code.words.empty()) phase.native = NativeCode::make(code.words);
    if (phase.native)
        for (std::size_t begin : begins)
            phase.entries.push_back(begin == SIZE_MAX ? nullptr : phase.native->entry(begin));
    return live;
}

}  // namespace ludorum
