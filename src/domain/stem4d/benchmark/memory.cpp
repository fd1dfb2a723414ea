// Analyses of a scan in memory as contestants.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "domain/stem4d/benchmark/contests.h"
#include "domain/stem4d/benchmark/question.h"
#include "domain/stem4d/touched_bytes.h"

namespace sluice::stem4d {
namespace {

using bench::Contestant;

constexpr int many = 16;
// One in the middle stands for all of them.
constexpr std::size_t one = 8;

// Rings side by side, from `inner` and `outer` of the first by `step`, in shares of the detector.
std::vector<Detector> annuli(std::string const& name, Disk const& disk, std::array<index, 2> shape,
                             double inner, double outer, double step) {
    std::vector<Detector> found;
    double const reach = static_cast<double>(std::min(shape[0], shape[1])) / 2;
    for (int i = 0; i < many; ++i) {
        Detector d;
        d.name = fmt::format("{} {}", name, i);
        d.shape = Detector::Shape::annulus;
        d.center = disk.center;
        d.inner = reach * (inner + step * i);
        d.outer = reach * (outer + step * i);
        found.push_back(d);
    }
    return found;
}

// Side by side without sharing a pixel on an edge.
std::vector<Detector> sixteen_rings(Disk const& disk, std::array<index, 2> shape) {
    auto rings = annuli("ring", disk, shape, 0, 1.0 / many, 1.0 / many);
    for (std::size_t i = 1; i < rings.size(); ++i) rings[i].inner += 1e-3;
    return rings;
}

// Wide ones that look at much the same pixels, as a gallery of detectors does.
std::vector<Detector> sixteen_annuli(Disk const& disk, std::array<index, 2> shape) {
    return annuli("annulus", disk, shape, 0.35, 0.80, 0.01);
}

Contestant analysis(Scan const& scan, Options const& options, std::string contest, std::string name,
                    std::function<Status()> work) {
    Contestant who;
    who.contest = std::move(contest);
    who.name = std::move(name);
    who.threads = options.device.threads();
    who.items = static_cast<double>(scan.dataset().frames);
    who.run = bench::timed(std::move(work));
    return who;
}

// What was counted before does not help: it would answer every round but the first.
Question images_question(std::vector<Detector> detectors) {
    Question q;
    q.detectors = std::move(detectors);
    return q;
}

Contestant images(Scan const& scan, Options const& options, std::string contest, std::string name,
                  std::vector<Detector> detectors) {
    return analysis(scan, options, std::move(contest), std::move(name),
                    [&scan, &options, q = images_question(std::move(detectors))]() -> Status {
                        SLUICE_TRY([[maybe_unused]] auto const found,
                                   ask(q, scan, options, Shortcuts::lines));
                        return {};
                    });
}

// The image number `place` of those detectors.
std::function<Result<bench::Answer>()> image_of(Scan const& scan, Options const& options,
                                                std::vector<Detector> which, std::size_t place) {
    return
        [&scan, &options, q = images_question(std::move(which)), place]() -> Result<bench::Answer> {
            SLUICE_TRY(Products const found, ask(q, scan, options, Shortcuts::lines));
            auto const all = std::span(found.images.values.values);
            std::size_t const size = all.size() / q.detectors.size();
            return bench::Answer{bench::checksum(std::as_bytes(all.subspan(place * size, size)))};
        };
}

// One of sixteen detectors by itself and all of them in one pass: both have the image of that one.
void add_sixteen(Scan const& scan, Options const& options, std::string const& single,
                 std::string const& several, std::vector<Detector> const& detectors,
                 std::vector<Contestant>& all) {
    std::vector<Detector> const alone{detectors[one]};
    all.push_back(images(scan, options, several, fmt::format("one {} of sixteen", single), alone));
    all.back().answer = image_of(scan, options, alone, 0);
    all.push_back(images(scan, options, several, several, detectors));
    all.back().answer = image_of(scan, options, detectors, one);
}

}  // namespace

Result<std::vector<Contestant>> memory_contestants(Scan const& scan,
                                                   std::vector<Detector> const& detectors,
                                                   Options const& options) {
    std::vector<Contestant> all;
    auto const shape = scan.detector_shape();
    for (Detector const& d : detectors) {
        all.push_back(images(scan, options, "virtual image", d.name, {d}));
        SLUICE_TRY(std::uint64_t const bytes, touched_bytes(scan, d, *options.disk));
        all.back().bytes = static_cast<double>(bytes);
    }
    if (detectors.size() > 1)
        all.push_back(images(scan, options, "in one pass",
                             fmt::format("{} detectors in one pass", detectors.size()), detectors));
    add_sixteen(scan, options, "ring", "sixteen rings", sixteen_rings(*options.disk, shape), all);
    add_sixteen(scan, options, "annulus", "sixteen annuli", sixteen_annuli(*options.disk, shape),
                all);
    for (Contestant& who : whole_detector_contestants(scan, options)) all.push_back(std::move(who));
    for (Contestant& who : table_contestants(scan, options)) all.push_back(std::move(who));
    return all;
}

}  // namespace sluice::stem4d
