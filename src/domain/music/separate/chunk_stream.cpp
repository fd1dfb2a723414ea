// Which chunks are complete, what they contain, and where their stems go.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/separate/chunk_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sluice::music {

ChunkStream::ChunkStream(ChunkSeparator& network, Plan const& plan, index batch, Trace* trace)
    : trace_(trace),
      network_(network),
      plan_(plan),
      batch_(batch),
      // The chunk's own samples, from the first that is not final.
      sums_(2 * network.stems(), plan.samples(), plan.divisor()),
      mix_(static_cast<std::size_t>(batch * 2 * plan.samples())),
      stems_(static_cast<std::size_t>(batch * network.stems() * 2 * plan.samples())) {
    expects(network.samples() == plan.samples() && batch >= 1);
}

void ChunkStream::add(std::span<float const> left, std::span<float const> right) {
    expects(!ended_ && left.size() == right.size());
    history_.add(left, right);
}

void ChunkStream::end() {
    ended_ = true;
}

// Whether a chunk can be made, or lies beyond the song.
bool ChunkStream::known(index number) const {
    return ended_ || history_.end() >= plan_.needs(number);
}

bool ChunkStream::due() const {
    return !done() && known(next_ + batch_ - 1);
}

void ChunkStream::fill(PlannedChunk const& chunk, std::span<float> out) const {
    index const n = plan_.samples(), length = history_.end();
    // Samples that are neither mirrored nor zero are copied at once.
    index const from = std::clamp(-chunk.begin, index{0}, n);
    index const to = std::clamp(std::min(chunk.there, length - chunk.begin), from, n);
    for (int channel = 0; channel < 2; ++channel) {
        float* const at = out.data() + channel * n;
        auto const single = [&](index position) {
            index const s = plan_.sample(chunk, position, length);
            return s < 0 ? 0.0f : history_.at(channel, s);
        };
        for (index k = 0; k < from; ++k) at[k] = single(k);
        if (to > from)
            std::ranges::copy(history_.run(channel, chunk.begin + from, to - from), at + from);
        for (index k = to; k < n; ++k) at[k] = single(k);
    }
}

Status ChunkStream::check(std::span<float const> chunk, PlannedChunk const& where) const {
    for (std::size_t k = 0; k < chunk.size(); ++k) {
        if (std::isfinite(chunk[k])) continue;
        auto const lane = static_cast<index>(k) / plan_.samples();
        return Error{
            Code::corrupt,
            fmt::format("the model gave {} for channel {} of stem {} in the chunk at "
                        "sample {} (stems must be finite numbers) its weights are broken, or {}",
                        chunk[k], lane % 2 + 1, lane / 2 + 1, where.begin,
                        network_.rounds() ? "too large for this precision: try fp32"
                                          : "of another network than the YAML's: download "
                                            "both again")};
    }
    return {};
}

Status ChunkStream::run(std::vector<std::vector<float>>& lanes) {
    index const n = plan_.samples(), stems = network_.stems(), length = history_.end();
    std::optional<index> const known_length = ended_ ? std::optional(length) : std::nullopt;
    index const all = ended_ ? plan_.count(length) : std::numeric_limits<index>::max();
    std::vector<PlannedChunk> chunks;
    index const first = next_;
    for (; next_ < all && std::ssize(chunks) < batch_ && known(next_); ++next_) {
        PlannedChunk const c = plan_.chunk(next_, known_length);
        if (plan_.dead(c, length)) continue;
        fill(c, std::span(mix_).subspan(chunks.size() * static_cast<std::size_t>(2 * n)));
        chunks.push_back(c);
    }
    expects(next_ > first || next_ == all);
    network_.trace(trace_, first);
    if (auto const b = std::ssize(chunks); b > 0) {
        std::size_t const in = static_cast<std::size_t>(b * 2 * n);
        std::size_t const out = static_cast<std::size_t>(2 * n * stems);
        SLUICE_CHECK(network_.separate(std::span(mix_).first(in),
                                       std::span(stems_).first(out * static_cast<std::size_t>(b)),
                                       b));
        Step const step(trace_, Phase::overlap_add, 0, first);
        for (index i = 0; i < b; ++i) {
            PlannedChunk const& c = chunks[static_cast<std::size_t>(i)];
            auto const stem = std::span(stems_).subspan(out * static_cast<std::size_t>(i), out);
            SLUICE_CHECK(check(stem, c));
            // No chunk behind this one reaches what is before it.
            sums_.take(std::max(index{0}, c.begin), lanes);
            given_ = std::max(given_, c.begin);
            index const counts = std::min(c.there, length - c.begin);
            sums_.add(c.begin, stem, n,
                      plan_.weights(c, scratch_).first(static_cast<std::size_t>(counts)));
        }
        chunks_ += b;
    }
    index const final =
        next_ < all ? std::min(std::max(index{0}, plan_.begin(next_)), length) : length;
    sums_.take(final, lanes);
    given_ = std::max(given_, final);
    history_.forget(plan_.keeps(next_));
    return {};
}

}  // namespace sluice::music
