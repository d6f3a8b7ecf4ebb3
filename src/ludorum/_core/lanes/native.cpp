// Phases become machine code, one function for each basic block of gates between loops.

#include "lanes/native.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "lanes/aarch64.hpp"
#include "lanes/basic_block_writer.hpp"
#include "lanes/x86_64.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#define LUDORUM_MMAP 1
#endif

namespace ludorum {

namespace {

// Fewer gate inputs are gone through as fast as a function can be called for every column.
constexpr std::size_t FEW_TERMS = 16;
// Where nearly all inputs have to be loaded, too: one in so many must be at hand.
constexpr std::size_t FEWER_LOADS = 10;

// Which of the slots that some runs write go on, given those that are read after them.
BasicBlock read_basic_block(const LanePhase &phase, std::uint32_t first_run, std::uint32_t end_run, const LiveSlots &after,
                     const SlotMap &map) {
    BasicBlock block;
    Holdings held;
    add_gates(block, phase, first_run, end_run, held);
    put_live(block, held, after, map);
    return block;
}

// Slots that a part of a loop reads before it writes them: other parts write them, or the round before.
void add_exposed(const LanePhase &phase, const LoopPart &part, LiveSlots &live, const SlotMap &map) {
    std::unordered_set<std::uint32_t> written;
    each_gate(phase, part.first_run, part.end_run, [&](const LaneRun &run, const std::uint32_t *in, std::uint32_t to) {
        for (std::uint32_t i = 0; i < run.positive + run.negative; ++i)
            if (!written.count(in[i])) live[in[i] / map.slot_bytes] = 1;
        written.insert(to);
    });
}

// What lives on after each part of a loop.
LiveSlots live_in_loop(const LanePhase &phase, const Segment &loop, LiveSlots after, const SlotMap &map) {
    for (std::uint32_t at = loop.first_carried; at < loop.end_carried; ++at) after[phase.carried[at] / map.slot_bytes] = 1;
    for (std::uint32_t part = loop.first_part; part < loop.end_part; ++part)
        add_exposed(phase, phase.parts[part], after, map);
    return after;
}

// Backwards: a slot that is written was not live before, a slot that is read was. Loops may leave slots as they are.
void step_back(const LanePhase &phase, const Segment &segment, LiveSlots &live, const SlotMap &map) {
    std::vector<std::pair<const std::uint32_t *, std::uint32_t>> gates;
    each_gate(phase, segment.first_run, segment.end_run,
              [&](const LaneRun &run, const std::uint32_t *in, std::uint32_t) {
                  gates.emplace_back(in, run.positive + run.negative);
              });
    for (std::size_t gate = gates.size(); gate-- > 0;) {
        const auto [in, size] = gates[gate];
        const std::uint32_t to = in[size] / map.slot_bytes;
        if (!segment.is_loop() && to >= map.first_gate) live[to] = 0;
        for (std::uint32_t i = 0; i < size; ++i) live[in[i] / map.slot_bytes] = 1;
    }
}

// Calls write with the instructions of this machine for vectors of so many bytes.
template <class Write>
auto with_machine([[maybe_unused]] std::uint32_t vector_bytes, Write write) {
#if defined(__x86_64__)
    if (vector_bytes == Avx512::VECTOR_BYTES) {
        Avx512 code;
        return write(code);
    }
    Avx2 code;
#else
    Aarch64 code;
#endif
    return write(code);
}

template <class Machine>
LiveSlots write_phase(LanePhase &phase, LiveSlots live, const SlotMap &map, Machine &code) {
    std::fill_n(live.begin(), map.first_gate, 1);
    std::vector<std::size_t> begins(phase.segments.size() + phase.parts.size(), SIZE_MAX);
    auto write = [&](std::size_t entry, std::uint32_t first_run, std::uint32_t end_run, const LiveSlots &after) {
        BasicBlock block = read_basic_block(phase, first_run, end_run, after, map);
        const std::size_t begin = code.bytes.size(), terms = block.terms.size();
        if (terms >= FEW_TERMS && write_basic_block(block, code, terms - terms / FEWER_LOADS)) begins[entry] = begin;
    };
    for (std::size_t number = phase.segments.size(); number-- > 0;) {
        const Segment &segment = phase.segments[number];
        if (segment.is_loop()) {
            const LiveSlots after = live_in_loop(phase, segment, live, map);
            for (std::uint32_t part = segment.first_part; part < segment.end_part; ++part)
                write(phase.segments.size() + part, phase.parts[part].first_run, phase.parts[part].end_run, after);
        } else {
            write(number, segment.first_run, segment.end_run, live);
        }
        step_back(phase, segment, live, map);
    }
    if (!code.bytes.empty()) phase.native = NativeCode::make(code.bytes);
    if (phase.native)
        for (std::size_t begin : begins)
            phase.entries.push_back(begin == SIZE_MAX ? nullptr : phase.native->entry(begin));
    return live;
}

}  // namespace

std::shared_ptr<const NativeCode> NativeCode::make(const std::vector<std::uint8_t> &written) {
#if (defined(__aarch64__) || defined(__x86_64__)) && LUDORUM_MMAP
    const std::size_t bytes = written.size();
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    std::shared_ptr<const NativeCode> code(new NativeCode(memory, bytes));
    std::memcpy(memory, written.data(), bytes);
    // Never to be written and run at once: many machines forbid it.
    if (mprotect(memory, bytes, PROT_READ | PROT_EXEC) != 0) return nullptr;
    __builtin___clear_cache(static_cast<char *>(memory), static_cast<char *>(memory) + bytes);
    return code;
#else
    static_cast<void>(written);
    return nullptr;
#endif
}

NativeCode::~NativeCode() {
#if LUDORUM_MMAP
    munmap(memory_, bytes_);
#endif
}

bool has_choices(std::uint32_t vector_bytes) {
    return with_machine(vector_bytes, [](const auto &code) { return code.CHOOSES; });
}

std::shared_ptr<const NativeCode> write_basic_blocks(const std::vector<BasicBlock *> &blocks, std::uint32_t vector_bytes,
                                                  std::vector<std::size_t> &begins) {
    return with_machine(vector_bytes, [&](auto &code) -> std::shared_ptr<const NativeCode> {
        for (BasicBlock *block : blocks) {
            begins.push_back(code.bytes.size());
            if (!write_basic_block(*block, code)) return nullptr;
        }
        return NativeCode::make(code.bytes);
    });
}

LiveSlots read_before(const LanePhase &phase, LiveSlots after, const SlotMap &map) {
    for (std::size_t number = phase.segments.size(); number-- > 0;) step_back(phase, phase.segments[number], after, map);
    return after;
}

LiveSlots make_native(LanePhase &phase, LiveSlots live, const SlotMap &map) {
    return with_machine(map.vector_bytes,
                        [&](auto &code) { return write_phase(phase, std::move(live), map, code); });
}

}  // namespace ludorum
