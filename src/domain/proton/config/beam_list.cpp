// Lists of beams: a header of names with units, and a line for each beam.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/file.h"
#include "base/nearest.h"
#include "domain/proton/config/beams.h"

namespace sluice::proton {
namespace {

constexpr std::size_t most_beams = 100000;

/// What a column of the list is for.
struct Column {
    std::size_t key;
    double factor;
};

std::string_view trimmed(std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r'))
        s.remove_suffix(1);
    return s;
}

std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> out;
    for (std::size_t at = 0; at <= line.size();) {
        std::size_t const comma = std::min(line.find(',', at), line.size());
        out.push_back(trimmed(line.substr(at, comma - at)));
        at = comma + 1;
    }
    return out;
}

std::optional<Column> column_of(std::string_view name) {
    for (std::size_t i = 0; i < beam_keys.size(); ++i) {
        BeamKey const& k = beam_keys[i];
        if (!k.dimension && name == k.name) return Column{i, 1};
        if (!k.dimension || !name.starts_with(k.name)) continue;
        std::string_view const rest = name.substr(k.name.size());
        if (!rest.starts_with('_')) continue;
        auto const one = parse_quantity("1 " + std::string(rest.substr(1)), *k.dimension);
        if (one) return Column{i, *one};
    }
    return {};
}

/// Reads the lines one after the other; an error of it has the line's number.
class List {
  public:
    List(std::string_view text, std::string const& name) : text_(text), name_(name) {}

    Result<std::vector<Beam>> read() {
        SLUICE_CHECK(read_header());
        std::vector<Beam> out;
        while (next()) {
            SLUICE_TRY(out.emplace_back(), read_line());
            if (out.size() > most_beams)
                return wrong(fmt::format("more than {} beams; share them out over several lists",
                                         most_beams));
        }
        if (out.empty()) return wrong("no beam follows the header; give a line for each");
        return out;
    }

  private:
    std::string_view text_;
    std::string const& name_;
    std::size_t at_ = 0;
    index number_ = 0;
    std::string_view line_;
    std::vector<Column> columns_;

    Error wrong(std::string const& text) const {
        return {Code::invalid_argument, fmt::format("line {}: {}", number_, text), name_};
    }

    // Moves to the next line that is not empty.
    bool next() {
        while (at_ < text_.size()) {
            std::size_t const end = std::min(text_.find('\n', at_), text_.size());
            line_ = trimmed(text_.substr(at_, end - at_));
            at_ = end + 1;
            ++number_;
            if (!line_.empty() && line_.front() != '#') return true;
        }
        return false;
    }

    Status read_header() {
        std::vector<std::string> known;
        for (BeamKey const& k : beam_keys) known.emplace_back(k.column);
        if (!next())
            return wrong("no header; begin with the columns' names, as in energy_MeV,sigma_x_mm");
        if (line_.starts_with("\xEF\xBB\xBF")) line_.remove_prefix(3);
        for (std::string_view const name : fields_of(line_)) {
            auto const c = column_of(name);
            if (!c)
                return wrong(
                    fmt::format("there is no column '{}'; did you mean '{}'? (names end "
                                "in their unit, except correlation and weight)",
                                name, nearest(name, known)));
            for (Column const& other : columns_)
                if (other.key == c->key)
                    return wrong(
                        fmt::format("{} has two columns; leave one out", beam_keys[c->key].name));
            columns_.push_back(*c);
        }
        for (std::size_t i = 0; i < beam_keys.size(); ++i)
            if (beam_keys[i].needed && std::none_of(columns_.begin(), columns_.end(),
                                                    [&](Column const& c) { return c.key == i; }))
                return wrong(fmt::format("column {} is missing", beam_keys[i].column));
        return {};
    }

    Result<Beam> read_line() {
        auto const fields = fields_of(line_);
        if (fields.size() != columns_.size())
            return wrong(fmt::format("{} numbers for {} columns", fields.size(), columns_.size()));
        BeamNumbers n = usual_beam();
        for (std::size_t i = 0; i < fields.size(); ++i) {
            double value = 0;
            char const* const end = fields[i].data() + fields[i].size();
            auto const [stop, error] = std::from_chars(fields[i].data(), end, value);
            if (error != std::errc{} || stop != end || !std::isfinite(value))
                return wrong(fmt::format("'{}' is not a number for {}", fields[i],
                                         beam_keys[columns_[i].key].name));
            n[columns_[i].key] = value * columns_[i].factor;
        }
        auto b = beam_of(n);
        if (!b) return wrong(b.error().message);
        return b;
    }
};

}  // namespace

Result<std::vector<Beam>> parse_beam_list(std::string_view text, std::string const& name) {
    return List(text, name).read();
}

Result<std::vector<Beam>> read_beam_list(std::string const& path) {
    constexpr std::uint64_t most = 32 << 20;
    SLUICE_TRY(auto const bytes, read_file(path, most));
    return parse_beam_list({reinterpret_cast<char const*>(bytes.data()), bytes.size()}, path);
}

}  // namespace sluice::proton
