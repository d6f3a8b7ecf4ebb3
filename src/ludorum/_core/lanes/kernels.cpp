// The lane kernels for every instruction set of this kind of machine, and the choice among them at run time.

#include "lanes/kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define LUDORUM_X86 1
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// Picking a vector apart would send it through memory.
#if defined(__x86_64__) && defined(__GNUC__)
#define ANY_128(v) (_mm_movemask_epi8(_mm_cmpeq_epi8((__m128i)(v), _mm_setzero_si128())) != 0xFFFF)
#elif defined(__aarch64__)
#define ANY_128(v) (vmaxvq_u32((uint32x4_t)(v)) != 0)
#else
#define ANY_128(v) (((v)[0] | (v)[1]) != 0)
#endif

namespace ludorum {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors are passed between inlined functions only

namespace baseline {
#define VECTOR_BYTES 16
#include "lanes/kernel_body.hpp"
#undef VECTOR_BYTES
}  // namespace baseline

#if LUDORUM_X86

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,popcnt")
#endif
namespace avx2 {
typedef long long Quads __attribute__((vector_size(32)));
#define VECTOR_BYTES 32
#include "lanes/kernel_body.hpp"
#undef VECTOR_BYTES
}  // namespace avx2
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,popcnt"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,popcnt")
#endif
namespace avx512 {
#define VECTOR_BYTES 64
#define ANY_512(v) (_mm512_test_epi64_mask((__m512i)(v), (__m512i)(v)) != 0)
#define TABLE_512(a, b, c, table) ((V)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), table))
#include "lanes/kernel_body.hpp"
#undef VECTOR_BYTES
}  // namespace avx512
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif  // LUDORUM_X86

#pragma GCC diagnostic pop

namespace {

// Bits of the widest vectors of this processor that kernels are written for.
std::uint32_t vector_bits_of_machine() {
#if LUDORUM_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return 512;
    if (__builtin_cpu_supports("avx2")) return 256;
#endif
    return 128;
}

// The number that an environment variable holds, one of `allowed`, or `otherwise` where it is not set.
std::uint32_t read_variable(const char *name, const std::vector<std::uint32_t> &allowed, std::uint32_t otherwise) {
    const char *text = std::getenv(name);
    if (!text || !*text) return otherwise;
    std::string choices;
    for (std::uint32_t value : allowed) {
        if (std::to_string(value) == text) return value;
        choices += (choices.empty() ? "" : ", ") + std::to_string(value);
    }
    throw std::invalid_argument(std::string(name) + " is " + text + "; it must be one of " + choices);
}

std::vector<LaneKernels> all_kernels() {
    std::vector<LaneKernels> found;
    std::vector<bool> with_code{false};
    if (read_variable("LUDORUM_MACHINE_CODE", {0, 1}, 1)) with_code.insert(with_code.begin(), true);
#if LUDORUM_X86
    const std::uint32_t bits = usable_vector_bits();
    for (bool native : with_code)
        if (bits >= 512) found.push_back(avx512::Kernel<1>::table("avx512", native));
    for (bool native : with_code)
        if (bits >= 256) {
            found.push_back(avx2::Kernel<2>::table("avx2", native));
            found.push_back(avx2::Kernel<1>::table("avx2", native));
        }
#endif
    auto add_baseline = [&](bool native) {
        found.push_back(baseline::Kernel<4>::table("baseline", native));
        found.push_back(baseline::Kernel<2>::table("baseline", native));
        found.push_back(baseline::Kernel<1>::table("baseline", native));
        found.push_back(baseline::Kernel<8>::table("baseline", native));
    };
#if defined(__aarch64__)
    for (bool native : with_code) add_baseline(native);
#else
    add_baseline(false);  // other machines of 128 bits have no writer
#endif
    return found;
}

}  // namespace

std::uint32_t usable_vector_bits() {
    return std::min(vector_bits_of_machine(), read_variable("LUDORUM_VECTORS", {512, 256, 128}, 512));
}

const LaneKernels *find_kernels(std::uint32_t lanes, const std::string &instruction_set, bool native) {
    static const std::vector<LaneKernels> kernels = all_kernels();
    for (const LaneKernels &one : kernels)
        if ((native || !one.native) && (lanes == 0 || one.lanes == lanes) &&
            (instruction_set.empty() || instruction_set == one.name))
            return &one;
    return nullptr;
}

}  // namespace ludorum
