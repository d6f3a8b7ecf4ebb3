// Machine code of gates for any machine, to be read and not to be run: tests compare what it does with what it should.

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lanes/aarch64.hpp"
#include "common/bind.hpp"
#include "lanes/basic_block_writer.hpp"
#include "lanes/x86_64.hpp"

namespace nb = nanobind;

namespace ludorum {

namespace {

// A kind, and terms: numbers of earlier values, times two, plus a sign; for an input the offset of its slot.
using GivenValue = std::tuple<std::string, std::vector<std::uint32_t>>;
// A term and the offset of the slot that is given its value.
using GivenOutput = std::pair<std::uint32_t, std::uint32_t>;

Term made_term(const std::vector<Term> &made, std::uint32_t term) {
    if (term / 2 >= made.size()) throw std::invalid_argument("term " + std::to_string(term) + " is of no earlier value");
    if (is_constant(made[term / 2])) throw std::invalid_argument("term " + std::to_string(term) + " is a constant");
    return made[term / 2] ^ (term & 1);
}

Term make_value(BasicBlock &block, const std::vector<Term> &made, const GivenValue &given) {
    const auto &[kind, numbers] = given;
    auto need = [&, size = numbers.size()](std::size_t least, std::size_t most) {
        if (size < least || size > most) throw std::invalid_argument(kind + " has " + std::to_string(size) + " terms");
    };
    if (kind == "input") {
        need(1, 1);
        return block.input(numbers[0]);
    }
    std::vector<Term> terms;
    for (std::uint32_t number : numbers) terms.push_back(made_term(made, number));
    if (kind == "all" || kind == "not all") {
        need(1, SIZE_MAX);
        return add_gate(block, terms, kind == "not all");
    }
    if (kind == "unequal") {
        need(2, 2);
        return block.unequal(terms[0], terms[1]);
    }
    if (kind == "choice") {
        need(3, 3);
        return block.choose(terms[0], terms[1], terms[2]);
    }
    throw std::invalid_argument("no such kind of value: " + kind);
}

template <class Machine>
nb::object write(const std::vector<GivenValue> &values, const std::vector<GivenOutput> &outputs) {
    BasicBlock block;
    block.chooses = Machine::CHOOSES;
    std::vector<Term> made;
    for (const GivenValue &value : values) made.push_back(make_value(block, made, value));
    for (const auto &[number, offset] : outputs) {
        const Term term = made_term(made, number);
        // A value of its own waits for those that read what the slot has held.
        block.put(block.reads(offset) ? block.add(BasicBlock::ALL, {term}) : term, offset);
    }
    Machine code;
    if (!write_basic_block(block, code)) return nb::none();
    return nb::bytes(code.bytes.data(), code.bytes.size());
}

nb::object write_machine_code(const std::string &machine, const std::vector<GivenValue> &values,
                              const std::vector<GivenOutput> &outputs) {
    if (machine == "aarch64") return write<Aarch64>(values, outputs);
    if (machine == "avx2") return write<Avx2>(values, outputs);
    if (machine == "avx512") return write<Avx512>(values, outputs);
    throw std::invalid_argument("no such machine: " + machine);
}

}  // namespace

void bind_machine_code(nb::module_ &m) {
    m.def("write_machine_code", &write_machine_code, nb::arg("machine"), nb::arg("values"), nb::arg("outputs"),
          "A function for aarch64, avx2 or avx512 that reads slots, makes values of them and writes some to slots, column\n"
          "by column of vectors; None where it has more slots or values than its instructions reach. A value is its kind\n"
          "('input', 'all', 'not all', 'unequal' or 'choice') and its terms: numbers of earlier values, times two, plus\n"
          "one for their opposites; of an input the offset of its slot. An output is a term and the offset of a slot.");
}

}  // namespace ludorum
