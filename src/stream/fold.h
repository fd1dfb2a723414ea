// fold(): runs an analysis over the units of a scan, from memory or straight from the files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <map>
#include <mutex>

#include "device/workers.h"
#include "sluice/scan.h"
#include "store/aligned.h"
#include "store/resident.h"

namespace sluice::stream {

using store::Unit;

/// Anything that streams is four functions.
template <class A>
concept Analysis = requires(A const a, typename A::Partial p, typename A::Partial const q,
                            std::span<Unit const> u) {
    { a.begin() } -> std::same_as<typename A::Partial>;   // an empty partial result
    { a.add(p, u) } -> std::same_as<void>;                // folds consecutive units in
    { a.merge(p, q) } -> std::same_as<void>;              // folds a later partial in
    { a.finish(p) } -> std::same_as<typename A::Result>;  // the answer
};

struct FoldOptions {
    Device device = Device::cpu();        ///< threads and instruction set
    std::vector<std::uint8_t> need = {};  ///< blocks to decode when streaming; empty: all
    std::vector<std::uint8_t> skip = {};  ///< [unit], 1: no frame of it is asked for
    index batch = 1;                      ///< most units an add() gets at once
    std::function<bool(std::uint64_t, std::uint64_t)> progress = {};
    store::Tally* tally = nullptr;  ///< receives what decoding met, when streaming
};

/// Units are folded in groups whose borders depend on the scan alone, and partials are merged in
/// scan order: the answer does not depend on the number of threads.
template <Analysis A>
Result<typename A::Result> fold(Scan const& scan, A const& analysis, FoldOptions const& options) {
    store::Plan const& plan = scan.plan();
    store::Resident const* const resident = scan.resident_store();
    index const units = plan.tiles();
    index const group = std::max<index>(1, std::min<index>(60, units / 64));
    index const groups = (units + group - 1) / group;
    int const threads = options.device.threads();
    bool const as_tiles = scan.chosen_layout() == Layout::planes;

    struct Worker {
        std::unique_ptr<store::UnitMaker> maker;
        store::AlignedBytes memory;
    };
    std::vector<Worker> workers(static_cast<std::size_t>(threads));
    std::mutex mutex;
    Status status;
    std::atomic<bool> stop = false;
    std::atomic<index> units_done = 0;
    std::map<index, typename A::Partial> waiting;
    index merged = 0;
    typename A::Partial total = analysis.begin();

    auto const fail = [&](Error error) {
        std::lock_guard lock(mutex);
        if (status) status = std::move(error);
        stop = true;
    };
    auto const report = [&] {  // by who holds the mutex
        if (!options.progress || resident || stop) return;
        if (options.progress(plan.bytes_to_read(scan.dataset(), units_done),
                             plan.bytes_to_read(scan.dataset(), units)))
            return;
        status = Error{Code::cancelled, "cancelled"};
        stop = true;
    };
    auto const streamed_unit = [&](Worker& w, index t) -> Result<Unit> {
        if (!w.maker) {
            w.maker = std::make_unique<store::UnitMaker>(scan.dataset(), plan, options.device.isa(),
                                                         options.need);
            index const bytes = as_tiles
                                    ? planes::tile_bound(plan.grid().blocks(),
                                                         static_cast<int>(8 * size_of(plan.dtype)))
                                    : planes::tile_frames * plan.pixels() * size_of(plan.dtype);
            w.memory = store::aligned_bytes(bytes);
        }
        Unit u;
        u.first_frame = t * planes::tile_frames;
        u.frames = std::min(planes::tile_frames, plan.frames() - u.first_frame);
        u.is_tile = as_tiles;
        if (as_tiles) {
            SLUICE_TRY([[maybe_unused]] index const size, w.maker->make_tile(t, w.memory.get()));
            u.tile = {w.memory.get(), plan.grid().blocks()};
        } else {
            SLUICE_CHECK(w.maker->make_values(t, w.memory.get()));
            u.values = {w.memory.get(), plan.dtype, u.frames, plan.rows, plan.cols};
        }
        return u;
    };
    auto const add_group = [&](index g, Worker& w, typename A::Partial& partial) {
        index const last = std::min(units, (g + 1) * group);
        std::vector<Unit> batch;
        for (index t = g * group; t < last && !stop; ++t, ++units_done) {
            if (!options.skip.empty() && options.skip[static_cast<std::size_t>(t)]) continue;
            if (resident) {
                batch.push_back(resident->unit(t));
                if (std::ssize(batch) < options.batch && t + 1 < last) continue;
                analysis.add(partial, batch);
                batch.clear();
                continue;
            }
            auto unit = streamed_unit(w, t);
            if (!unit) return fail(std::move(unit).error());
            analysis.add(partial, std::span(&*unit, 1));
            if (std::unique_lock const lock(mutex, std::try_to_lock); lock) report();
        }
        if (!batch.empty()) analysis.add(partial, batch);
    };
    parallel_for(groups, threads, 1, [&](index g, int number) {
        if (stop) return;
        typename A::Partial partial = analysis.begin();
        add_group(g, workers[static_cast<std::size_t>(number)], partial);
        std::lock_guard lock(mutex);
        waiting.emplace(g, std::move(partial));
        for (auto it = waiting.find(merged); it != waiting.end(); it = waiting.find(merged)) {
            analysis.merge(total, it->second);
            waiting.erase(it);
            ++merged;
        }
        report();
    });
    SLUICE_CHECK(status);
    for (Worker const& w : workers)
        if (w.maker && options.tally) options.tally->merge(w.maker->tally());
    return analysis.finish(total);
}

}  // namespace sluice::stream
