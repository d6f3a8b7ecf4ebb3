// Machine code of a basic block: registers go to the values that are read again first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lanes/basic_block.hpp"
#include "lanes/x86_64.hpp"

namespace ludorum {

template <class Machine>
class BasicBlockWriter {
  public:
    BasicBlockWriter(const BasicBlock &block, const std::vector<std::uint32_t> &order, Machine &code)
        : block_(block), order_(order), code_(code), places_(block.values.size()) {}

    // A function. False, and nothing is written, where slots or values are more than its instructions reach, or where more
    // values are loaded than that.
    bool write(std::size_t most_loads) {
        for (std::size_t number = 0; number < places_.size(); ++number) {
            const BasicBlock::Value &value = block_.values[number];
            if (value.slot != NOWHERE) slot_bytes_ = std::max(slot_bytes_, value.slot + Machine::VECTOR_BYTES);
            if (value.kind == BasicBlock::INPUT) places_[number].slot = value.slot;
        }
        if (slot_bytes_ > Machine::SLOT_BYTES) return false;
        find_uses();
        Machine body;
        std::swap(body, code_);
        for (now_ = 0; now_ < order_.size(); ++now_) write_value(order_[now_]);
        std::swap(body, code_);
        const std::uint32_t stack = Machine::VECTOR_BYTES * spills_;
        if (stack > Machine::STACK_BYTES || loads_ > most_loads) return false;
        code_.enter(slot_bytes_, stack);
        code_.bytes.insert(code_.bytes.end(), body.bytes.begin(), body.bytes.end());
        code_.repeat(slot_bytes_, body.bytes.size());
        code_.leave(stack);
        return true;
    }

  private:
    static constexpr std::uint32_t NOWHERE = BasicBlock::NOWHERE;
    // So many terms are joined in two chains: in a single one each instruction would wait for the one before it.
    static constexpr std::uint32_t MANY = 6;
    // A value that is read again within so many others is worth a register.
    static constexpr std::uint32_t SOON = 24;

    struct Place {
        std::uint32_t held = NOWHERE;    // the register that holds it
        std::uint32_t slot = NOWHERE;    // where it stands among the slots
        std::uint32_t spill = NOWHERE;   // where it stands on the stack
        bool opposite = false;           // whether the register and the stack hold its opposite
        std::uint32_t use = 0, end = 0;  // the uses that are left
    };
    // What a register holds, as it is or as its opposite.
    struct Held {
        std::uint32_t number;
        bool opposite;
    };

    void find_uses() {
        std::vector<std::uint32_t> begins(places_.size() + 1, 0);
        auto each_use = [&](auto visit) {
            for (std::uint32_t at = 0; at < order_.size(); ++at) {
                const BasicBlock::Value &value = block_.values[order_[at]];
                for (std::uint32_t i = value.first; i < value.end; ++i) visit(block_.terms[i] / 2, at);
            }
        };
        each_use([&](std::uint32_t value, std::uint32_t) { ++begins[value + 1]; });
        for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
        uses_.resize(begins.back());
        for (std::uint32_t value = 0; value < places_.size(); ++value)
            places_[value].use = places_[value].end = begins[value];
        each_use([&](std::uint32_t value, std::uint32_t at) { uses_[places_[value].end++] = at; });
    }

    // A free register, locked. If there is none, the value that is read last gives up its own; one that has to
    // be written for that is spared for a while.
    std::uint32_t take_register() {
        std::uint32_t best = NOWHERE, farthest = 0;
        for (std::uint32_t number = 0; number < Machine::REGISTERS; ++number) {
            if (locks_[number]) continue;
            if (values_[number] == NOWHERE) {
                ++locks_[number];
                return number;
            }
            const Place &place = places_[values_[number]];
            std::uint32_t distance = uses_[place.use] - now_ + 1;
            if (place.slot != NOWHERE || place.spill != NOWHERE) distance *= 2;
            if (distance > farthest) farthest = distance, best = number;
        }
        Place &place = places_[values_[best]];
        if (place.slot == NOWHERE && place.spill == NOWHERE) {
            place.spill = take_spill();
            code_.store_stack(best, Machine::VECTOR_BYTES * place.spill);
        }
        place.held = values_[best] = NOWHERE;
        ++locks_[best];
        return best;
    }

