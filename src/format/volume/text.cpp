// Lines and numbers of headers that are text.
// SPDX-License-Identifier: Apache-2.0
#include "format/volume/text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace sluice::volume {
namespace {

constexpr std::string_view space = " \t\r\v\f";

template <class T>
std::optional<std::vector<T>> parse(std::string_view text) {
    std::vector<T> out;
    for (std::string_view const word : words(text)) {
        T value{};
        auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || end != word.data() + word.size()) return {};
        out.push_back(value);
    }
    return out;
}

}  // namespace

std::optional<std::string_view> Lines::next() {
    if (at_ >= text_.size()) return {};
    std::size_t const end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    at_ = std::min(end + 1, text_.size());
    ++number_;
    return line;
}

Error Lines::wrong(std::string_view text, Code code) const {
    return {code, fmt::format("line {}: {}", number_, text)};
}

std::string_view trimmed(std::string_view text) {
    auto const first = text.find_first_not_of(space);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> out;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        std::size_t const end = std::min(text.find_first_of(space), text.size());
        out.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return out;
}

std::optional<std::vector<double>> numbers(std::string_view text) {
    auto out = parse<double>(text);
    if (out)
        for (double const v : *out)
            if (!std::isfinite(v)) return {};
    return out;
}

std::optional<std::vector<index>> integers(std::string_view text) {
    return parse<index>(text);
}

}  // namespace sluice::volume
