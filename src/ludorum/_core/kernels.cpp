// The compiled kernels of Ludorum: arithmetic only, no game logic and no I/O.

#include <cstdint>
#include <stdexcept>
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bind.hpp"
#include "random.hpp"

namespace nb = nanobind;
using ludorum::SplitMix64;

namespace {

// Bits of the widest vector unit this CPU offers, asked at run time: one wheel serves every machine.
int vector_width() {
#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))
    __builtin_cpu_init();
    // Lane kernels need byte and word operations as well, hence BW and not the foundation alone.
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) return 512;
    if (__builtin_cpu_supports("avx2")) return 256;
    if (__builtin_cpu_supports("sse2")) return 128;
    return 64;
#elif defined(_M_X64) || defined(__aarch64__) || defined(_M_ARM64) || defined(__ARM_NEON)
    return 128;
#else
    return 64;
#endif
}

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
    // A program that ends while a daemon thread still plays would be told of leaks that are none.
    nb::set_leak_warnings(false);

    m.def("vector_width", &vector_width, "Bits of the widest vector unit of this CPU: 512, 256, 128 or 64.");
    m.def("build_info", &build_info, "How this extension was built: compiler, cpp_standard, pointer_bits.");

    ludorum::bind_atom_reader(m);
    ludorum::bind_rule_collector(m);
    ludorum::bind_optimise(m);
    ludorum::bind_datalog(m);

    nb::class_<SplitMix64>(m, "SplitMix64", "A small seeded generator: same seed, same numbers, everywhere.")
        .def(nb::init<std::uint64_t>(), nb::arg("seed"))
        .def("next", &SplitMix64::next, "The next 64 random bits, as an integer in 0..2**64-1.")
        .def(
            "below",
            [](SplitMix64 &self, nb::int_ n) {
                // Taken as a Python integer so that 0 and -3 get a readable ValueError, not a cast error.
                if (n < nb::int_(1)) throw nb::value_error("below(n) needs n >= 1");
                if (n > nb::int_(UINT64_MAX)) throw nb::value_error("below(n) needs n < 2**64");
                return self.below(nb::cast<std::uint64_t>(n));
            },
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
    ludorum::bind_alphabeta(m);
    ludorum::bind_proof(m);
    ludorum::bind_nested_rollouts(m);
    ludorum::bind_cards(m);
    ludorum::bind_card_judge(m);
    ludorum::bind_card_chain(m);
}