    std::uint32_t take_spill() {
        if (free_spills_.empty()) return spills_++;
        const std::uint32_t spill = free_spills_.back();
        free_spills_.pop_back();
        return spill;
    }

    // A term in a register, which stays locked until its use is over.
    Held fetch(Term term) {
        Place &place = places_[term / 2];
        if (place.held != NOWHERE) {
            ++locks_[place.held];
        } else {
            place.held = take_register();
            values_[place.held] = term / 2;
            ++loads_;
            if (place.slot != NOWHERE)
                code_.load_slot(place.held, place.slot);
            else
                code_.load_stack(place.held, Machine::VECTOR_BYTES * place.spill);
        }
        return {place.held, place.opposite != (term & 1)};
    }

    // One use less: after the last one, the register and the place on the stack are free.
    void use(Term term) {
        Place &place = places_[term / 2];
        --locks_[place.held];
        if (++place.use == place.end) drop(place);
    }

    void drop(Place &place) {
        values_[place.held] = NOWHERE;
        place.held = NOWHERE;
        if (place.spill != NOWHERE) free_spills_.push_back(place.spill);
    }

    void write_value(std::uint32_t number) {
        const BasicBlock::Value &value = block_.values[number];
        const Term *terms = block_.terms.data() + value.first;
        const std::uint32_t size = value.end - value.first;
        if (size == 1 && places_[number].use == places_[number].end && write_copy(value, terms[0])) return;
        const Held found = size == 1                       ? write_single(value, terms[0])
                           : value.kind == BasicBlock::CHOICE ? write_choice(terms)
                                                           : write_joined(value.kind, terms, size);
        finish(number, {found.number, found.opposite != value.flip});
    }

    // A value that only goes to a slot, if its term is at hand as it is wanted.
    bool write_copy(const BasicBlock::Value &value, Term term) {
        const Held from = fetch(term);
        const bool ready = from.opposite == value.flip;
        if (ready) {
            code_.store_slot(from.number, value.slot);
            use(term);
        } else {
            --locks_[from.number];
        }
        return ready;
    }

    Held write_joined(BasicBlock::Kind kind, const Term *terms, std::uint32_t size) {
        if constexpr (Machine::READS_MEMORY) {
            return kind == BasicBlock::ALL ? join_from_memory(terms, size) : unequal_from_memory(terms);
        } else {
            return kind == BasicBlock::ALL ? write_all(terms, size) : write_unequal(terms);
        }
    }

    // A value that instructions may read where it stands: a register would serve no other of the next uses.
    bool stays_in_memory(const Place &place) const {
        if (place.held != NOWHERE || (place.slot == NOWHERE && place.spill == NOWHERE)) return false;
        return place.use + 1 == place.end || uses_[place.use + 1] - now_ > SOON;
    }

    // A term as an instruction reads it last; if it is in a register, that is locked.
    struct Source {
        Term term;
        VectorSource from;
        bool opposite;
    };

    Source find_source(Term term) {
        const Place &place = places_[term / 2];
        if (!stays_in_memory(place)) {
            const Held held = fetch(term);
            return {term, {VectorSource::REGISTER, held.number}, held.opposite};
        }
        const bool in_slot = place.slot != NOWHERE;
        return {term,
                {in_slot ? VectorSource::SLOT : VectorSource::SPILL, in_slot ? place.slot : Machine::VECTOR_BYTES * place.spill},
                place.opposite != (term & 1)};
    }

    // One use less. A place on the stack is given back after the instruction that reads it.
    void use(const Source &source) {
        if (source.from.kind == VectorSource::REGISTER) return use(source.term);
        Place &place = places_[source.term / 2];
        if (++place.use == place.end && place.spill != NOWHERE) free_spills_.push_back(place.spill);
    }

    // The first term of a gate, in a register that is locked. True where the gate may overwrite it.
    std::pair<Held, bool> begin_sum(Term term) {
        Place &place = places_[term / 2];
        const bool stays = stays_in_memory(place);
        const Held held = fetch(term);
        use(term);
        ++locks_[held.number];
        if (stays && place.held != NOWHERE) place.held = values_[held.number] = NOWHERE;
        return {held, values_[held.number] == NOWHERE};
    }

