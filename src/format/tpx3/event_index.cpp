// One pass over a file: the images by its signals, and the times of its hits block by block.
// SPDX-License-Identifier: Apache-2.0
#include "format/tpx3/event_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "format/tpx3/chips.h"
#include "format/tpx3/file_chunks.h"

namespace sluice::tpx3 {
namespace {

constexpr std::size_t room = std::size_t{4} << 20;
constexpr std::uint64_t block_bytes = std::uint64_t{64} << 10;

class Pass {
  public:
    Pass(ChipLayout const& layout, TdcEdge line_edge, ScanPlan const& plan)
        : layout_(layout),
          line_edge_(line_edge),
          window_(plan.window),
          chips_(layout),
          clock_(
              plan,
              [&](index image, Bytes, std::shared_ptr<void const> const&) {
                  add_run(out_.made, {image, 1});
              },
              [&](ImageRun const& run) { out_.runs.push_back(run); }) {}

    Result<EventIndex> of(Source const& file) {
        FileChunks chunks(file, 0, file.size(), room);
        for (;;) {
            SLUICE_TRY(auto const next, chunks.next());
            if (!next) break;
            SLUICE_CHECK(take(*next));
        }
        finish_block(file.size());
        if (auto const newest = believed_.times().newest()) {
            if (damaged_) clock_.damaged(*newest - window_, *newest + window_);
            clock_.finish(*newest);
        }
        out_.chip = chips_.only();
        out_.counts = clock_.counts();
        out_.line = clock_.usual_line();
        keep_blocks();
        return std::move(out_);
    }

    // What packets are given to.
    void hit(std::int64_t time, std::uint32_t /*pixel*/) {
        ++out_.hits;
        block_.first = in_block_ ? std::min(block_.first, time) : time;
        block_.last = in_block_ ? std::max(block_.last, time) : time;
        in_block_ = true;
    }
    void start(std::int64_t time, int counter) {
        index const early = clock_.counts().early_starts;
        bool const all = clock_.all_lines();
        clock_.start(time, counter);
        out_.more_lines += all && clock_.counts().early_starts == early;
    }
    void other_edge(int counter) { clock_.other_edge(counter); }

  private:
    Status take(FileChunks::Next const& next) {
        if (next.found.kind == Found::Kind::noise) {
            ++out_.problems[next.cut_off ? "chunks that the file's end cuts off"
                                         : "places with bytes that are no chunk"];
            if (!damaged_) good_ = believed_.times().newest();
            damaged_ = true;
            return {};
        }
        if (next.at - block_.at >= block_bytes) finish_block(next.at);
        std::string problem;
        SLUICE_TRY(bool const its, chips_.counts(next.found.chip, problem));
        if (!problem.empty()) ++out_.problems[problem];
        if (its) packets(next.found);
        auto const newest = believed_.times().newest();
        if (!newest) return {};
        // What is lost lay between the times on both sides of it, or a window beside them.
        if (damaged_) clock_.damaged(good_.value_or(*newest) - window_, *newest + window_);
        damaged_ = false;
        clock_.pass(*newest);
        return {};
    }

    void packets(Found const& chunk) {
        auto const tell = [&](std::string_view what, std::uint64_t) {
            ++out_.problems[std::string(what)];
        };
        auto const taken = [&](Sent const& p) {
            if (kind_of(p.bits) == PacketKind::edge)
                if (auto const e = edge_of(p.bits).edge) ++out_.edges[static_cast<std::size_t>(*e)];
            give(p, believed_.times(), layout_, line_edge_, *this, tell);
        };
        for (std::size_t i = 0; i < chunk.packets.size(); i += packet_bytes) {
            Sent p{.chip = chunk.chip};
            std::memcpy(&p.bits, chunk.packets.data() + i, packet_bytes);
            believed_.hear(p, taken, tell);
        }
    }

    void finish_block(std::uint64_t end) {
        block_.end = end;
        if (in_block_) out_.blocks.push_back(block_);
        block_ = {.at = end, .before = believed_};
        in_block_ = false;
    }

    // Those that may have hits of images, and between which times those before and behind lie.
    void keep_blocks() {
        if (out_.runs.empty()) out_.blocks.clear();
        std::erase_if(out_.blocks, [&](EventBlock const& b) {
            return b.last < out_.runs.front().start || b.first >= out_.runs.back().end;
        });
        out_.until.resize(out_.blocks.size());
        out_.from.resize(out_.blocks.size());
        for (std::size_t i = 0; i < out_.blocks.size(); ++i)
            out_.until[i] =
                i == 0 ? out_.blocks[i].last : std::max(out_.until[i - 1], out_.blocks[i].last);
        for (std::size_t i = out_.blocks.size(); i-- > 0;)
            out_.from[i] = i + 1 == out_.blocks.size()
                               ? out_.blocks[i].first
                               : std::min(out_.from[i + 1], out_.blocks[i].first);
    }

    ChipLayout const& layout_;
    TdcEdge line_edge_;
    std::int64_t window_;
    Chips chips_;
    EventIndex out_ = {};
    ScanClock clock_;
    Believed believed_ = {};
    EventBlock block_ = {};
    bool in_block_ = false, damaged_ = false;
    std::optional<std::int64_t> good_ = {};  // the newest time before damaged bytes
};

}  // namespace

Result<EventIndex> index_events(Source const& file, ChipLayout const& layout, TdcEdge line_edge,
                                ScanPlan const& plan) {
    auto out = Pass(layout, line_edge, plan).of(file);
    if (!out && out.error().file.empty()) out.error().file = file.name();
    return out;
}

std::pair<std::size_t, std::size_t> blocks_of(EventIndex const& events, std::int64_t from,
                                              std::int64_t to) {
    auto const first = std::ranges::lower_bound(events.until, from);
    auto const end = std::ranges::lower_bound(events.from, to);
    auto const a = static_cast<std::size_t>(first - events.until.begin()),
               b = static_cast<std::size_t>(end - events.from.begin());
    return {a, std::max(a, b)};
}

}  // namespace sluice::tpx3
