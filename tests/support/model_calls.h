// For tests: values of the functions and tables of a model, without the run time.
#pragma once

#include <span>

#include "fmugen/equations/flat_model.h"

namespace fmugen::tests {

// Result number `result`; throws std::runtime_error for an external function that has not one result and
// up to three arguments.
double function_result(const equations::FlatModel& model, std::uint32_t function, std::uint32_t result,
                       std::span<const double> x);

// The interpolant or its derivative; throws std::runtime_error for cubic tables of two arguments.
double table_value(const equations::FlatModel& model, std::uint32_t table, std::span<const double> x);

}  // namespace fmugen::tests
