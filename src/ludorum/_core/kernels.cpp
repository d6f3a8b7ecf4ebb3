// The compiled kernels of Ludorum: arithmetic only, no game logic and no I/O.

#include <cstdint>
#include <stdexcept>
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "common/arguments.hpp"
#include "common/bind.hpp"
#include "lanes/kernels.hpp"
#include "common/random.hpp"

namespace nb = nanobind;
using ludorum::SplitMix64;

namespace {

std::string compiler() {
#if defined(__clang__)
    return "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
           std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
    return "gcc " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
           std::to_string(__GNUC_PATCHLEVEL__);
#elif defined(_MSC_VER)
    return "msvc " + std::to_string(_MSC_VER);
#else
    return "unknown";
#endif
}

nb::dict build_info() {
    nb::dict info;
    info["compiler"] = compiler();
    info["cpp_standard"] = static_cast<long>(__cplusplus);
    info["pointer_bits"] = static_cast<int>(8 * sizeof(void *));
    return info;
}

}  // namespace

NB_MODULE(kernels, m) {
    m.doc() = "Compiled kernels; use them through ludorum._core.";
    // nanobind would report leaks that are none when a program ends while a daemon thread still plays.
    nb::set_leak_warnings(false);

    m.def("vector_width", &ludorum::usable_vector_bits,
          "Bits of the vectors that kernels use on this machine: 512, 256 or 128. LUDORUM_VECTORS may set a bound.");
    m.def("build_info", &build_info, "How this extension was built: compiler, cpp_standard, pointer_bits.");

    ludorum::bind_atom_reader(m);
    ludorum::bind_rule_collector(m);
    ludorum::bind_optimise(m);
    ludorum::bind_datalog(m);

    nb::class_<SplitMix64>(m, "SplitMix64", "A small seeded generator: same seed, same numbers, everywhere.")
        .def("__init__",
             [](SplitMix64 *self, const ludorum::Whole &seed) { new (self) SplitMix64(seed.as<std::uint64_t>("seed")); },
             nb::arg("seed"))
        .def("next", &SplitMix64::next, "The next 64 random bits, as an integer in 0..2**64-1.")
        .def(
            "below",
            [](SplitMix64 &self, const ludorum::Whole &n) { return self.below(n.in<std::uint64_t>("n", 1, UINT64_MAX)); },
            nb::arg("n"), "A uniform integer in 0..n-1, without modulo bias.")
        .def_prop_ro("state", &SplitMix64::state, "The whole state: SplitMix64(g.state) continues like g.")
        .def("__reduce__", [](nb::handle self) {
            return nb::make_tuple(self.type(), nb::make_tuple(self.attr("state")));
        });

    ludorum::bind_network(m);
    ludorum::bind_lanes(m);
    ludorum::bind_machine_code(m);
    ludorum::bind_single(m);
    ludorum::bind_row_index(m);
    ludorum::bind_mcts(m);
    ludorum::bind_evaluation(m);
    ludorum::bind_alphabeta(m);
    ludorum::bind_proof(m);
    ludorum::bind_nested_rollouts(m);
    ludorum::bind_equilibrium(m);
    ludorum::bind_information(m);
    ludorum::bind_cards(m);
    ludorum::bind_card_judge(m);
    ludorum::bind_card_chain(m);
}
