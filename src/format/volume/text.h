// Lines and numbers of headers that are text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::volume {

/// A text line by line, without what ends the lines.
class Lines {
  public:
    explicit Lines(std::string_view text) : text_(text) {}
    /// The next line; none at the end.
    std::optional<std::string_view> next();
    std::size_t at() const { return at_; }  ///< bytes up to the next line
    int number() const { return number_; }  ///< of the last line
    /// An error in the last line.
    Error wrong(std::string_view text, Code code = Code::corrupt) const;

  private:
    std::string_view text_;
    std::size_t at_ = 0;
    int number_ = 0;
};

std::string_view trimmed(std::string_view text);
std::string lower(std::string_view text);
std::vector<std::string_view> words(std::string_view text);
/// Numbers with spaces between; empty where a word is not a finite number.
std::optional<std::vector<double>> numbers(std::string_view text);
std::optional<std::vector<index>> integers(std::string_view text);

}  // namespace sluice::volume
