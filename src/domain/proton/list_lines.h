// Lists as text: a header of columns and lines of values, between commas.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::proton {

/// Reads the lines one after the other; errors have the line's number.
class ListLines {
  public:
    ListLines(std::string_view text, std::string const& name) : text_(text), name_(name) {}

    /// Moves to the next line that is neither empty nor begins with #.
    bool next();
    /// Of the line, without blanks around them. A mark of byte order belongs to no field.
    std::vector<std::string_view> fields() const;
    Error wrong(std::string const& text) const;
    /// As much of a field as an error shows.
    static std::string_view shown(std::string_view field) { return field.substr(0, 60); }

  private:
    std::string_view text_;
    std::string const& name_;
    std::size_t at_ = 0;
    index number_ = 0;
    std::string_view line_;
};

}  // namespace sluice::proton
