// The same analyses of a scan in two layouts as contestants.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <random>

#include "domain/stem4d/benchmark/contests.h"
#include "domain/stem4d/benchmark/question.h"

namespace sluice::stem4d {
namespace {

using bench::Contestant;

/// What is asked of both.
struct LayoutQuestion {
    std::string name;
    std::function<Result<Products>(Scan const&)> ask;
};

// What was counted before does not help: it would answer every round but the first.
LayoutQuestion asked_anew(Question question, Options const& options) {
    std::string name = question.name;
    return {std::move(name), [q = std::move(question), &options](Scan const& scan) {
                return ask(q, scan, options, Shortcuts::lines);
            }};
}

// The next place of a detector on its way, a pixel from the last one, there and back: what a drag
// asks for. Centres are between pixels, so that no table has them.
LayoutQuestion drag(Options const& options) {
    auto const step = std::make_shared<std::map<Scan const*, int>>();
    return {
        "a drag by a pixel", [step, &options](Scan const& scan) {
            int const way = static_cast<int>(std::min<index>(16, scan.detector_shape()[1] / 8));
            int const at = (*step)[&scan]++ % (2 * way);
            Question q;
            q.detectors.resize(1);
            Detector& d = q.detectors[0];
            d.shape = Detector::Shape::disk;
            Point const center = options.disk->center;
            d.center = Point{center.row + 0.3, center.col + 0.4 + (at < way ? at : 2 * way - at)};
            d.outer = options.disk->radius;
            return ask(q, scan, options, Shortcuts::all);
        }};
}

LayoutQuestion one_frame() {
    return {"one frame", [](Scan const& scan) -> Result<Products> {
                auto const points = scan.scan_shape();
                Products found;
                found.patterns.resize(1);
                SLUICE_TRY(found.patterns[0].values, frame(scan, points[0] / 3, points[1] / 2));
                return found;
            }};
}

// Half of all pixels, in no order: nothing of it is whole.
Detector random_half(std::array<index, 2> shape) {
    Detector d;
    d.name = "random half";
    d.shape = Detector::Shape::mask;
    d.from = {static_cast<double>(shape[0]), static_cast<double>(shape[1])};
    std::mt19937 random(5);
    for (index i = 0; i < shape[0] * shape[1]; ++i)
        d.pixels.push_back(static_cast<float>(random() & 1));
    return d;
}

// The same pixels with weights, which planes turned by frames do not serve.
Detector weights_of(Detector d) {
    d.name = "weights";
    d.shape = Detector::Shape::weights;
    for (float& w : d.pixels) w *= 0.5F;
    return d;
}

// Annuli of fractional radii about different centres: no table has them.
std::vector<Detector> sixteen_apart(Disk const& disk, std::array<index, 2> shape) {
    std::vector<Detector> found;
    double const reach = static_cast<double>(std::min(shape[0], shape[1])) / 2;
    for (int i = 0; i < 16; ++i) {
        Detector d;
        d.name = fmt::format("annulus {}", i);
        d.shape = Detector::Shape::annulus;
        d.center = Point{disk.center.row + 0.3 * i, disk.center.col - 0.2 * i};
        d.inner = reach * (0.35 + 0.01 * i), d.outer = reach * (0.80 + 0.01 * i);
        found.push_back(d);
    }
    return found;
}

std::vector<LayoutQuestion> questions(Scan const& scan, std::vector<Detector> const& detectors,
                                      Options const& options) {
    auto const shape = scan.detector_shape();
    Detector within;
    within.shape = Detector::Shape::disk;
    within.center = options.disk->center, within.outer = options.disk->radius;
    std::vector<LayoutQuestion> all;
    auto const add = [&](Question q) { all.push_back(asked_anew(std::move(q), options)); };
    for (Detector const& d : detectors) add({.name = d.name, .detectors = {d}});
    add({.name = "random half", .detectors = {random_half(shape)}});
    add({.name = "weights", .detectors = {weights_of(random_half(shape))}});
    add({.name = "sixteen annuli", .detectors = sixteen_apart(*options.disk, shape)});
    all.push_back(drag(options));
    all.push_back(one_frame());
    add({.name = "center of mass in the disk", .center_of_mass = true, .within = within});
    add({.name = "mean pattern", .patterns = {Pattern::mean}});
    add({.name = "mean of a circle",
         .patterns = {Pattern::mean},
         .take = middle_of(scan.scan_shape())});
    add({.name = "maximum pattern", .patterns = {Pattern::max}});
    return all;
}

Contestant asked(Scan const& scan, LayoutQuestion const& question, Options const& options) {
    Contestant who;
    who.contest = question.name;
    who.name = scan.layout();
    who.threads = options.device.threads();
    who.items = static_cast<double>(scan.dataset().frames);
    who.run = bench::timed([&scan, ask = question.ask]() -> Status {
        SLUICE_TRY([[maybe_unused]] auto const found, ask(scan));
        return {};
    });
    who.answer = [&scan, ask = question.ask]() -> Result<bench::Answer> {
        SLUICE_TRY(auto const found, ask(scan));
        return numbers_of(found);
    };
    return who;
}

}  // namespace

std::vector<Contestant> layout_contestants(Scan const& scan, Scan const& other,
                                           std::vector<Detector> const& detectors,
                                           Options const& options) {
    std::vector<Contestant> all;
    for (LayoutQuestion const& question : questions(scan, detectors, options))
        for (Scan const* const of : {&scan, &other}) all.push_back(asked(*of, question, options));
    return all;
}

}  // namespace sluice::stem4d
