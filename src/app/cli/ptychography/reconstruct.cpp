// Reconstructs one set of patterns, or searches, or plans; reports what came out.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ptychography/reconstruct.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/ptychography/misfit.h"
#include "app/cli/ptychography/report.h"
#include "base/memory.h"
#include "base/plural.h"
#include "domain/ptychography/input/turn_of.h"
#include "sluice/ptychography_judge.h"

namespace sluice::cli {
namespace {

using stem4d::Patterns;

// What single options do not know of each other.
Status check(PtychographyCommand const& c, JobReport const& report) {
    bool const keeps = !c.options.checkpoint.empty() || !c.options.resume.empty();
    if ((keeps || !c.start.file.empty()) && report.json["series"].get<index>() > 1)
        return Error{Code::invalid_argument,
                     fmt::format("a {} belongs to one scan (and there are several) reconstruct one "
                                 "after the other",
                                 keeps ? "checkpoint" : "result to start with")};
    if (!c.start.file.empty() && c.probe.any())
        return Error{Code::invalid_argument,
                     "--start and --semiangle or --vacuum both say what the probe begins as; give "
                     "one of them"};
    return {};
}

// What the reconstruction begins with.
Status choose_start(PtychographyCommand& c, Patterns const& patterns, Scan const* scan,
                    Ranks& ranks, JobReport& r) {
    c.options.communicator = ranks.communicator();
    SLUICE_CHECK(c.probe.choose(patterns, c.job.data, ranks, c.options, r.notes));
    auto const& vacuum = c.probe.optics.vacuum;
    if (scan && vacuum.size() > 0 && !std::ranges::equal(vacuum.shape, scan->detector_shape()))
        r.notes.push_back(
            fmt::format("the vacuum image has {}x{} pixels and the detector {}x{}: its pixels are "
                        "taken to be as large as the detector's",
                        vacuum.shape[0], vacuum.shape[1], scan->detector_shape()[0],
                        scan->detector_shape()[1]));
    return c.start.choose(patterns, ranks, c.options, r.notes);
}

Result<PatternsFacts> facts_of(Patterns const& patterns,
                               stem4d::PtychographyOptions const& options) {
    SLUICE_TRY(auto const grid, stem4d::ptychography_grid(patterns, options));
    return PatternsFacts{.count = patterns.count(),
                         .size = patterns.size,
                         .pixel_nm = grid.pixel_nm,
                         .wavelength_nm = patterns.wavelength_nm};
}

Json plan_of(PatternsFacts const& facts, std::uint64_t bytes, std::uint64_t wished_limit) {
    std::uint64_t const limit = wished_limit ? wished_limit : memory_available();
    return {{"patterns", facts.count}, {"pattern_size", facts.size}, {"pixel_nm", facts.pixel_nm},
            {"memory_bytes", bytes},   {"memory_limit", limit},      {"fits", bytes <= limit}};
}

// The reconstruction itself, with what a misfit may come from.
Result<stem4d::PtychographyResult> run(PtychographyCommand& c, Patterns patterns,
                                       PatternsOrigin const& origin, SearchInput const& input,
                                       Ranks const& ranks) {
    std::string const source = origin.scan ? origin.scan->dataset().path : c.job.data.paths.front();
    c.watched->watch(
        c.watched_as.empty() ? std::filesystem::path(source).filename().string() : c.watched_as,
        c.follows, patterns, c.options);
    Patterns part;
    if (ranks.count() == 1) {
        SLUICE_TRY(part, stem4d::part_to_try(patterns, c.options));
    }
    auto found = stem4d::ptychography(std::move(patterns), c.options);
    input.bar.clear();
    c.watched->finish(found);
    if (found && part.count() > 0) explain_misfit(*found, part, input);
    return found;
}

Status report_result(PtychographyCommand const& c, stem4d::PtychographyResult& result,
                     PatternsFacts const& facts, PatternsOrigin const& origin, Ranks const& ranks,
                     JobReport& r, std::vector<ResultImage>& images) {
    r.notes.insert(r.notes.end(), result.notes.begin(), result.notes.end());
    double const pixel = facts.pixel_nm;
    r.notes.push_back(fmt::format("R {:.4f} after {}; counting alone leaves {:.4f}{}",
                                  result.rounds.back().r, plural(result.rounds.size(), "iteration"),
                                  result.floor,
                                  pixel > 0 ? fmt::format("; a pixel is {:.5f} nm", pixel) : ""));
    r.json["reconstruction"].push_back(json_of(result, facts));
    r.json["reconstruction"].back()["findings"] = findings_json(result);
    SLUICE_CHECK(add_images(c, result, pixel, origin.member, r, images));
    if (!c.saves_result || !ranks.speaks()) return {};
    return save_result(c, result, facts, origin.provenance, origin.member, r);
}

}  // namespace

Status reconstruct(PtychographyCommand& c, Patterns patterns, PatternsOrigin const& origin,
                   Ranks& ranks, JobReport& r, std::vector<ResultImage>& images) {
    SLUICE_CHECK(check(c, r));
    SLUICE_CHECK(choose_start(c, patterns, origin.scan, ranks, r));
    SLUICE_TRY(auto const facts, facts_of(patterns, c.options));
    c.options.device = origin.device;
    c.options.trace = c.job.data.common.trace.get();
    SLUICE_TRY(std::uint64_t const bytes, stem4d::ptychography_memory(patterns, c.options));
    if (c.plan) {
        r.json["plan"].push_back(plan_of(facts, bytes, c.options.memory_limit));
        return {};
    }
    ProgressBar bar("reconstruct", ProgressBar::Counts::patterns);
    if (!c.stopped_before) c.options.progress = bar.callback();
    SearchInput input{patterns, &c.file, c.options, origin.provenance, origin.member, bar};
    stem4d::PatternsOptions turned = c.patterns;
    if (origin.scan) {
        auto const turn = ptycho::turn_of(*origin.scan, c.patterns);
        turned.rotation_degrees = turn.degrees;
        turned.transpose = turn.transpose;
        input.geometry = &turned;
    }
    if (c.search.instead()) return search(c.search, input, c.job, r);
    if (c.search.frc) SLUICE_CHECK(report_halves(c.search, input, r));
    SLUICE_TRY(auto result, run(c, std::move(patterns), origin, input, ranks));
    return report_result(c, result, facts, origin, ranks, r, images);
}

}  // namespace sluice::cli
