// Fluent literals that, once they hold, hold for ever.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "circuit/order.hpp"

namespace ludorum {

// `next` has a literal for each fluent, and fluents are the first nodes. Sorted.
std::vector<std::int32_t> find_latches(const OrderView &circuit, std::span<const std::int32_t> next,
                                       const std::function<void()> &poll);

}  // namespace ludorum
