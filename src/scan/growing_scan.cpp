// A scan that is measured, in memory.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/growing_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "base/run.h"
#include "device/copies.h"
#include "format/feed.h"
#include "scan/describe.h"
#include "scan/live.h"
#include "scan/open_units.h"
#include "scan/scan_tables.h"
#include "store/filling.h"

namespace sluice {

using planes::tile_frames;

struct GrowingScan::State {
    Dataset dataset;
    LoadOptions options;
    store::Plan plan;
    std::optional<store::Filling> filling = {};
    std::unique_ptr<OpenUnits> open = {};
    std::atomic<index> next = 0, ready = 0;
    std::atomic<index> told = 0;  // by ready(), at most
    std::atomic<bool> ended = false, failed = false;

    index frames_of(index unit) const {
        return std::min(tile_frames, plan.frames() - unit * tile_frames);
    }
    // What has not come is not measured either.
    void mark_awaited(store::Plan& its, std::span<std::uint8_t const> made,
                      OpenUnits::Look const& look) const;
};

GrowingScan::GrowingScan(std::unique_ptr<State> state) : state_(std::move(state)) {}
GrowingScan::GrowingScan(GrowingScan&&) noexcept = default;
GrowingScan& GrowingScan::operator=(GrowingScan&&) noexcept = default;
GrowingScan::~GrowingScan() = default;

Result<GrowingScan> GrowingScan::begin(Dataset dataset, LoadOptions const& options) {
    if (!dataset.feed)
        return Error{Code::invalid_argument,
                     "the scan is measured already (it has no feed) load it with Scan::load",
                     dataset.path};
    SLUICE_CHECK(check_live(dataset, options, true));
    auto s = std::make_unique<State>();
    s->dataset = std::move(dataset);
    s->options = options;
    s->options.progress = {};
    SLUICE_TRY(s->plan, store::make_plan(s->dataset, options));
    if (s->plan.dtype == DType::f32)
        return Error{Code::unsupported,
                     "only counts are kept while a scan is measured (these are floats) bin by sums",
                     s->dataset.path};
    std::uint64_t const memory = options.memory ? options.memory : store::memory_to_spare();
    SLUICE_TRY(s->filling, store::Filling::begin(s->dataset, s->plan, Layout::planes, s->options,
                                                 s->options.device.threads(), memory, true));
    s->open = std::make_unique<OpenUnits>(s->dataset, s->plan, s->options, *s->filling);
    return GrowingScan(std::move(s));
}

Status GrowingScan::fill() {
    State& s = *state_;
    Run run;
    index const units = s.plan.tiles();
    auto const work = [&](int worker) {
        for (index t = s.next++; t < units && !run.stopped(); t = s.next++) {
            if (Status made = s.filling->make(t, worker); !made) {
                s.failed = true;
                s.dataset.feed->end(made.error().message);
                return run.fail(std::move(made).error(), t);
            }
            s.ready += s.frames_of(t);
        }
    };
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < s.options.device.threads(); ++i) threads.emplace_back(work, i);
    }
    SLUICE_CHECK(run.status());
    s.ended = true;
    return {};
}

Dataset const& GrowingScan::dataset() const {
    return state_->dataset;
}
index GrowingScan::frames() const {
    return state_->plan.frames();
}
index GrowingScan::ready() const {
    State& s = *state_;
    // In this order: what becomes a unit in between is not counted twice.
    index const made = s.ready;
    index const now = made + s.open->count();
    index before = s.told;
    // Between two looks a unit may be whole that is not counted yet.
    while (before < now && !s.told.compare_exchange_weak(before, now)) {
    }
    return std::max(before, now);
}
std::uint64_t GrowingScan::bytes() const {
    return state_->filling->bytes();
}

void GrowingScan::State::mark_awaited(store::Plan& its, std::span<std::uint8_t const> made,
                                      OpenUnits::Look const& look) const {
    index awaited = 0;
    for (index t = 0; t < its.tiles(); ++t) {
        if (made[static_cast<std::size_t>(t)]) continue;
        its.lost.resize(static_cast<std::size_t>(its.frames()));
        awaited += frames_of(t);
        std::fill_n(its.lost.begin() + t * tile_frames, frames_of(t), std::uint8_t{1});
    }
    for (std::size_t i = 0; i < look.tiles.size(); ++i) {
        index const t = look.tiles[i].unit;
        if (made[static_cast<std::size_t>(t)]) continue;
        for (index f = 0; f < frames_of(t); ++f) {
            if (!look.came[i][static_cast<std::size_t>(f)]) continue;
            its.lost[static_cast<std::size_t>(t * tile_frames + f)] = 0;
            --awaited;
        }
    }
    if (awaited == 0) return;
    its.notes.push_back(fmt::format("{} of {} scan points {}: no result uses them", awaited,
                                    its.frames(),
                                    failed ? "found no room in memory" : "have not come yet"));
}

Scan GrowingScan::so_far() const {
    State& s = *state_;
    bool const ended = s.ended;
    Scan scan;
    scan.dataset_ = std::make_unique<Dataset>(s.dataset);
    Dataset& d = *scan.dataset_;
    d.feed = {};
    scan.options_ = s.options;
    scan.plan_ = std::make_unique<store::Plan>(s.plan);
    scan.layout_ = Layout::planes;
    // The units first: gaps of those that are made are known by then.
    // What a look lacks because its unit is made by now, made() has.
    OpenUnits::Look const look = s.open->look();
    std::vector<std::uint8_t> const made = s.filling->made();
    auto resident = std::make_unique<store::Resident>(s.filling->so_far(made, look.tiles));
    settle(*scan.plan_, d, *s.dataset.feed);
    s.mark_awaited(*scan.plan_, made, look);
    if (ended) fold::describe(s.filling->tally(), d, scan.notes_);
    scan.memory_.planes = scan.memory_.resident = resident->bytes();
    scan.memory_.source = s.plan.dense_bytes();
    scan.memory_.float32 = static_cast<std::uint64_t>(s.plan.frames() * s.plan.pixels() * 4);
    scan.resident_ = std::move(resident);
    scan.copies_ = std::make_unique<Copies>();
    if (!scan.resident_->moments().empty())
        scan.tables_ = std::make_unique<ScanTables>(*scan.resident_, *scan.plan_);
    return scan;
}

}  // namespace sluice
