// Texts and numbers out of elements.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

namespace sluice::dicom {
namespace {

std::string_view without_spaces(std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\0')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\0')) s.remove_suffix(1);
    return s;
}

// A decimal string (PS3.5 6.2) may begin with a plus.
std::optional<double> number_of(std::string_view s) {
    s = without_spaces(s);
    if (s.starts_with('+')) s.remove_prefix(1);
    double value = 0;
    auto const [end, failed] = std::from_chars(s.data(), s.data() + s.size(), value);
    if (failed != std::errc() || end != s.data() + s.size() || !std::isfinite(value)) return {};
    return value;
}

}  // namespace

bool Values::has(Tag tag) const {
    Element const* const e = dataset_->find(tag);
    return e && (!e->numbers.empty() || !e->items.empty() || !without_spaces(e->text).empty());
}

std::string Values::text(Tag tag) const {
    Element const* const e = dataset_->find(tag);
    return e ? std::string(without_spaces(e->text)) : std::string();
}

Result<std::string> Values::needed_text(Tag tag) const {
    if (!has(tag)) return missing(tag);
    return text(tag);
}

Result<std::vector<double>> Values::numbers(Tag tag) const {
    Element const* const e = dataset_->find(tag);
    if (!e) return std::vector<double>();
    std::vector<double> out = e->numbers;
    std::string_view rest = without_spaces(e->text);
    while (!rest.empty()) {
        std::size_t const end = std::min(rest.find('\\'), rest.size());
        auto const value = number_of(rest.substr(0, end));
        if (!value)
            return error(fmt::format("{}: '{}' is no number; write the file again", name_of(tag),
                                     rest.substr(0, std::min<std::size_t>(end, 40))));
        out.push_back(*value);
        if (end + 1 == rest.size()) return wrong(tag, "a value is missing at its end");
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!std::ranges::all_of(out, [](double v) { return std::isfinite(v); }))
        return error(
            fmt::format("{} has values that are not numbers; write the file again", name_of(tag)));
    return out;
}

Result<std::optional<double>> Values::number(Tag tag) const {
    SLUICE_TRY(auto const all, numbers(tag));
    if (all.empty()) return std::optional<double>();
    if (all.size() > 1) return wrong(tag, "one number belongs there");
    return std::optional(all[0]);
}

Result<double> Values::needed_number(Tag tag) const {
    SLUICE_TRY(auto const value, number(tag));
    if (!value) return missing(tag);
    return *value;
}

Result<int> Values::needed_whole(Tag tag, int least, int most) const {
    SLUICE_TRY(double const value, needed_number(tag));
    if (value != std::round(value) || value < least || value > most)
        return wrong(tag, fmt::format("a whole number from {} to {} belongs there", least, most));
    return static_cast<int>(value);
}

Result<std::vector<double>> Values::needed_list(Tag tag, std::size_t count) const {
    SLUICE_TRY(auto all, numbers(tag));
    if (all.empty()) return missing(tag);
    if (all.size() != count) return wrong(tag, fmt::format("{} numbers belong there", count));
    return all;
}

std::vector<Values> Values::items(Tag tag, std::string_view name) const {
    std::vector<Values> out;
    Element const* const e = dataset_->find(tag);
    for (std::size_t i = 0; e && i < e->items.size(); ++i)
        out.emplace_back(e->items[i], file_, fmt::format("{}{} {}: ", where_, name, i + 1));
    return out;
}

Error Values::wrong(Tag tag, std::string_view why, std::string_view what_to_do, Code code) const {
    constexpr std::size_t longest = 80, most_numbers = 8;
    Element const* const e = dataset_->find(tag);
    std::string value = text(tag);
    if (e && !e->numbers.empty()) {
        std::span<double const> const all = e->numbers;
        value = fmt::format("{}", fmt::join(all.first(std::min(all.size(), most_numbers)), ", "));
    }
    if (value.size() > longest) value = value.substr(0, longest) + "...";
    return {code, fmt::format("{}{} is '{}' ({}) {}", where_, name_of(tag), value, why, what_to_do),
            file_};
}

Error Values::missing(Tag tag, std::string_view what_to_do) const {
    return {Code::corrupt,
            fmt::format("{}{} is missing; {}", where_, name_of(tag),
                        what_to_do.empty() ? "export the file again with it" : what_to_do),
            file_};
}

Error Values::error(std::string_view message, Code code) const {
    return {code, fmt::format("{}{}", where_, message), file_};
}

}  // namespace sluice::dicom
