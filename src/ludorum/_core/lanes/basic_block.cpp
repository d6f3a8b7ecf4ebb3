// Values of a basic block: constants are folded, gates and slots read, an order is found.

#include "lanes/basic_block.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

namespace ludorum {

Term BasicBlock::input(std::uint32_t offset) {
    const auto number = static_cast<std::uint32_t>(values.size());
    const auto [found, fresh] = inputs_.try_emplace(offset, number);
    if (fresh) values.push_back({INPUT, false, 0, 0, offset});
    return 2 * found->second;
}

Term BasicBlock::add(Kind kind, std::initializer_list<Term> of, bool flip) {
    const auto first = static_cast<std::uint32_t>(terms.size());
    terms.insert(terms.end(), of);
    values.push_back({kind, flip, first, static_cast<std::uint32_t>(terms.size())});
    return 2 * static_cast<Term>(values.size() - 1);
}

Term BasicBlock::both(Term a, Term b) {
    if (a == NO_LANE || b == NO_LANE || a == opposite(b)) return NO_LANE;
    if (a == EVERY_LANE || a == b) return b;
    return b == EVERY_LANE ? a : add(ALL, {a, b});
}

Term BasicBlock::unequal(Term a, Term b) {
    if (is_constant(a)) std::swap(a, b);
    if (is_constant(b)) return b == NO_LANE ? a : opposite(a);
    return a / 2 == b / 2 ? (a == b ? NO_LANE : EVERY_LANE) : add(UNEQUAL, {a, b});
}

Term BasicBlock::choose(Term condition, Term a, Term b) {
    if (is_constant(condition)) return condition == EVERY_LANE ? a : b;
    if (a == b) return a;
    if (is_constant(a)) return a == EVERY_LANE ? either(condition, b) : both(opposite(condition), b);
    if (is_constant(b)) return b == EVERY_LANE ? either(opposite(condition), a) : both(condition, a);
    if (a == opposite(b)) return unequal(condition, b);
    return chooses ? add(CHOICE, {condition, a, b}) : unequal(both(unequal(a, b), condition), b);
}

void BasicBlock::put(Term term, std::uint32_t offset) {
    Value &value = values[term / 2];
    if ((term & 1) == 0 && value.kind != INPUT && value.slot == NOWHERE)
        value.slot = offset;
    else
        values[add(ALL, {term}) / 2].slot = offset;
}

Term add_gate(BasicBlock &block, const std::vector<Term> &terms, bool flip) {
    const bool none = block.any_sign && std::all_of(terms.begin(), terms.end(), [](Term term) { return term & 1; });
    const Term gate = block.add(BasicBlock::ALL, {}, none);
    block.terms.insert(block.terms.end(), terms.begin(), terms.end());
    block.values.back().end = static_cast<std::uint32_t>(block.terms.size());
    return flip == none ? gate : opposite(gate);
}

void add_gates(BasicBlock &block, const LanePhase &phase, std::uint32_t first_run, std::uint32_t end_run, Holdings &held) {
    each_gate(phase, first_run, end_run, [&](const LaneRun &run, const std::uint32_t *in, std::uint32_t to) {
        std::vector<Term> terms;
        for (std::uint32_t i = 0; i < run.positive + run.negative; ++i) {
            const Term term = held_at(block, held, in[i]);
            terms.push_back(i < run.positive ? term : opposite(term));
        }
        held[to] = add_gate(block, terms, run.flip != 0);
    });
}

void put_live(BasicBlock &block, const Holdings &held, const LiveSlots &after, const SlotMap &map) {
    for (const auto &[offset, term] : held)
        if (after[offset / map.slot_bytes]) block.put(term, offset);
}

// By value: whether it goes to a slot, or a value that does needs it.
static std::vector<char> find_needed(const BasicBlock &block) {
    std::vector<char> needed(block.values.size(), 0);
    for (std::size_t number = needed.size(); number-- > 0;) {  // terms come before those that read them
        const BasicBlock::Value &value = block.values[number];
        needed[number] |= value.kind != BasicBlock::INPUT && value.slot != BasicBlock::NOWHERE;
        for (std::uint32_t at = value.first; needed[number] && at < value.end; ++at) needed[block.terms[at] / 2] = 1;
    }
    return needed;
}

// How many registers each value needs, if nothing is shared: those that need most are best made first.
static std::vector<std::uint32_t> find_weights(const BasicBlock &block) {
    std::vector<std::uint32_t> weights(block.values.size(), 1), of;
    for (std::size_t number = 0; number < weights.size(); ++number) {
        const BasicBlock::Value &value = block.values[number];
        of.clear();
        for (std::uint32_t at = value.first; at < value.end; ++at) of.push_back(weights[block.terms[at] / 2]);
        std::sort(of.begin(), of.end(), std::greater<>());
        // All but the first are joined one after the other: what is ready takes one register.
        for (std::size_t i = 0; i < of.size(); ++i)
            weights[number] = std::max(weights[number], of[i] + (i ? 1u : 0u));
    }
    return weights;
}

// What goes to slots.
static std::vector<std::uint32_t> find_roots(const BasicBlock &block) {
    std::vector<std::uint32_t> roots;
    for (std::uint32_t number = 0; number < block.values.size(); ++number)
        if (block.values[number].slot != BasicBlock::NOWHERE && block.values[number].kind != BasicBlock::INPUT)
            roots.push_back(number);
    if (block.by_slot)
        std::stable_sort(roots.begin(), roots.end(), [&](std::uint32_t a, std::uint32_t b) {
            return block.values[a].slot < block.values[b].slot;
        });
    return roots;
}

// Depth first from what goes to slots. What goes to the slot of an input waits for those that read it.
std::vector<std::uint32_t> order_basic_block(BasicBlock &block) {
    const std::size_t size = block.values.size();
    std::vector<std::vector<std::uint32_t>> readers(size);
    const std::vector<char> needed = find_needed(block);
    for (std::uint32_t number = 0; number < size; ++number)
        for (std::uint32_t at = block.values[number].first; at < block.values[number].end; ++at)
            if (const std::uint32_t value = block.terms[at] / 2; needed[number] && block.values[value].kind == BasicBlock::INPUT)
                readers[value].push_back(number);
    const std::vector<std::uint32_t> weights = find_weights(block);
    enum : char { NEW, OPEN, CLOSED };
    struct Frame {
        std::uint32_t value;
        std::vector<std::uint32_t> needs;
        std::size_t at = 0;
        std::size_t terms = 0;  // how many of its needs are its terms; they come first
    };
    std::vector<Frame> stack;
    std::vector<char> states(size, NEW);
    auto open = [&](std::uint32_t number) {
        states[number] = OPEN;
        const BasicBlock::Value &value = block.values[number];
        Frame frame{number, {}};
        for (std::uint32_t at = value.first; at < value.end; ++at)
            if (const std::uint32_t other = block.terms[at] / 2; block.values[other].kind != BasicBlock::INPUT)
                frame.needs.push_back(other);
        std::stable_sort(frame.needs.begin(), frame.needs.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return weights[a] > weights[b]; });
        frame.terms = frame.needs.size();
        if (value.slot != BasicBlock::NOWHERE && block.reads(value.slot)) {
            const auto &waited_for = readers[block.input_at(value.slot)];
            frame.needs.insert(frame.needs.end(), waited_for.begin(), waited_for.end());
        }
        stack.push_back(std::move(frame));
    };
    std::vector<std::uint32_t> order;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> late;  // values and slots
    for (std::uint32_t root : find_roots(block)) {
        if (states[root] != NEW) continue;
        open(root);
        while (!stack.empty()) {
            Frame &frame = stack.back();
            if (frame.at == frame.needs.size()) {
                states[frame.value] = CLOSED;
                order.push_back(frame.value);
                stack.pop_back();
                continue;
            }
            const std::uint32_t need = frame.needs[frame.at++];
            if (states[need] == NEW) {
                open(need);
            } else if (states[need] == OPEN && need != frame.value) {
                if (frame.at <= frame.terms) throw std::logic_error("a value of a basic block waits for itself");
                late.emplace_back(frame.value, block.values[frame.value].slot);
                block.values[frame.value].slot = BasicBlock::NOWHERE;
                frame.at = frame.needs.size();
            }
        }
    }
    for (const auto &[value, slot] : late) {
        order.push_back(block.add(BasicBlock::ALL, {2 * value}) / 2);
        block.values.back().slot = slot;
    }
    return order;
}

}  // namespace ludorum
