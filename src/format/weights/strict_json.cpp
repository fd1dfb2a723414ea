// The header of safetensors as JSON, refused where a reader of JSON would guess.
// SPDX-License-Identifier: Apache-2.0
#include "format/weights/strict_json.h"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "codec/zip/quoted.h"
#include "format/weights/weights.h"

namespace sluice::weights {
namespace {

using Tree = nlohmann::json;

constexpr std::size_t most_levels = 3;  // the header, an entry, its shape

/// Hears of each piece of JSON as it is read, and keeps the first error.
class Strict {
  public:
    std::string const& wrong() const { return wrong_; }

    /// Whether to keep the piece.
    bool hear(std::size_t level, Tree::parse_event_t event, Tree const& piece) {
        using Event = Tree::parse_event_t;
        if (!wrong_.empty()) return false;
        bool const opens = event == Event::object_start || event == Event::array_start;
        if (opens && level == most_levels)
            wrong_ = "more levels within each other than a header has";
        else if (opens)
            names_[level].clear();
        else if (event == Event::key)
            add(names_[level - 1], piece.get_ref<std::string const&>());
        return wrong_.empty();
    }

  private:
    std::set<std::string> names_[most_levels];  ///< of the object that is open on each level
    std::string wrong_;

    void add(std::set<std::string>& names, std::string const& name) {
        if (!names.insert(name).second)
            wrong_ = zip::in_quotes(name) + " is there twice";
        else if (names.size() > most_tensors + 1)  // with the metadata
            wrong_ = fmt::format("more than {} tensors; no network of this program has as many",
                                 most_tensors);
    }
};

}  // namespace

Result<Tree> read_header(std::string_view text, std::string const& file) {
    Strict strict;
    auto const hear = [&](int level, Tree::parse_event_t event, Tree& piece) {
        return strict.hear(static_cast<std::size_t>(level), event, piece);
    };
    Tree header = Tree::parse(text, hear, false);
    if (!strict.wrong().empty()) return Error{Code::corrupt, strict.wrong(), file, 8};
    if (!header.is_object())
        return Error{Code::corrupt,
                     "the header of the safetensors file is not a JSON object; copy it again", file,
                     8};
    return header;
}

}  // namespace sluice::weights
