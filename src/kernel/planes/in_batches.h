// The words of a mask in many tiles, some of them on their way into the cache; for planes.isa.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kernel/planes/tile.h"

namespace sluice::planes::SLUICE_ISA {
namespace {

// Planes to count for some words of a mask, sorted by their number, so that branches can be
// foretold; the records' cache lines are on their way once a word is in the list. A word has a
// `block`.
template <class Word>
class Work {
  public:
    static constexpr index most = 32;  // words at a time
    enum Kind { one_plane, two_planes, more_planes, kinds };
    struct Item {
        Word word;
        int planes;
        std::uint64_t const* words;
    };

    void clear() {
        for (int& n : count_) n = 0;
    }
    void collect(Tile tile, Word const& w) {
        Tile::Entry const e = tile.entry(w.block);
        if (e.planes == 0) return;
        std::uint64_t const* const words = tile.words(e);
        for (int i = 0; i < 2 * e.planes; ++i) __builtin_prefetch(words + 8 * i, 0, 2);
        Kind const kind = e.planes == 1 ? one_plane : e.planes == 2 ? two_planes : more_planes;
        items_[kind][count_[kind]++] = {w, e.planes, words};
    }
    // Calls act(item, planes), with planes a constant where it can be one.
    template <class F>
    void each(F&& act) const {
        for (int i = 0; i < count_[one_plane]; ++i) act(items_[one_plane][i], 1);
        for (int i = 0; i < count_[two_planes]; ++i) act(items_[two_planes][i], 2);
        for (int i = 0; i < count_[more_planes]; ++i)
            act(items_[more_planes][i], items_[more_planes][i].planes);
    }

  private:
    Item items_[kinds][most];
    int count_[kinds];
};

// Calls act(item, planes) for the mask's words in each tile and done(number of the tile) after the
// last; the next words, also those of the next tile, are collected between these.
template <class Word, class Act, class Done>
inline void in_batches(std::span<Tile const> tiles, std::span<Word const> mask, Act&& act,
                       Done&& done) {
    constexpr auto most = static_cast<std::size_t>(Work<Word>::most);
    std::size_t const parts = mask.empty() ? 1 : (mask.size() + most - 1) / most;
    std::size_t const steps = parts * tiles.size();
    Work<Word> work[2];
    work[0].clear();
    std::size_t const first = steps == 0 ? 0 : mask.size() < most ? mask.size() : most;
    for (std::size_t i = 0; i < first; ++i) work[0].collect(tiles[0], mask[i]);
    for (std::size_t step = 0; step < steps; ++step) {
        Work<Word>& next = work[(step + 1) % 2];
        next.clear();
        std::size_t const t = (step + 1) / parts;
        std::size_t at = (step + 1) % parts * most, end = at;
        if (t < tiles.size()) end = mask.size() - at < most ? mask.size() : at + most;
        // One at a time, so that there is always a line on its way, and never too many.
        work[step % 2].each([&](auto const& item, int planes) {
            act(item, planes);
            if (at < end) next.collect(tiles[t], mask[at++]);
        });
        while (at < end) next.collect(tiles[t], mask[at++]);
        if (step % parts == parts - 1) done(step / parts);
    }
}

}  // namespace
}  // namespace sluice::planes::SLUICE_ISA
