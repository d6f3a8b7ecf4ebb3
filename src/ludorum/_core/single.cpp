#include "bind.hpp"
namespace ludorum { void bind_single(nanobind::module_ &) {} }
