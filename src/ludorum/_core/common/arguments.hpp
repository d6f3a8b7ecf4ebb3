// Checks of the arguments of bound functions: a ValueError names the argument and the values it may have.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

namespace ludorum {

// A Python integer of any size: nanobind would refuse one that C++ cannot hold without its name or its bounds.
class Whole {
  public:
    Whole() = default;
    Whole(std::int64_t value) : value_(value) {}

    // The number, from `least` to `most`.
    template <class T>
    T in(const char *name, T least, T most) const {
        if (value_ < static_cast<Wide>(least) || value_ > static_cast<Wide>(most))
            throw std::invalid_argument(std::string(name) + " must be from " + std::to_string(least) + " to " +
                                        std::to_string(most) + ", not " + text());
        return static_cast<T>(value_);
    }
    // The number, with the bounds of its type.
    template <class T>
    T as(const char *name) const {
        return in<T>(name, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    }

    // Takes over a Python integer, or what can be an index; false for anything else. Numbers that no type of C++ can
    // hold become the nearest that is too large for all of them.
    bool take(nanobind::handle source) noexcept {
        PyObject *index = PyNumber_Index(source.ptr());
        if (!index) {
            PyErr_Clear();
            return false;
        }
        int beyond = 0;
        const long long small = PyLong_AsLongLongAndOverflow(index, &beyond);
        value_ = small;
        if (beyond < 0) value_ = -BEYOND;
        if (beyond > 0) {
            value_ = PyLong_AsUnsignedLongLong(index);
            if (PyErr_Occurred()) {
                PyErr_Clear();
                value_ = BEYOND;
            }
        }
        Py_DECREF(index);
        return true;
    }

  private:
    using Wide = __int128;
    static constexpr Wide BEYOND = Wide{1} << 64;

    std::string text() const {
        if (value_ == BEYOND) return "2**64 or more";
        if (value_ == -BEYOND) return "less than -2**63";
        return value_ < 0 ? std::to_string(static_cast<std::int64_t>(value_))
                          : std::to_string(static_cast<std::uint64_t>(value_));
    }

    Wide value_ = 0;
};

// As `Whole::in`, for what may be left out.
template <class T>
std::optional<T> in(const std::optional<Whole> &given, const char *name, T least, T most) {
    return given ? std::optional<T>(given->in<T>(name, least, most)) : std::nullopt;
}

// A number from `least` to `most`; "not a number" is none.
inline double number_in(double value, const char *name, double least = -std::numeric_limits<double>::max(),
                        double most = std::numeric_limits<double>::max()) {
    if (value >= least && value <= most) return value;
    auto text = [](double bound) {
        char written[32];
        std::snprintf(written, sizeof written, "%g", bound);
        return std::string(written);
    };
    throw std::invalid_argument(std::string(name) + " must be a number from " + text(least) + " to " + text(most) +
                                ", not " + text(value));
}

// Seconds for a search. The rest of a budget may be negative, which counts as 0; more than three years are cut to that,
// which clocks can still add.
inline std::optional<double> checked_seconds(std::optional<double> seconds) {
    constexpr double FOR_EVER = 1e8;
    if (!seconds) return seconds;
    if (std::isnan(*seconds)) throw std::invalid_argument("seconds must be a number, not nan");
    return std::clamp(*seconds, 0.0, FOR_EVER);
}

// The number of a role of a game that has so many.
inline std::uint32_t checked_role(const Whole &role, std::uint32_t roles) {
    if (!roles) throw std::invalid_argument("there is no such role: the game has none");
    return role.in<std::uint32_t>("there is no such role: it", 0, roles - 1);
}

// A flag for each of so many roles: whether it is among the given ones.
inline std::vector<char> flags_of(const char *name, const std::vector<Whole> &given, std::uint32_t roles) {
    std::vector<char> flags(roles, 0);
    if (!given.empty() && !roles) throw std::invalid_argument(std::string(name) + " must be empty: there is no role");
    for (const Whole &role : given) flags[role.in<std::uint32_t>(name, 0, roles - 1)] = 1;
    return flags;
}

constexpr std::uint32_t MOST_THREADS = 1024;  // each has memory of its own
constexpr std::size_t MOST_TABLE_BYTES = std::size_t{1} << 46;  // what processors of today can address, and a little less

}  // namespace ludorum

namespace nanobind::detail {

template <>
struct type_caster<ludorum::Whole> {
    NB_TYPE_CASTER(ludorum::Whole, const_name("int"))

    bool from_python(handle source, std::uint8_t, cleanup_list *) noexcept { return value.take(source); }
};

}  // namespace nanobind::detail
