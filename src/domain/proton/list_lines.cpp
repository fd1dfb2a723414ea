// Lists as text: a header of columns and lines of values, between commas.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/list_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::proton {
namespace {

std::string_view without_blanks(std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r'))
        s.remove_suffix(1);
    return s;
}

}  // namespace

bool ListLines::next() {
    while (at_ < text_.size()) {
        std::size_t const end = std::min(text_.find('\n', at_), text_.size());
        line_ = without_blanks(text_.substr(at_, end - at_));
        at_ = end + 1;
        if (++number_ == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.remove_prefix(3);
        if (!line_.empty() && line_.front() != '#') return true;
    }
    return false;
}

std::vector<std::string_view> ListLines::fields() const {
    std::vector<std::string_view> out;
    for (std::size_t at = 0; at <= line_.size();) {
        std::size_t const comma = std::min(line_.find(',', at), line_.size());
        out.push_back(without_blanks(line_.substr(at, comma - at)));
        at = comma + 1;
    }
    return out;
}

Error ListLines::wrong(std::string const& text) const {
    return {Code::invalid_argument, fmt::format("line {}: {}", number_, text), name_};
}

}  // namespace sluice::proton