    // Where all terms hold: two of them are joined with a third by one instruction, one of them from memory.
    Held join_from_memory(const Term *terms, std::uint32_t size) requires(Machine::READS_MEMORY) {
        std::vector<Term> registers, memory;
        for (std::uint32_t i = 0; i < size; ++i)
            (stays_in_memory(places_[terms[i] / 2]) ? memory : registers).push_back(terms[i]);
        // A register that is free afterwards comes first: the sum takes its place.
        const auto last_use = std::find_if(registers.begin(), registers.end(), [&](Term term) {
            const Place &place = places_[term / 2];
            return place.held != NOWHERE && place.use + 1 == place.end;
        });
        if (last_use != registers.end()) std::iter_swap(registers.begin(), last_use);
        std::vector<Term> &first = registers.empty() ? memory : registers;
        auto [sum, ours] = begin_sum(first.front());
        first.erase(first.begin());
        std::size_t in_register = 0, in_memory = 0;
        auto take = [&](bool from_memory) { return from_memory ? memory[in_memory++] : registers[in_register++]; };
        while (in_register < registers.size() || in_memory < memory.size()) {
            const std::size_t left = registers.size() - in_register + memory.size() - in_memory;
            if (ours && left > 1 && in_register < registers.size()) {
                const Term second = take(false);
                const Held middle = fetch(second);
                const Source last = find_source(take(in_memory < memory.size()));
                code_.join_three(sum.number, sum.opposite, middle.number, middle.opposite, last.from, last.opposite);
                sum.opposite = false;
                use(second);
                use(last);
                continue;
            }
            const Source last = find_source(take(in_memory < memory.size()));
            std::uint32_t to = sum.number;
            if (!ours) {
                to = take_register();
                --locks_[sum.number];
            }
            sum = {to, code_.join(to, sum.number, sum.opposite, last.from, last.opposite)};
            use(last);
            ours = true;
        }
        return sum;
    }

    Held unequal_from_memory(const Term *terms) requires(Machine::READS_MEMORY) {
        const bool second = !stays_in_memory(places_[terms[0] / 2]);
        auto [sum, ours] = begin_sum(terms[second ? 0 : 1]);
        const Source last = find_source(terms[second ? 1 : 0]);
        std::uint32_t to = sum.number;
        if (!ours) {
            to = take_register();
            --locks_[sum.number];
        }
        code_.unequal_to(to, sum.number, last.from);
        use(last);
        return {to, sum.opposite != last.opposite};
    }

    Held write_all(const Term *terms, std::uint32_t size) {
        const std::uint32_t chains = size >= MANY ? 2 : 1;
        Held sums[2] = {};
        for (std::uint32_t i = chains; i < size; ++i) {
            Held &sum = sums[i % chains];
            if (i < 2 * chains) sum = fetch(terms[i - chains]);
            const Held other = fetch(terms[i]);
            if (i < 2 * chains)
                use(terms[i - chains]);
            else
                --locks_[sum.number];
            use(terms[i]);
            sum = join(sum, other);
        }
        if (chains == 1) return sums[0];
        for (const Held &sum : sums) --locks_[sum.number];
        return join(sums[0], sums[1]);
    }

    // As a slot wants to have it.
    Held write_single(const BasicBlock::Value &value, Term term) {
        const Held from = fetch(term);
        use(term);
        const std::uint32_t to = take_register();
        if (from.opposite != value.flip)
            code_.opposite(to, from.number);
        else if (to != from.number)
            code_.either(to, from.number, from.number);
        return {to, value.flip};
    }

    // Where both hold. The result may take the register of one of them.
    Held join(const Held &a, const Held &b) {
        const std::uint32_t to = take_register();
        if (a.opposite && b.opposite)
            code_.either(to, a.number, b.number);
        else if (a.opposite)
            code_.without(to, b.number, a.number);
        else if (b.opposite)
            code_.without(to, a.number, b.number);
        else
            code_.both(to, a.number, b.number);
        return {to, a.opposite && b.opposite};
    }

    Held write_unequal(const Term *terms) {
        const Held a = fetch(terms[0]), b = fetch(terms[1]);
        use(terms[0]);
        use(terms[1]);
        const std::uint32_t to = take_register();
        code_.unequal(to, a.number, b.number);
        return {to, a.opposite != b.opposite};
    }

