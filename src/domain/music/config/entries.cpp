// Merge keys of YAML 1.1: yaml-cpp leaves them to its callers.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/config/entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/utf8.h"

namespace sluice::music {
namespace {

// Aliases repeat what they name: a short text could ask for more than any memory.
constexpr int most_depth = 16, most_entries = 20'000;

// In quotes it is a key like others.
bool is_merge(YAML::Node const& key) {
    return key.IsScalar() &&
           ((key.Scalar() == "<<" && key.Tag() == "?") || key.Tag() == "tag:yaml.org,2002:merge");
}

class Flattener {
  public:
    Flattener(std::string const& section, std::string const& file)
        : section_(section), file_(file) {}

    Result<Entries> of(YAML::Node const& map, int depth) {
        if (depth > most_depth) return wrong(map, "merge keys (<<) are nested too deeply");
        Entries own, merged;
        bool merges = false;
        for (auto const& entry : map) {
            if (++count_ > most_entries) return wrong(map, "merge keys (<<) repeat too much");
            if (!entry.first.IsScalar()) return wrong(map, "a key is not a word");
            if (!is_merge(entry.first)) {
                own.push_back({entry.first.Scalar(), entry.first, entry.second});
                continue;
            }
            if (merges) return twice(entry.first, "<<");
            merges = true;
            SLUICE_TRY(merged, merged_from(entry.second, depth));
        }
        // YAML allows a key once; guessing which one counts would be wrong.
        std::set<std::string_view> seen;
        for (MapEntry const& e : own)
            if (!seen.insert(e.key).second) return twice(e.at, e.key);
        append_new(own, std::move(merged));
        return own;
    }

  private:
    std::string const& section_;
    std::string const& file_;
    int count_ = 0;

    Error wrong(YAML::Node const& at, std::string const& text) const {
        return wrong_yaml(at, text, file_);
    }
    Error twice(YAML::Node const& at, std::string const& key) const {
        return wrong(at,
                     fmt::format("'{}{}' is there twice; leave one out", section_, printable(key)));
    }

    // The entry that is present already counts.
    static void append_new(Entries& all, Entries more) {
        std::set<std::string> seen;
        for (MapEntry const& e : all) seen.insert(e.key);
        for (MapEntry& e : more)
            if (seen.insert(e.key).second) all.push_back(std::move(e));
    }

    Result<Entries> merged_from(YAML::Node const& value, int depth) {
        if (value.IsMap()) return of(value, depth + 1);
        if (!value.IsSequence())
            return wrong(value, "'<<' merges neither a section of keys nor a list of sections");
        Entries all;
        for (auto const& one : value) {
            if (!one.IsMap())
                return wrong(one, "'<<' merges something other than a section of keys");
            SLUICE_TRY(Entries more, of(one, depth + 1));
            append_new(all, std::move(more));
        }
        return all;
    }
};

}  // namespace

Result<Entries> entries_of(YAML::Node const& map, std::string const& section,
                           std::string const& file) {
    return Flattener(section, file).of(map, 0);
}

YAML::Node const* value_of(Entries const& entries, std::string_view key) {
    auto const found = std::ranges::find(entries, key, &MapEntry::key);
    return found == entries.end() || found->value.IsNull() ? nullptr : &found->value;
}

// An empty text has no place; yaml-cpp then says -1.
int line_of(YAML::Mark const& mark) {
    return std::max(mark.line, 0) + 1;
}

Error wrong_yaml(YAML::Node const& at, std::string const& text, std::string const& file) {
    return {Code::invalid_argument, fmt::format("line {}: {}", line_of(at.Mark()), text), file};
}

std::string printable(std::string_view text) {
    constexpr std::size_t most_shown = 120;
    std::string out;
    while (!text.empty() && out.size() < most_shown) {
        std::string_view const from = text;
        char32_t const c = next_character(text);
        bool const shown = c != not_utf8 && c >= ' ' && (c < 0x7f || c >= 0xa0);
        out += shown ? from.substr(0, from.size() - text.size()) : "?";
    }
    return out;
}

}  // namespace sluice::music
