// Runs analyses over the members of a series.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <limits>
#include <set>

#include "scan/scan_tables.h"
#include "scan/tables_on_disk.h"
#include "sluice/stem4d_series.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

// A scan that is streamed is opened again, so that it takes answers from the file.
Result<std::optional<TablesMade>> write_tables(Scan& scan, LoadOptions const& load,
                                               TablesOptions how) {
    if (scan.tables() && scan.tables()->file()) return std::optional<TablesMade>();
    // A scan in memory has sums of its own, and may still have a file.
    std::vector<std::string> ignored;
    if (TablesOnDisk::find(scan.dataset(), scan.plan(), load, ignored))
        return std::optional<TablesMade>();
    how.out = load.tables_file;
    how.device = load.device;
    how.progress = load.progress;
    how.trace = load.trace;
    std::error_code failed;
    bool const there = std::filesystem::exists(
        how.out.empty() ? TablesFile::usual_path(scan.dataset()) : how.out, failed);
    auto made = tables(scan, how);
    // The answer needs no tables.
    if (!made && made.error().code == Code::unsupported) {
        TablesMade none;
        none.notes.push_back("no file of tables was made: " + made.error().message);
        return std::optional(std::move(none));
    }
    if (!made) return std::move(made).error();
    if (there)
        made->notes.push_back(fmt::format(
            "the file of tables {} was there, did not fit, and was replaced", made->file));
    if (!scan.resident()) {
        SLUICE_TRY(scan, Scan::load(scan.dataset(), load));
    }
    return std::optional(*std::move(made));
}

}  // namespace

Status for_each_scan(Series series, SeriesWork const& how,
                     std::function<Status(Member const&)> const& work) {
    using Clock = std::chrono::steady_clock;
    if (how.write_tables && how.load.tables == Tables::none)
        return Error{Code::invalid_argument,
                     "--write-tables makes what --tables none leaves out; give one of them"};
    LoadOptions load = how.load;
    index const all = std::ssize(series.members);
    // Measured once: what one member takes and gives back must not change the next one's binning.
    if (load.memory == 0) load.memory = store::memory_to_spare();
    if (load.det_bin == 0) load.share = all;
    // The members of a series are often guessed alike.
    std::set<std::string> warned;
    for (index m = 0; m < all; ++m) {
        Options options = how.compute;
        if (how.progress) load.progress = options.progress = how.progress(m, all);
        auto const start = Clock::now();
        SLUICE_TRY(Scan scan,
                   Scan::load(std::move(series.members[static_cast<std::size_t>(m)]), load));
        load.det_bin = scan.plan().det_bin;
        load.share = 1;
        for (std::string const& text : scan.warnings())
            if (warned.insert(text).second && how.warn) how.warn(text);
        if (how.best_device && (!scan.resident() || options.references.any()))
            options.device = load.device;
        std::optional<TablesMade> made;
        if (how.write_tables) {
            SLUICE_TRY(made, write_tables(scan, load, *how.write_tables));
        }
        std::chrono::duration<double> const seconds = Clock::now() - start;
        SLUICE_CHECK(work({scan, options, m, seconds.count(), std::move(made)}));
    }
    return {};
}

Result<std::array<index, 2>> loaded_point(Scan const& scan, index row, index col) {
    store::Plan const& plan = scan.plan();
    std::array<index, 2> const full = scan.dataset().scan;
    auto const wrong = [&](std::string const& why) {
        return Error{Code::invalid_argument, fmt::format("point {}:{} {}", row, col, why)};
    };
    if (row < 0 || col < 0 || row >= full[0] || col >= full[1])
        return wrong(fmt::format("does not exist (the scan has {}x{} points); choose one of them",
                                 full[0], full[1]));
    index const pitch = plan.scan_bin * plan.scan_step;
    index const down = row - plan.scan_region.row, across = col - plan.scan_region.col;
    std::array<index, 2> const at{down / pitch, across / pitch};
    if (down < 0 || across < 0 || at[0] >= plan.scan[0] || at[1] >= plan.scan[1])
        return wrong(fmt::format(
            "lies outside of what was read (rows {} to {}, columns {} to {}); choose one inside",
            plan.scan_region.row, plan.scan_region.row + plan.scan[0] * pitch - 1,
            plan.scan_region.col, plan.scan_region.col + plan.scan[1] * pitch - 1));
    if (plan.scan_step > 1 && (down % pitch != 0 || across % pitch != 0))
        return wrong(
            fmt::format("was left out (--scan-step {}); the nearest point that was read is {}:{}",
                        plan.scan_step, plan.scan_region.row + at[0] * pitch,
                        plan.scan_region.col + at[1] * pitch));
    return at;
}

Status append_image(Array<double>& onto, std::span<double const> image, std::array<index, 2> shape,
                    index member) {
    expects(member == 0 || onto.shape.size() >= 2);
    if (member > 0 &&
        (onto.shape[onto.shape.size() - 2] != shape[0] || onto.shape.back() != shape[1]))
        return Error{
            Code::invalid_argument,
            fmt::format("member {} gives {}x{} (the ones before give {}x{}); analyse it by itself",
                        member + 1, shape[0], shape[1], onto.shape[onto.shape.size() - 2],
                        onto.shape.back())};
    if (member == 0) onto.shape = {shape[0], shape[1]};
    if (member == 1) onto.shape.insert(onto.shape.begin(), 1);
    onto.values.insert(onto.values.end(), image.begin(), image.end());
    if (member > 0) onto.shape[0] = member + 1;
    return {};
}

namespace {

// Appends what belongs to each pixel; members without a value have `fill` there.
template <class T>
void append_each(std::vector<T>& onto, std::vector<T> const& more, std::size_t before,
                 std::size_t after, T fill) {
    if (onto.empty() && more.empty()) return;
    onto.resize(before, fill);
    onto.insert(onto.end(), more.begin(), more.end());
    onto.resize(after, fill);
}

}  // namespace

Status append_map(ScanMap& onto, ScanMap const& map, index member) {
    expects(map.shape.size() == 2);
    std::size_t const before = onto.values.size(), after = before + map.values.size();
    SLUICE_CHECK(append_image(onto, map.values, {map.shape[0], map.shape[1]}, member));
    append_each(onto.error, map.error, before, after, std::numeric_limits<double>::quiet_NaN());
    append_each(onto.reason, map.reason, before, after, Missing::no);
    onto.name = map.name, onto.unit = map.unit, onto.counts = map.counts;
    return {};
}

}  // namespace sluice::stem4d
