// For tests: stacks made page by page.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "format/raw/test_flat.h"

namespace sluice {

struct MakeTiff {
    bool big = false, wide = false;
    unsigned rows = 2, cols = 3, strip_rows = 2, bits = 16;
    std::vector<std::vector<std::string>> pages = {};  ///< the strips or tiles of each
    std::map<unsigned, unsigned> tags = {};            ///< further entries, or others' values
    std::string description = {};
    bool circle = false;  ///< the last page leads to the first
};

/// The bytes of a file: all pieces first, and then all directories.
class TiffMaker {
  public:
    explicit TiffMaker(MakeTiff make) : m_(std::move(make)) {}
    std::string text() {
        Made out;
        out.raw(m_.big ? "MM" : "II");
        number(out, m_.wide ? 43 : 42, 2);
        if (m_.wide) number(out, 8, 2), number(out, 0, 2);
        std::string pieces;
        std::size_t const begin = m_.wide ? 16 : 8;
        std::vector<std::vector<std::size_t>> places;
        for (auto const& page : m_.pages) {
            places.emplace_back();
            for (std::string const& piece : page) {
                places.back().push_back(begin + pieces.size());
                pieces += piece;
            }
        }
        first_ = begin + pieces.size();
        number(out, first_, m_.wide ? 8 : 4);
        out.raw(pieces);
        for (std::size_t p = 0; p < m_.pages.size(); ++p) page(out, p, places[p]);
        return out.text();
    }

  private:
    void number(Made& out, std::uint64_t v, int bytes) const {
        for (int i = 0; i < bytes; ++i)
            out.le(static_cast<std::uint8_t>(v >> 8 * (m_.big ? bytes - 1 - i : i)));
    }
    std::string numbers(std::vector<std::size_t> const& all) const {
        Made out;
        for (auto const n : all) number(out, n, 4);
        return out.text();
    }
    void page(Made& out, std::size_t which, std::vector<std::size_t> const& places) {
        std::vector<std::size_t> lengths;
        for (std::string const& piece : m_.pages[which]) lengths.push_back(piece.size());
        std::map<unsigned, unsigned> tags{{256, m_.cols}, {257, m_.rows},       {258, m_.bits},
                                          {259, 1},       {278, m_.strip_rows}, {277, 1}};
        for (auto const& [tag, value] : m_.tags) tags[tag] = value;
        bool const tiled = tags.contains(322);
        std::map<unsigned, std::string> texts{{tiled ? 324 : 273, numbers(places)},
                                              {tiled ? 325 : 279, numbers(lengths)}};
        if (which == 0 && !m_.description.empty()) texts[270] = m_.description + '\0';
        int const place = m_.wide ? 8 : 4;
        std::size_t const entries = tags.size() + texts.size();
        std::size_t const head =
            (m_.wide ? 8 : 2) + entries * (m_.wide ? 20 : 12) + static_cast<std::size_t>(place);
        std::size_t after = out.text().size() + head;
        std::string values;
        number(out, entries, m_.wide ? 8 : 2);
        for (auto const& [tag, value] : tags) {
            number(out, tag, 2), number(out, 4, 2), number(out, 1, place), number(out, value, 4);
            if (m_.wide) number(out, 0, 4);
        }
        for (auto const& [tag, text] : texts) {
            std::size_t const each = tag == 270 ? 1 : 4;
            number(out, tag, 2), number(out, tag == 270 ? 2 : 4, 2);
            number(out, text.size() / each, place);
            if (text.size() <= static_cast<std::size_t>(place)) {
                std::string padded = text;
                padded.resize(static_cast<std::size_t>(place), '\0');
                out.raw(padded);
            } else {
                number(out, after + values.size(), place);
                values += text;
            }
        }
        number(out,
               which + 1 < m_.pages.size() ? after + values.size()
               : m_.circle                 ? first_
                                           : 0,
               place);
        out.raw(values);
    }

    MakeTiff m_;
    std::size_t first_ = 0;  ///< where the first directory is
};

}  // namespace sluice
