// Layouts of lanes: which gates a phase needs, in which order, and where their values go.

#include "lanes/layout.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "circuit/warm_loops.hpp"

namespace ludorum {

namespace {

// Gates ordered among themselves by shape: many make long runs, few keep values in the nearest cache.
constexpr std::size_t WINDOW = 512;

constexpr std::uint32_t LOOP_WINDOW = 16;

using Shape = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

}  // namespace

void LanePhase::scale(std::uint32_t slot_bytes) {
    for (std::uint32_t &input : inputs) input *= slot_bytes;
    for (std::uint32_t &slot : carried) slot *= slot_bytes;
}

LaneLayout::LaneLayout(const Network &network, const std::vector<std::uint32_t> &move_slots,
                       std::uint32_t first_gate_slot, std::vector<PhaseWish> wishes, bool lasting,
                       std::vector<std::uint32_t> pinned, std::vector<char> settled)
    : network_(network),
      wishes_(std::move(wishes)),
      lasting_(lasting),
      pinned_(std::move(pinned)),
      settled_(std::move(settled)),
      slots_(network.nodes(), NOWHERE),
      unit_(network.gates()),
      done_(network.gates(), 0),
      needed_in_(network.gates(), 0),
      written_(network.fluents, 0),
      size_(first_gate_slot) {
    for (std::uint32_t fluent = 0; fluent < network.fluents; ++fluent) slots_[fluent] = fluent;
    std::copy(move_slots.begin(), move_slots.end(), slots_.begin() + network.fluents);
    slots_[network.true_node()] = one_slot(network);
    for (std::uint32_t gate = 0; gate < network.gates(); ++gate) unit_[gate] = gate;
    for (auto [first, last] : network.loops)
        for (std::uint32_t gate = first; gate <= last; ++gate) unit_[gate] = first;
    // Which phase is the last to read what an earlier one has kept.
    std::vector<char> kept(network.gates(), 0);
    for (std::size_t number = 0; number < wishes_.size(); ++number) {
        const std::vector<char> cone = network.cone(wishes_[number].outputs);
        auto ask = [&](Literal literal, std::size_t until) {
            const std::uint32_t gate = gate_of(literal);
            if (gate != NOWHERE) needed_in_[gate] = std::max(needed_in_[gate], until);
        };
        for (Literal literal : wishes_[number].outputs) ask(literal, std::max(number, wishes_[number].until));
        for (std::uint32_t gate = 0; gate < network.gates(); ++gate)
            if (cone[gate] && !kept[gate])
                for (std::uint32_t at = network.gate_offsets[gate]; at < network.gate_offsets[gate + 1]; ++at)
                    ask(network.gate_literals[at], number);
        if (wishes_[number].keep)
            for (std::uint32_t gate = 0; gate < network.gates(); ++gate) kept[gate] |= cone[gate];
    }
}

std::uint32_t LaneLayout::gate_of(Literal literal) const {
    const std::uint32_t node = literal >> 1, base = network_.first_gate();
    return node < base ? NOWHERE : node - base;
}

std::uint32_t LaneLayout::loop_last(std::uint32_t gate) const {
    auto loop = std::lower_bound(network_.loops.begin(), network_.loops.end(), std::make_pair(gate, 0u));
    return loop != network_.loops.end() && loop->first == gate ? loop->second : NOWHERE;
}

template <class Visit>
void LaneLayout::each_input(std::uint32_t unit, Visit visit) const {
    const std::uint32_t loop = loop_last(unit), last = loop == NOWHERE ? unit : loop;
    for (std::uint32_t at = network_.gate_offsets[unit]; at < network_.gate_offsets[last + 1]; ++at)
        visit(network_.gate_literals[at]);
}

std::uint32_t LaneLayout::next_slot(std::uint32_t fluent) const {
    return written_[fluent] ? 2 * fluent : slot(network_.next[fluent]);
}

LanePhase LaneLayout::next_phase() {
    const PhaseWish &wish = wishes_[number_];
    wanted_ = network_.cone(wish.outputs);
    for (std::uint32_t gate = 0; gate < network_.gates(); ++gate) wanted_[gate] = wanted_[gate] && !done_[gate];
    writes_.assign(network_.gates(), NOWHERE);
    readers_.assign(network_.fluents, {});
    if (wish.to_fluents && !lasting_) find_writers();
    order_gates(wish.outputs);
    order_windows();
    find_last_uses(wish);
    LanePhase phase;
    segment_begin_ = 0;
    for (std::uint32_t at = 0; at < order_.size(); ++at) {
        const std::uint32_t unit = order_[at], last = loop_last(unit);
        if (last == NOWHERE) {
            release(at);  // a gate may write over what it reads
            add_gate(phase, unit);
        } else {
            close_segment(phase);
            add_loop(phase, unit, last);
            release(at);
        }
    }
    close_segment(phase);
    release(static_cast<std::uint32_t>(order_.size()));
    if (wish.keep)
        for (std::uint32_t gate = 0; gate < network_.gates(); ++gate) done_[gate] |= wanted_[gate];
    ++number_;
    return phase;
}

// Gates that are the next value of one fluent and nothing else. They come after all gates that read the old value.
void LaneLayout::find_writers() {
    std::vector<std::uint32_t> uses(network_.gates(), 0);
    std::vector<char> copied(network_.fluents, 0);
    for (std::uint32_t gate = 0; gate < network_.gates(); ++gate) {
        if (!wanted_[gate]) continue;
        for (std::uint32_t at = network_.gate_offsets[gate]; at < network_.gate_offsets[gate + 1]; ++at) {
            const std::uint32_t node = network_.gate_literals[at] >> 1;
            if (node < network_.fluents) {
                if (readers_[node].empty() || readers_[node].back() != unit_[gate])
                    readers_[node].push_back(unit_[gate]);
            } else if (node >= network_.first_gate()) {
                ++uses[node - network_.first_gate()];
            }
        }
    }
    const std::vector<Literal> &outputs = wishes_[number_].outputs;
    for (std::uint32_t fluent = 0; fluent < network_.fluents; ++fluent) {
        const std::uint32_t node = outputs[fluent] >> 1;
        if (node < network_.fluents && outputs[fluent] != 2 * fluent) copied[node] = 1;
        if (gate_of(outputs[fluent]) != NOWHERE) ++uses[gate_of(outputs[fluent])];
    }
    for (std::uint32_t fluent = 0; fluent < network_.fluents; ++fluent) {
        const std::uint32_t gate = gate_of(outputs[fluent]);
        const bool apart = !wishes_[number_].apart.empty() && wishes_[number_].apart[fluent];
        if (gate != NOWHERE && wanted_[gate] && uses[gate] == 1 && !copied[fluent] && !apart &&
            loop_last(gate) == NOWHERE && unit_[gate] == gate)
            writes_[gate] = fluent;
    }
}

// Depth first from the outputs: a value is read soon after it is written. A writer waits for the readers of
// what it overwrites; where two wait for each other, one of them is copied instead.
void LaneLayout::order_gates(const std::vector<Literal> &outputs) {
    enum : char { NEW, OPEN, CLOSED };
    std::vector<char> states(network_.gates(), NEW);
    struct Frame {
        std::uint32_t unit;
        std::vector<std::uint32_t> needs;
        std::size_t at = 0;
    };
    std::vector<Frame> stack;
    order_.clear();
    auto open = [&](std::uint32_t unit) {
        states[unit] = OPEN;
        Frame frame{unit, {}};
        each_input(unit, [&](Literal literal) {
            const std::uint32_t gate = gate_of(literal);
            if (gate != NOWHERE && wanted_[gate] && unit_[gate] != unit) frame.needs.push_back(unit_[gate]);
        });
        if (writes_[unit] != NOWHERE)
            for (std::uint32_t reader : readers_[writes_[unit]])
                if (reader != unit) frame.needs.push_back(reader);
        stack.push_back(std::move(frame));
    };
    for (Literal output : outputs) {
        const std::uint32_t root = gate_of(output);
        if (root == NOWHERE || !wanted_[root] || states[unit_[root]] != NEW) continue;
        open(unit_[root]);
        while (!stack.empty()) {
            Frame &frame = stack.back();
            if (frame.at == frame.needs.size()) {
                states[frame.unit] = CLOSED;
                order_.push_back(frame.unit);
                stack.pop_back();
                continue;
            }
            const std::uint32_t need = frame.needs[frame.at++];
            if (states[need] == NEW)
                open(need);
            else if (states[need] == OPEN)
                writes_[frame.unit] = NOWHERE;
        }
    }
}

// Within a window of that order, gates of one shape come together.
void LaneLayout::order_windows() {
    std::vector<std::uint32_t> missing(network_.gates(), 0), window(network_.gates(), NOWHERE), order;
    std::vector<std::vector<std::uint32_t>> users(WINDOW);
    std::vector<std::uint32_t> place(network_.gates(), 0);
    order.reserve(order_.size());
    auto shape = [&](std::uint32_t unit) -> Shape {
        if (loop_last(unit) != NOWHERE) return {NOWHERE, unit, 0};
        std::uint32_t negative = 0, all = 0;
        each_input(unit, [&](Literal literal) { ++all, negative += literal & 1; });
        const std::uint32_t fluent = writes_[unit];
        return {all - negative, negative, fluent == NOWHERE ? 0 : wishes_[number_].outputs[fluent] & 1};
    };
    for (std::size_t begin = 0; begin < order_.size(); begin += WINDOW) {
        const std::size_t end = std::min(begin + WINDOW, order_.size());
        for (std::size_t at = begin; at < end; ++at) {
            window[order_[at]] = static_cast<std::uint32_t>(begin);
            place[order_[at]] = static_cast<std::uint32_t>(at - begin);
            users[at - begin].clear();
        }
        std::map<Shape, std::vector<std::uint32_t>> ready;
        for (std::size_t at = begin; at < end; ++at) {
            const std::uint32_t unit = order_[at];
            auto need = [&](std::uint32_t other) {
                if (other == unit || window[other] != begin) return;
                users[place[other]].push_back(unit);
                ++missing[unit];
            };
            each_input(unit, [&](Literal literal) {
                if (gate_of(literal) != NOWHERE && wanted_[gate_of(literal)]) need(unit_[gate_of(literal)]);
            });
            if (writes_[unit] != NOWHERE)
                for (std::uint32_t reader : readers_[writes_[unit]]) need(reader);
        }
        for (std::size_t at = begin; at < end; ++at)
            if (!missing[order_[at]]) ready[shape(order_[at])].push_back(order_[at]);
        while (!ready.empty()) {
            auto best = ready.begin();
            for (auto it = ready.begin(); it != ready.end(); ++it)
                if (it->second.size() > best->second.size()) best = it;
            const Shape chosen = best->first;
            // Gates of the same shape that become ready by these join them.
            for (std::size_t at = 0; at < ready[chosen].size(); ++at) {
                const std::uint32_t unit = ready[chosen][at];
                order.push_back(unit);
                for (std::uint32_t user : users[place[unit]])
                    if (--missing[user] == 0) ready[shape(user)].push_back(user);
            }
            ready.erase(chosen);
        }
    }
    order_.swap(order);
}

void LaneLayout::find_last_uses(const PhaseWish &wish) {
    const auto end = static_cast<std::uint32_t>(order_.size());
    std::vector<std::uint32_t> last(network_.gates(), NOWHERE);
    for (std::uint32_t at = 0; at < end; ++at) {
        const std::uint32_t unit = order_[at], loop = loop_last(unit);
        for (std::uint32_t gate = unit; gate <= (loop == NOWHERE ? unit : loop); ++gate) last[gate] = at;
        each_input(unit, [&](Literal literal) {
            if (gate_of(literal) != NOWHERE) last[gate_of(literal)] = at;
        });
    }
    for (Literal literal : wish.outputs)
        if (gate_of(literal) != NOWHERE) last[gate_of(literal)] = end;
    releases_.assign(end + 1, {});
    for (std::uint32_t gate = 0; gate < network_.gates(); ++gate) {
        const bool own = wanted_[gate] && !wish.keep;  // gone after this phase, whatever reads it later
        if (last[gate] != NOWHERE && writes_[gate] == NOWHERE && (own || needed_in_[gate] <= number_))
            releases_[last[gate]].push_back(gate);
    }
}

void LaneLayout::release(std::uint32_t at) {
    if (lasting_) return;
    for (std::uint32_t gate : releases_[at])
        if (!is_pinned(gate)) free_.push_back(slots_[network_.first_gate() + gate]);
}

std::uint32_t LaneLayout::take_slot() {
    if (free_.empty()) return size_++;
    const std::uint32_t slot = free_.back();  // the one used last is nearest
    free_.pop_back();
    return slot;
}

void LaneLayout::add_gate(LanePhase &phase, std::uint32_t gate) {
    std::uint32_t counts[2] = {0, 0};
    for (std::uint32_t at = network_.gate_offsets[gate]; at < network_.gate_offsets[gate + 1]; ++at)
        ++counts[network_.gate_literals[at] & 1];
    const std::uint32_t fluent = writes_[gate];
    std::uint32_t &slot = slots_[network_.first_gate() + gate];
    std::uint32_t flip = 0, to = slot;
    if (fluent != NOWHERE) {
        flip = wishes_[number_].outputs[fluent] & 1;
        to = fluent;
        written_[fluent] = 1;
    } else if (unit_[gate] == gate && loop_last(gate) == NOWHERE) {
        to = take_slot();
    }
    if (phase.runs.size() == segment_begin_ || phase.runs.back().positive != counts[0] ||
        phase.runs.back().negative != counts[1] || phase.runs.back().flip != flip)
        phase.runs.push_back({counts[0], counts[1], 0, flip, static_cast<std::uint32_t>(phase.inputs.size())});
    ++phase.runs.back().count;
    for (std::uint32_t sign : {0u, 1u})
        for (std::uint32_t at = network_.gate_offsets[gate]; at < network_.gate_offsets[gate + 1]; ++at)
            if ((network_.gate_literals[at] & 1) == sign)
                phase.inputs.push_back(slots_[network_.gate_literals[at] >> 1]);
    phase.inputs.push_back(to);
    phase.literals += counts[0] + counts[1];
    slot = to;
}

// Where the parts of a loop end: windows of gates, joined where a gate reads another's that is not carried.
std::vector<std::uint32_t> LaneLayout::part_loop(std::uint32_t first, std::uint32_t last,
                                                 const std::vector<std::uint32_t> &carried) const {
    const std::uint32_t base = network_.first_gate();
    std::vector<std::uint32_t> ends, reach(last - first + 1, 0);  // by gate: the last that reads it as it is
    for (std::uint32_t gate = first; gate <= last; ++gate)
        for (std::uint32_t at = network_.gate_offsets[gate]; at < network_.gate_offsets[gate + 1]; ++at) {
            const std::uint32_t node = network_.gate_literals[at] >> 1;
            if (node >= base + first && node < base + gate &&
                !std::binary_search(carried.begin(), carried.end(), node - base))
                reach[node - base - first] = gate;
        }
    std::uint32_t begin = first, farthest = first;
    for (std::uint32_t gate = first; gate <= last; ++gate) {
        farthest = std::max(farthest, reach[gate - first]);
        if (gate == last || (gate + 1 - begin >= LOOP_WINDOW && farthest <= gate)) {
            ends.push_back(gate + 1);
            begin = gate + 1;
        }
    }
    return ends;
}

// Gates of a part by shape within small windows. What is carried may be read before or after it is written in a
// round, for it stands for what was derived so far; everything else comes before its readers. Long windows make
// rounds cheap, short ones make few of them.
std::vector<std::uint32_t> LaneLayout::order_loop(std::uint32_t first, std::uint32_t last,
                                                  const std::vector<std::uint32_t> &carried) const {
    const std::uint32_t base = network_.first_gate();
    std::vector<std::uint32_t> order, rank(last - first + 1, 0);
    for (std::uint32_t begin = first; begin <= last; begin += LOOP_WINDOW) {
        const std::uint32_t end = std::min(begin + LOOP_WINDOW, last + 1);
        std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> window;
        for (std::uint32_t gate = begin; gate < end; ++gate) {
            std::uint32_t counts[2] = {0, 0};
            for (std::uint32_t at = network_.gate_offsets[gate]; at < network_.gate_offsets[gate + 1]; ++at) {
                const Literal literal = network_.gate_literals[at];
                ++counts[literal & 1];
                const std::uint32_t other = (literal >> 1) - base;
                if (literal >> 1 < base + begin || other >= gate) continue;
                if (!std::binary_search(carried.begin(), carried.end(), other))
                    rank[gate - first] = std::max(rank[gate - first], rank[other - first] + 1);
            }
            window.emplace_back(rank[gate - first], counts[0], counts[1], gate);
        }
        std::sort(window.begin(), window.end());
        for (const auto &one : window) order.push_back(std::get<3>(one));
    }
    return order;
}

// Parts that read what another carries, and those that read what they carry themselves before they write it.
void LaneLayout::find_users(LanePhase &phase, const std::vector<std::vector<std::uint32_t>> &parts,
                            const std::vector<std::uint32_t> &carried, std::uint32_t first, std::uint32_t last) const {
    const std::uint32_t base = network_.first_gate();
    std::vector<std::uint32_t> part_of(last - first + 1), place(last - first + 1);
    for (std::uint32_t part = 0; part < parts.size(); ++part)
        for (std::uint32_t at = 0; at < parts[part].size(); ++at) {
            part_of[parts[part][at] - first] = part;
            place[parts[part][at] - first] = at;
        }
    std::vector<std::vector<std::uint32_t>> users(parts.size());
    for (std::uint32_t gate = first; gate <= last; ++gate)
        for (std::uint32_t at = network_.gate_offsets[gate]; at < network_.gate_offsets[gate + 1]; ++at) {
            const std::uint32_t node = network_.gate_literals[at] >> 1;
            if (node < base + first || node > base + last) continue;
            const std::uint32_t other = node - base - first, mine = part_of[gate - first];
            if (!std::binary_search(carried.begin(), carried.end(), node - base)) continue;
            if (part_of[other] != mine || place[other] >= place[gate - first]) users[part_of[other]].push_back(mine);
        }
    for (std::size_t part = 0; part < parts.size(); ++part) {
        std::sort(users[part].begin(), users[part].end());
        users[part].erase(std::unique(users[part].begin(), users[part].end()), users[part].end());
        LoopPart &entry = phase.parts[phase.parts.size() - parts.size() + part];
        entry.first_user = static_cast<std::uint32_t>(phase.users.size());
        phase.users.insert(phase.users.end(), users[part].begin(), users[part].end());
        entry.end_user = static_cast<std::uint32_t>(phase.users.size());
    }
}

// The gates of a loop are evaluated again and again, so all of them keep their slots meanwhile.
void LaneLayout::add_loop(LanePhase &phase, std::uint32_t first, std::uint32_t last) {
    const std::uint32_t base = network_.first_gate();
    for (std::uint32_t gate = first; gate <= last; ++gate)
        slots_[base + gate] = is_pinned(gate) ? pinned_[gate] : take_slot();
    const std::vector<std::uint32_t> carried = carried_gates(network_, first, last);
    auto size = [](const auto &list) { return static_cast<std::uint32_t>(list.size()); };
    const std::uint32_t first_carried = size(phase.carried), first_part = size(phase.parts), begin = segment_begin_;
    const std::size_t literals = phase.literals;
    std::vector<std::vector<std::uint32_t>> parts;
    for (std::uint32_t end : part_loop(first, last, carried)) {
        const std::uint32_t from = parts.empty() ? first : *std::max_element(parts.back().begin(), parts.back().end()) + 1;
        parts.push_back(order_loop(from, end - 1, carried));
        phase.parts.push_back({segment_begin_, 0, size(phase.carried), 0, 0, 0, 0});
        const std::size_t before = phase.literals;
        for (std::uint32_t gate : parts.back()) {
            add_gate(phase, gate);
            if (std::binary_search(carried.begin(), carried.end(), gate)) phase.carried.push_back(slots_[base + gate]);
        }
        segment_begin_ = phase.parts.back().end_run = size(phase.runs);  // runs do not go on in the next part
        phase.parts.back().end_carried = size(phase.carried);
        phase.parts.back().literals = static_cast<std::uint32_t>(phase.literals - before);
    }
    find_users(phase, parts, carried, first, last);
    const bool warm = !carried.empty() && is_pinned(carried.front());
    const auto loop = std::lower_bound(network_.loops.begin(), network_.loops.end(), std::make_pair(first, 0u));
    const bool settled = !settled_.empty() && settled_[static_cast<std::size_t>(loop - network_.loops.begin())];
    if (settled) phase.literals = literals;
    phase.loop_literals += phase.literals - literals;
    phase.segments.push_back({begin, segment_begin_, first_carried, size(phase.carried), warm, first_part,
                              size(phase.parts), settled});
}

void LaneLayout::close_segment(LanePhase &phase) {
    const auto end = static_cast<std::uint32_t>(phase.runs.size());
    const auto carried = static_cast<std::uint32_t>(phase.carried.size());
    if (end > segment_begin_) phase.segments.push_back({segment_begin_, end, carried, carried});
    segment_begin_ = end;
}

}  // namespace ludorum
