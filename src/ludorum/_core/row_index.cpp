// RowIndex: rows of bytes numbered in the order in which they first appear; equal rows have one number.

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <nanobind/ndarray.h>

#include "bind.hpp"

namespace nb = nanobind;

namespace ludorum {

namespace {

class RowIndex {
  public:
    explicit RowIndex(std::size_t bytes) : bytes_(bytes), table_(1024, EMPTY) {}

    nb::ndarray<nb::numpy, std::int64_t> add(
        nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> rows) {
        if (rows.shape(1) != bytes_) throw std::invalid_argument("rows of another length than the index has");
        const std::size_t count = rows.shape(0);
        auto *numbers = new std::vector<std::int64_t>(count);
        nb::capsule owner(numbers, [](void *data) noexcept { delete static_cast<std::vector<std::int64_t> *>(data); });
        {
            nb::gil_scoped_release release;
            for (std::size_t row = 0; row < count; ++row) (*numbers)[row] = number(rows.data() + row * bytes_);
        }
        return {numbers->data(), {count}, owner};
    }

    std::size_t size() const { return hashes_.size(); }

    // A copy: the rows move when the index grows.
    nb::ndarray<nb::numpy, std::uint8_t> rows(std::size_t first) const {
        if (first > size()) throw std::invalid_argument("there are not so many rows");
        auto *copy = new std::vector<std::uint8_t>(rows_.begin() + static_cast<std::ptrdiff_t>(first * bytes_), rows_.end());
        nb::capsule owner(copy, [](void *data) noexcept { delete static_cast<std::vector<std::uint8_t> *>(data); });
        return {copy->data(), {size() - first, bytes_}, owner};
    }

  private:
    static constexpr std::uint32_t EMPTY = UINT32_MAX;

    // Eight bytes at a time through the finaliser of SplitMix64: packed states differ in few bits.
    std::uint64_t hash(const std::uint8_t *row) const {
        std::uint64_t value = bytes_;
        for (std::size_t at = 0; at < bytes_; at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, row + at, bytes_ - at < 8 ? bytes_ - at : 8);
            value = (value ^ word) + 0x9E3779B97F4A7C15ull;
            value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ull;
            value = (value ^ (value >> 27)) * 0x94D049BB133111EBull;
            value ^= value >> 31;
        }
        return value;
    }

    std::int64_t number(const std::uint8_t *row) {
        const std::uint64_t key = hash(row);
        const std::size_t mask = table_.size() - 1;
        std::size_t at = key & mask;
        for (; table_[at] != EMPTY; at = (at + 1) & mask)
            if (hashes_[table_[at]] == key && std::memcmp(rows_.data() + table_[at] * bytes_, row, bytes_) == 0)
                return table_[at];
        if (size() >= EMPTY - 1) throw std::length_error("too many rows for one index");
        table_[at] = static_cast<std::uint32_t>(size());
        hashes_.push_back(key);
        rows_.insert(rows_.end(), row, row + bytes_);
        if (2 * size() > table_.size()) grow();
        return static_cast<std::int64_t>(size()) - 1;
    }

    void grow() {
        std::vector<std::uint32_t> larger(2 * table_.size(), EMPTY);
        const std::size_t mask = larger.size() - 1;
        for (std::uint32_t row = 0; row < size(); ++row) {
            std::size_t at = hashes_[row] & mask;
            while (larger[at] != EMPTY) at = (at + 1) & mask;
            larger[at] = row;
        }
        table_.swap(larger);
    }

    std::size_t bytes_;
    std::vector<std::uint32_t> table_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint8_t> rows_;
};

}  // namespace

void bind_row_index(nb::module_ &m) {
    nb::class_<RowIndex>(m, "RowIndex", "Rows of bytes, numbered as they first appear; equal rows have one number.")
        .def(nb::init<std::size_t>(), nb::arg("bytes"))
        .def("add", &RowIndex::add, nb::arg("rows"), "The number of each row; new rows get the next numbers.")
        .def("rows", &RowIndex::rows, nb::arg("first") = 0, "The rows from a number on, without repetitions.")
        .def("__len__", &RowIndex::size);
}

}  // namespace ludorum
