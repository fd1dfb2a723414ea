// The lines of MCsquare's beam models.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/machine/bdl_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sluice::proton {
namespace {

bool is_blank_in_bdl(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace

std::string_view bdl_trimmed(std::string_view s) {
    while (!s.empty() && is_blank_in_bdl(s.back())) s.remove_suffix(1);
    while (!s.empty() && is_blank_in_bdl(s.front())) s.remove_prefix(1);
    return s;
}

bool BdlLines::next() {
    if (held_) {
        held_ = false;
        return true;
    }
    while (at_ < text_.size()) {
        std::size_t const end = std::min(text_.find('\n', at_), text_.size());
        std::string_view const whole = text_.substr(at_, end - at_);
        at_ = end + 1;
        ++number_;
        line_ = bdl_trimmed(whole.substr(0, whole.find('#')));
        if (!line_.empty()) return true;
    }
    return false;
}

std::vector<std::string_view> BdlLines::words() const {
    std::vector<std::string_view> out;
    for (std::size_t at = 0; at < line_.size();) {
        std::size_t end = at;
        while (end < line_.size() && !is_blank_in_bdl(line_[end])) ++end;
        if (end > at) out.push_back(line_.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

Error BdlLines::wrong(std::string const& text) const {
    return {Code::invalid_argument, fmt::format("line {}: {}", number_, text), name_};
}

Result<double> BdlLines::number(std::string_view text, std::string_view of) const {
    double value = 0;
    std::string_view const digits = text.substr(text.starts_with('+') ? 1 : 0);
    auto const [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failed != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
        return wrong(fmt::format("'{}' is not a number for {}", text.substr(0, 60), of));
    return value;
}

}  // namespace sluice::proton
