// Reads the atoms clingo knows after grounding into flat arrays: their literals and their terms, each subterm
// once. Through Python an atom costs some 30 µs, and large games have half a million. As with the rule
// collector we link against no clingo: the addresses of its functions are handed in (ludorum/asp/read_atoms.py).

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "common/bind.hpp"

namespace nb = nanobind;

namespace {

using Array = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;
using Symbol = std::uint64_t;
using Cursor = std::uint64_t;

constexpr int kNumber = 1, kFunction = 5;  // clingo_symbol_type_number, clingo_symbol_type_function

Array to_array(std::vector<std::int32_t> from) {
    auto *owned = new std::vector<std::int32_t>(std::move(from));
    nb::capsule owner(owned, [](void *p) noexcept { delete static_cast<std::vector<std::int32_t> *>(p); });
    return Array(owned->data(), {owned->size()}, owner);
}

class AtomReader {
  public:
    // Addresses in the order of FUNCTIONS in read_atoms.py.
    AtomReader(std::uintptr_t atoms, const std::vector<std::uintptr_t> &functions) : atoms_(reinterpret_cast<void *>(atoms)) {
        if (functions.size() != 10) throw std::invalid_argument("AtomReader needs the addresses of ten functions");
        auto at = [&](std::size_t i) { return reinterpret_cast<void *>(functions[i]); };
        begin_ = reinterpret_cast<decltype(begin_)>(at(0));
        next_ = reinterpret_cast<decltype(next_)>(at(1));
        is_valid_ = reinterpret_cast<decltype(is_valid_)>(at(2));
        symbol_ = reinterpret_cast<decltype(symbol_)>(at(3));
        literal_ = reinterpret_cast<decltype(literal_)>(at(4));
        is_fact_ = reinterpret_cast<decltype(is_fact_)>(at(5));
        type_ = reinterpret_cast<decltype(type_)>(at(6));
        number_ = reinterpret_cast<decltype(number_)>(at(7));
        name_ = reinterpret_cast<decltype(name_)>(at(8));
        arguments_ = reinterpret_cast<decltype(arguments_)>(at(9));
    }

    // Literal, root node and fact flag of each atom of a signature; the root gets the name it is given.
    nb::tuple read(std::uint64_t signature, const std::string &name) {
        std::vector<std::int32_t> literals, roots, facts;
        const std::int32_t head = name_number(name);
        Cursor at = 0;
        check(begin_(atoms_, &signature, &at));
        for (bool valid = true;;) {
            check(is_valid_(atoms_, at, &valid));
            if (!valid) break;
            Symbol symbol = 0;
            std::int32_t literal = 0;
            bool fact = false;
            check(symbol_(atoms_, at, &symbol) && literal_(atoms_, at, &literal) && is_fact_(atoms_, at, &fact));
            literals.push_back(literal);
            roots.push_back(add(symbol, head));
            facts.push_back(fact);
            check(next_(atoms_, at, &at));
        }
        return nb::make_tuple(to_array(std::move(literals)), to_array(std::move(roots)), to_array(std::move(facts)));
    }

    // Names, then for each node its name and where its arguments end, then all arguments.
    nb::tuple table() const {
        return nb::make_tuple(names_, to_array(symbols_), to_array(ends_), to_array(args_));
    }

  private:
    static void check(bool good) {
        if (!good) throw std::runtime_error("clingo could not read its own atoms");
    }

    std::int32_t name_number(const std::string &name) {
        auto [found, fresh] = name_numbers_.try_emplace(name, static_cast<std::int32_t>(names_.size()));
        if (fresh) names_.push_back(name);
        return found->second;
    }

    std::int32_t node(Symbol symbol) {
        auto found = nodes_.find(symbol);
        if (found != nodes_.end()) return found->second;
        std::int32_t made = 0;
        if (type_(symbol) == kNumber) {
            int number = 0;
            check(number_(symbol, &number));
            made = push(name_number(std::to_string(number)), {});
        } else {
            if (type_(symbol) != kFunction) throw std::runtime_error("an atom holds something that is no term");
            const char *name = nullptr;
            check(name_(symbol, &name));
            made = add(symbol, name_number(name));
        }
        nodes_.emplace(symbol, made);
        return made;
    }

    std::int32_t add(Symbol symbol, std::int32_t name) {
        const Symbol *below = nullptr;
        std::size_t count = 0;
        check(arguments_(symbol, &below, &count));
        std::vector<std::int32_t> args(count);
        for (std::size_t i = 0; i < count; ++i) args[i] = node(below[i]);
        return push(name, args);
    }

    std::int32_t push(std::int32_t name, const std::vector<std::int32_t> &args) {
        symbols_.push_back(name);
        args_.insert(args_.end(), args.begin(), args.end());
        ends_.push_back(static_cast<std::int32_t>(args_.size()));
        return static_cast<std::int32_t>(symbols_.size()) - 1;
    }

    void *atoms_;
    bool (*begin_)(void *, const std::uint64_t *, Cursor *);
    bool (*next_)(void *, Cursor, Cursor *);
    bool (*is_valid_)(void *, Cursor, bool *);
    bool (*symbol_)(void *, Cursor, Symbol *);
    bool (*literal_)(void *, Cursor, std::int32_t *);
    bool (*is_fact_)(void *, Cursor, bool *);
    int (*type_)(Symbol);
    bool (*number_)(Symbol, int *);
    bool (*name_)(Symbol, const char **);
    bool (*arguments_)(Symbol, const Symbol **, std::size_t *);
    std::unordered_map<Symbol, std::int32_t> nodes_;
    std::unordered_map<std::string, std::int32_t> name_numbers_;
    std::vector<std::string> names_;
    std::vector<std::int32_t> symbols_, ends_, args_;
};

}  // namespace

void ludorum::bind_atom_reader(nb::module_ &m) {
    nb::class_<AtomReader>(m, "AtomReader", "The atoms of a grounded clingo program as flat arrays.")
        .def(nb::init<std::uintptr_t, const std::vector<std::uintptr_t> &>(), nb::arg("atoms"), nb::arg("functions"))
        .def("read", &AtomReader::read, nb::arg("signature"), nb::arg("name"),
             "Literals, root nodes and fact flags of all atoms of a signature.")
        .def("table", &AtomReader::table, "Names, and each node's name, end of arguments, and all arguments.");
}
