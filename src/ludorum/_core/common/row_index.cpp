// RowIndex: rows of bytes numbered in the order in which they first appear; equal rows have one number.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <optional>
#include <stdexcept>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include "common/arguments.hpp"
#include "common/bind.hpp"

namespace nb = nanobind;

namespace ludorum {

namespace {

class RowIndex {
  public:
    explicit RowIndex(const Whole &bytes) : bytes_(bytes.in<std::size_t>("bytes", 0, MOST_BYTES)), table_(1024, EMPTY) {}
    RowIndex(const RowIndex &) = delete;

    using Rows = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
    using Numbers = nb::ndarray<nb::numpy, std::int64_t>;

    Numbers add(const Rows &rows) {
        const std::unique_lock lock(mutex_, std::try_to_lock);
        check(lock.owns_lock());
        return numbered(rows, [this](const std::uint8_t *row) { return number(row); });
    }

    Numbers find(const Rows &rows) const {
        const std::shared_lock lock(mutex_, std::try_to_lock);
        check(lock.owns_lock());
        return numbered(rows, [this](const std::uint8_t *row) {
            const std::uint32_t found = table_[place(row)];
            return found == EMPTY ? std::int64_t{-1} : std::int64_t{found};
        });
    }

    std::size_t size() const {
        const std::shared_lock lock(mutex_, std::try_to_lock);
        check(lock.owns_lock());
        return size_;
    }

    // A copy: the index is free to grow meanwhile.
    nb::ndarray<nb::numpy, std::uint8_t> rows(const Whole &given, const std::optional<Whole> &most) const {
        const std::shared_lock lock(mutex_, std::try_to_lock);
        check(lock.owns_lock());
        const auto first = given.in<std::size_t>("there are not so many rows: first", 0, size_);
        const std::size_t count = std::min(size_ - first, in<std::size_t>(most, "most", 0, SIZE_MAX).value_or(SIZE_MAX));
        auto *copy = new std::vector<std::uint8_t>(count * bytes_);
        nb::capsule owner(copy, [](void *data) noexcept { delete static_cast<std::vector<std::uint8_t> *>(data); });
        for (std::size_t at = 0; at < count;) {
            const std::size_t run = std::min(count - at, BLOCK - (first + at) % BLOCK);
            std::copy_n(row(first + at), run * bytes_, copy->data() + at * bytes_);
            at += run;
        }
        return {copy->data(), {count, bytes_}, owner};
    }

  private:
    static constexpr std::uint32_t EMPTY = UINT32_MAX;
    static constexpr std::size_t BLOCK = 1 << 14;  // rows; they stay where they are when the index grows

    static constexpr std::size_t MOST_BYTES = std::size_t{1} << 30;  // of a row

    // A thread that has the interpreter's lock does not wait for one that may need it.
    static void check(bool alone) {
        if (!alone) throw std::runtime_error("another thread adds rows to this index or reads it: one at a time");
    }

    template <class Number>
    Numbers numbered(const Rows &rows, Number number) const {
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

    const std::uint8_t *row(std::size_t number) const { return blocks_[number / BLOCK].get() + number % BLOCK * bytes_; }

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

    // Where the number of a row is, or will be.
    std::size_t place(const std::uint8_t *wanted) const {
        const std::size_t mask = table_.size() - 1;
        std::size_t at = hash(wanted) & mask;
        while (table_[at] != EMPTY && !std::equal(wanted, wanted + bytes_, row(table_[at]))) at = (at + 1) & mask;
        return at;
    }

    std::int64_t number(const std::uint8_t *added) {
        const std::size_t at = place(added);
        if (table_[at] != EMPTY) return table_[at];
        if (size_ >= EMPTY - 1) throw std::length_error("too many rows for one index");
        if (size_ % BLOCK == 0) blocks_.emplace_back(new std::uint8_t[BLOCK * bytes_]);
        std::copy_n(added, bytes_, blocks_.back().get() + size_ % BLOCK * bytes_);
        const auto number = static_cast<std::uint32_t>(size_++);
        table_[at] = number;
        if (2 * size_ > table_.size()) grow();
        return number;
    }

    void grow() {
        std::vector<std::uint32_t>(2 * table_.size(), EMPTY).swap(table_);
        const std::size_t mask = table_.size() - 1;
        for (std::uint32_t number = 0; number < size_; ++number) {
            std::size_t at = hash(row(number)) & mask;
            while (table_[at] != EMPTY) at = (at + 1) & mask;
            table_[at] = number;
        }
    }

    std::size_t bytes_, size_ = 0;
    std::vector<std::uint32_t> table_;
    std::vector<std::unique_ptr<std::uint8_t[]>> blocks_;
    mutable std::shared_mutex mutex_;  // readers may be many
};

}  // namespace

void bind_row_index(nb::module_ &m) {
    nb::class_<RowIndex>(m, "RowIndex", "Rows of bytes, numbered as they first appear; equal rows have one number.")
        .def(nb::init<const Whole &>(), nb::arg("bytes"))
        .def("add", &RowIndex::add, nb::arg("rows"), "The number of each row; new rows get the next numbers.")
        .def("find", &RowIndex::find, nb::arg("rows"), "The number of each row; -1 for rows that are not there.")
        .def("rows", &RowIndex::rows, nb::arg("first") = 0, nb::arg("most") = nb::none(),
             "The rows from a number on, so many at most, without repetitions.")
        .def("__len__", &RowIndex::size);
}

}  // namespace ludorum
