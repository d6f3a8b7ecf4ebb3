// Takes ground rules from clingo as it makes them. clingo calls back once a rule, through its C interface; a
// Python callback costs some 5 µs and 36 bytes a number, this one next to nothing. We link against no clingo:
// ludorum/asp/observe_rules.py hands it the address of `on_rule`.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "common/bind.hpp"

namespace nb = nanobind;

namespace {

using Array = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;

struct RuleCollector {
    std::uint64_t most_rules;
    std::uint64_t rules = 0;
    std::vector<std::int32_t> heads, ends, body, inputs;

    explicit RuleCollector(std::uint64_t most) : most_rules(most) {}

    // The signature of clingo_ground_program_observer_t::rule. False tells clingo to stop.
    static bool on_rule(bool choice, const std::uint32_t *head, std::size_t head_size, const std::int32_t *literals,
                        std::size_t size, void *data) noexcept {
        auto &self = *static_cast<RuleCollector *>(data);
        if (self.rules == self.most_rules) return false;
        ++self.rules;
        try {
            if (choice) {
                self.inputs.insert(self.inputs.end(), head, head + head_size);
                return true;
            }
            if (head_size != 1) return false;  // no rule of ours is a disjunction or a constraint
            self.heads.push_back(static_cast<std::int32_t>(*head));
            self.body.insert(self.body.end(), literals, literals + size);
            self.ends.push_back(static_cast<std::int32_t>(self.body.size()));
            return true;
        } catch (const std::exception &) {  // out of memory
            return false;
        }
    }

    static Array take(std::vector<std::int32_t> &from) {
        auto *owned = new std::vector<std::int32_t>(std::move(from));
        from.clear();
        nb::capsule owner(owned, [](void *p) noexcept { delete static_cast<std::vector<std::int32_t> *>(p); });
        return Array(owned->data(), {owned->size()}, owner);
    }
};

}  // namespace

void ludorum::bind_rule_collector(nb::module_ &m) {
    nb::class_<RuleCollector>(m, "RuleCollector", "Ground rules as clingo gives them, kept as flat arrays.")
        .def(nb::init<std::uint64_t>(), nb::arg("most_rules") = UINT64_MAX)
        .def_prop_ro("is_full", [](RuleCollector &self) { return self.rules == self.most_rules; },
                     "Whether as many rules have come as it takes: with the next one, clingo is told to stop.")
        .def_prop_ro("callback", [](RuleCollector &) { return reinterpret_cast<std::uintptr_t>(&RuleCollector::on_rule); },
                     "The address of the function to be called for each rule.")
        .def_prop_ro("data", [](RuleCollector &self) { return reinterpret_cast<std::uintptr_t>(&self); },
                     "The address to be passed along with each call; valid while this object lives.")
        .def("take", [](RuleCollector &self) {
            return nb::make_tuple(RuleCollector::take(self.heads), RuleCollector::take(self.ends),
                                  RuleCollector::take(self.body), RuleCollector::take(self.inputs));
        }, "Heads, where each body ends, all bodies as signed atoms, and the heads of choice rules.");
}
