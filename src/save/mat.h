// MAT files of MATLAB, version 5, which Octave and SciPy read, too.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::save {

struct MatField;
using MatStructure = std::vector<MatField>;

/// Numbers of two axes [column][row] (as MATLAB has them in memory), ASCII text, or a row of
/// structures with the same fields.
using MatValue = std::variant<Array<double>, std::string, std::vector<MatStructure>>;

struct MatField {
    std::string name;  ///< at most 31 letters, digits and _
    MatValue value;
};

MatValue mat_number(double value);
MatValue mat_row(std::vector<double> values);
MatValue mat_column(std::vector<double> values);
/// The rows one after the other; all as long.
MatValue mat_rows(std::vector<std::vector<double>> const& rows);

/// A file of one variable.
Status save_mat(std::string const& path, MatField const& variable);

}  // namespace sluice::save