    // The result takes the register of a term that is not needed any more, or that of a copy.
    Held write_choice([[maybe_unused]] const Term *terms) {
        if constexpr (!Machine::CHOOSES) throw std::logic_error("this machine has no instruction for a choice");
        else return choose(terms);
    }

    Held choose(const Term *terms) requires(Machine::CHOOSES) {
        const Held condition = fetch(terms[0]);
        Held a = fetch(terms[1]), b = fetch(terms[2]);
        if (a.opposite != b.opposite && !turn(terms, 1, a)) turn(terms, 2, b);
        if (condition.opposite) std::swap(a, b);
        std::uint32_t turned = NOWHERE;  // of two terms in different forms one is turned
        if (a.opposite != b.opposite) {
            turned = take_register();
            code_.opposite(turned, b.number);
            b = {turned, a.opposite};
        }
        for (int i = 0; i < 3; ++i) use(terms[i]);
        auto is_free = [&](std::uint32_t number) { return values_[number] == NOWHERE && !locks_[number]; };
        std::uint32_t to = turned;
        if (to == NOWHERE && is_free(b.number)) ++locks_[to = b.number];
        if (to != NOWHERE) {
            code_.choose_in_second(condition.number, a.number, b.number);
        } else if (is_free(condition.number)) {
            ++locks_[to = condition.number];
            code_.choose_in_condition(condition.number, a.number, b.number);
        } else if (is_free(a.number)) {
            ++locks_[to = a.number];
            code_.choose_in_first(condition.number, a.number, b.number);
        } else {
            for (std::uint32_t number : {condition.number, a.number, b.number}) ++locks_[number];
            to = take_register();
            for (std::uint32_t number : {condition.number, a.number, b.number}) --locks_[number];
            code_.either(to, b.number, b.number);
            code_.choose_in_second(condition.number, a.number, to);
        }
        return {to, a.opposite};
    }

    // One of three terms in its other form for good, if it stands nowhere else and is read again.
    bool turn(const Term *terms, std::uint32_t which, Held &held) {
        Place &place = places_[terms[which] / 2];
        for (std::uint32_t i = 0; i < 3; ++i)
            if (i != which && terms[i] / 2 == terms[which] / 2) return false;
        if (place.end - place.use < 2 || place.slot != NOWHERE || place.spill != NOWHERE) return false;
        code_.opposite(held.number, held.number);
        place.opposite = !place.opposite;
        held.opposite = !held.opposite;
        return true;
    }

    void finish(std::uint32_t number, const Held &found) {
        Place &place = places_[number];
        --locks_[found.number];
        values_[found.number] = number;
        place.held = found.number;
        place.opposite = found.opposite;
        if (const std::uint32_t slot = block_.values[number].slot; slot != NOWHERE) {
            if (place.opposite) code_.opposite(place.held, place.held);
            place.opposite = false;
            place.slot = slot;
            code_.store_slot(place.held, slot);
        }
        if (place.use == place.end) drop(place);
    }

    const BasicBlock &block_;
    const std::vector<std::uint32_t> &order_;
    Machine &code_;
    std::vector<Place> places_;        // by value
    std::vector<std::uint32_t> uses_;  // of each value: places in the order
    std::vector<std::uint32_t> values_ = std::vector<std::uint32_t>(Machine::REGISTERS, NOWHERE);  // by register
    std::vector<std::uint32_t> locks_ = std::vector<std::uint32_t>(Machine::REGISTERS, 0);         // by register
    std::vector<std::uint32_t> free_spills_;
    std::size_t loads_ = 0;
    std::uint32_t spills_ = 0, now_ = 0, slot_bytes_ = 0;
};

// Orders a basic block and writes its function, where that can be made. Gates without any input, which are rare, are not
// written.
template <class Machine>
bool write_basic_block(BasicBlock &block, Machine &code, std::size_t most_loads = SIZE_MAX) {
    for (const BasicBlock::Value &value : block.values)
        if (value.kind != BasicBlock::INPUT && value.first == value.end) return false;
    const std::vector<std::uint32_t> order = order_basic_block(block);
    return BasicBlockWriter(block, order, code).write(most_loads);
}

}  // namespace ludorum
