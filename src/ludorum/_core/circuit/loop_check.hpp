// Whether the loops of a circuit can be evaluated: they are, again and again, until nothing changes.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ludorum {

// Gates of a loop begin false and are evaluated in their order. That comes to an end where gates that are read before
// they are evaluated can only become true: on each way from such a gate to another (or back to itself) an even number
// of negations. `Offset` and `Number` are the integers in which a circuit is written, literals as 2 * node + negation.
template <class Number>
class LoopCheck {
  public:
    LoopCheck(std::int64_t first_gate, std::span<const Number> offsets, std::span<const Number> literals)
        : first_gate_(first_gate), offsets_(offsets), literals_(literals) {}

    // The gates from `first` to `last`, which must be there.
    bool ends(std::int64_t first, std::int64_t last) {
        first_ = first;
        size_ = last - first + 1;
        find_circles();
        sign_.assign(static_cast<std::size_t>(size_), UNKNOWN);
        for (std::int64_t gate = 0; gate < size_; ++gate)
            if (!each_inner(gate, [&](std::int64_t inner, int) { return inner < gate || take(inner, 0); })) return false;
        while (!todo_.empty()) {
            const std::int64_t gate = todo_.back();
            todo_.pop_back();
            for (const auto &[reader, negated] : readers_[static_cast<std::size_t>(gate)])
                if (!take(reader, sign_[static_cast<std::size_t>(gate)] ^ negated)) return false;
        }
        return true;
    }

  private:
    static constexpr int UNKNOWN = -1;

    // Visits the gates of the same circle that a gate reads, until `visit` says no.
    template <class Visit>
    bool each_inner(std::int64_t gate, Visit visit) const {
        const auto at = static_cast<std::size_t>(first_ + gate);
        for (auto place = static_cast<std::size_t>(offsets_[at]); place < static_cast<std::size_t>(offsets_[at + 1]); ++place) {
            const std::int64_t inner = static_cast<std::int64_t>(literals_[place] >> 1) - first_gate_ - first_;
            if (inner < 0 || inner >= size_) continue;
            if (!circle_.empty() && circle_[static_cast<std::size_t>(inner)] != circle_[static_cast<std::size_t>(gate)]) continue;
            if (!visit(inner, static_cast<int>(literals_[place] & 1))) return false;
        }
        return true;
    }

    bool take(std::int64_t gate, int sign) {
        int &known = sign_[static_cast<std::size_t>(gate)];
        if (known != UNKNOWN) return known == sign;
        known = sign;
        todo_.push_back(gate);
        return true;
    }

    // Gates that can reach each other have the same number (Kosaraju's components, without recursion).
    void find_circles() {
        const auto size = static_cast<std::size_t>(size_);
        circle_.clear();
        readers_.assign(size, {});
        std::vector<std::vector<std::int64_t>> read(size);
        for (std::int64_t gate = 0; gate < size_; ++gate)
            each_inner(gate, [&](std::int64_t inner, int negated) {
                readers_[static_cast<std::size_t>(inner)].push_back({gate, negated});
                read[static_cast<std::size_t>(gate)].push_back(inner);
                return true;
            });
        std::vector<char> met(size, 0);
        std::vector<std::int64_t> finished;
        std::vector<std::pair<std::int64_t, std::size_t>> path;
        for (std::int64_t root = 0; root < size_; ++root) {
            if (met[static_cast<std::size_t>(root)]) continue;
            met[static_cast<std::size_t>(root)] = 1;
            path.push_back({root, 0});
            while (!path.empty()) {
                auto &[gate, next] = path.back();
                const auto &below = read[static_cast<std::size_t>(gate)];
                if (next == below.size()) {
                    finished.push_back(gate);
                    path.pop_back();
                } else if (const std::int64_t inner = below[next++]; !met[static_cast<std::size_t>(inner)]) {
                    met[static_cast<std::size_t>(inner)] = 1;
                    path.push_back({inner, 0});
                }
            }
        }
        std::vector<std::int64_t> circle(size, -1);
        std::vector<std::int64_t> open;
        for (std::size_t at = finished.size(); at-- > 0;) {
            if (circle[static_cast<std::size_t>(finished[at])] >= 0) continue;
            open.push_back(finished[at]);
            circle[static_cast<std::size_t>(finished[at])] = finished[at];
            while (!open.empty()) {
                const std::int64_t gate = open.back();
                open.pop_back();
                for (const auto &[reader, negated] : readers_[static_cast<std::size_t>(gate)])
                    if (circle[static_cast<std::size_t>(reader)] < 0) {
                        circle[static_cast<std::size_t>(reader)] = finished[at];
                        open.push_back(reader);
                    }
            }
        }
        circle_ = std::move(circle);
        for (std::int64_t gate = 0; gate < size_; ++gate)
            std::erase_if(readers_[static_cast<std::size_t>(gate)], [&](const auto &reader) {
                return circle_[static_cast<std::size_t>(reader.first)] != circle_[static_cast<std::size_t>(gate)];
            });
    }

    std::int64_t first_gate_, first_ = 0, size_ = 0;
    std::span<const Number> offsets_, literals_;
    std::vector<std::int64_t> circle_;  // by gate of the loop; empty until it is known
    std::vector<std::vector<std::pair<std::int64_t, int>>> readers_;
    std::vector<int> sign_;  // whether a gate becomes true (0) or false (1) as those that are read early become true
    std::vector<std::int64_t> todo_;
};

}  // namespace ludorum
