// The report of a benchmark as a table for people.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/report.h"

namespace sluice::bench {

/// A column that only this benchmark has. Where all its cells are empty it is left out.
struct Column {
    std::string title;
    std::function<std::string(Measured const&)> cell;
};

/// How a benchmark wants its table.
struct Layout {
    std::string item = "item";  ///< what a round has several of
    std::string head = {};      ///< above the names
    std::vector<Column> columns = {};
    /// What stands above a contest's rows; empty: its name.
    std::function<std::string(Measured const&)> title = {};
    std::string heading = {};  ///< lines under the machine's; end with a line break
    std::string legend = {};   ///< explains the columns; ends with a line break
};

/// Machine, one table for each contest, notes, findings and the recommendation.
std::string table(Report const& report, Layout const& layout);

/// With the digits that mean something.
std::string milliseconds(double s);

}  // namespace sluice::bench
