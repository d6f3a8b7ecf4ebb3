// Gates by their inputs, in a table with open addressing.

#include "circuit/gate_pool.hpp"

#include <algorithm>

namespace ludorum {

namespace {

std::uint32_t hash_of(const std::vector<Literal> &inputs) {
    std::uint64_t hash = inputs.size();
    for (Literal input : inputs) hash = (hash ^ input) * 0x9E3779B97F4A7C15ull;
    return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

Literal GatePool::add(std::vector<Literal> &inputs) {
    std::sort(inputs.begin(), inputs.end());
    std::size_t kept = 0;
    for (Literal input : inputs) {
        if (input == yes() || (kept && inputs[kept - 1] == input)) continue;
        if (input == no() || (kept && (inputs[kept - 1] ^ 1) == input)) return no();
        inputs[kept++] = input;
    }
    inputs.resize(kept);
    if (kept < 2) return kept ? inputs[0] : yes();
    if (kept > WIDEST) {
        std::vector<Literal> rest(inputs.begin() + WIDEST / 2, inputs.end());
        inputs.resize(WIDEST / 2);
        inputs = {add(inputs), add(rest)};
        return add(inputs);
    }
    const std::uint32_t hash = hash_of(inputs);
    for (std::size_t at = hash;; ++at) {
        std::uint32_t &place = table_[at & (table_.size() - 1)];
        if (!place) {
            place = gates() + 1;
            const Literal literal = append(inputs);
            hashes_.back() = hash;
            if (2 * static_cast<std::size_t>(gates()) > table_.size()) grow(2 * table_.size());
            return literal;
        }
        const std::uint32_t gate = place - 1;
        if (hashes_[gate] == hash && offsets[gate + 1] - offsets[gate] == kept &&
            std::equal(inputs.begin(), inputs.end(), literals.begin() + offsets[gate]))
            return 2 * (first_gate_ + gate);
    }
}

Literal GatePool::append(const std::vector<Literal> &inputs) {
    literals.insert(literals.end(), inputs.begin(), inputs.end());
    offsets.push_back(static_cast<std::uint32_t>(literals.size()));
    hashes_.push_back(0);
    return 2 * (first_gate_ + gates() - 1);
}

void GatePool::grow(std::size_t size) {
    std::vector<std::uint32_t> old(size, 0);
    old.swap(table_);
    for (std::uint32_t entry : old) {
        if (!entry) continue;
        std::size_t at = hashes_[entry - 1];
        while (table_[at & (size - 1)]) ++at;
        table_[at & (size - 1)] = entry;
    }
}

}  // namespace ludorum
