// The lines of MCsquare's beam models.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::proton {

/// Lines without what follows a # and without blanks around them; empty ones are left out.
class BdlLines {
  public:
    BdlLines(std::string_view text, std::string const& name) : text_(text), name_(name) {}

    bool next();
    /// The same line comes again.
    void hold() { held_ = true; }
    std::string_view line() const { return line_; }
    /// What stands between blanks.
    std::vector<std::string_view> words() const;
    Error wrong(std::string const& text) const;
    /// `of` is what errors call it.
    Result<double> number(std::string_view text, std::string_view of) const;

  private:
    std::string_view text_;
    std::string const& name_;
    std::size_t at_ = 0;
    index number_ = 0;
    std::string_view line_;
    bool held_ = false;
};

/// Without blanks around it.
std::string_view bdl_trimmed(std::string_view text);

}  // namespace sluice::proton
