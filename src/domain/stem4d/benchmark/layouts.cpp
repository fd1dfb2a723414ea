// The same analyses of a scan in two layouts as contestants.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <random>

#include "bench/answers.h"
#include "domain/stem4d/benchmark/contests.h"

namespace sluice::stem4d {
namespace {

using bench::Contestant;

/// What is asked of both: its numbers.
struct LayoutQuestion {
    std::string name;
    std::function<Result<std::vector<double>>(Scan const&)> ask;
};

LayoutQuestion images_asked(std::string name, std::vector<Detector> detectors,
                            Options const& options) {
    return {
        std::move(name),
        [which = std::move(detectors), &options](Scan const& scan) -> Result<std::vector<double>> {
            SLUICE_TRY(VirtualImages images, virtual_image(scan, which, options));
            return std::move(images.values.values);
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
    std::vector<LayoutQuestion> all;
    for (Detector const& d : detectors) all.push_back(images_asked(d.name, {d}, options));
    all.push_back(images_asked("random half", {random_half(shape)}, options));
    all.push_back(images_asked("weights", {weights_of(random_half(shape))}, options));
    all.push_back(images_asked("sixteen annuli", sixteen_apart(*options.disk, shape), options));
    all.push_back({"one frame", [](Scan const& of) -> Result<std::vector<double>> {
                       auto const points = of.scan_shape();
                       SLUICE_TRY(Array<double> one, frame(of, points[0] / 3, points[1] / 2));
                       return std::move(one.values);
                   }});
    all.push_back(
        {"center of mass in the disk", [&options](Scan const& of) -> Result<std::vector<double>> {
             Detector within;
             within.shape = Detector::Shape::disk;
             within.center = options.disk->center, within.outer = options.disk->radius;
             SLUICE_TRY(CenterOfMass com, center_of_mass(of, within, options));
             return std::move(com.row.values);
         }});
    all.push_back({"maximum pattern", [&options](Scan const& of) -> Result<std::vector<double>> {
                       SLUICE_TRY(auto pattern, diffraction_pattern(of, Pattern::max, {}, options));
                       return std::move(pattern.values.values);
                   }});
    return all;
}

Contestant asked(Scan const& scan, LayoutQuestion const& question, Options const& options) {
    Contestant who;
    who.contest = question.name;
    who.name = scan.layout();
    who.threads = options.device.threads();
    who.items = static_cast<double>(scan.dataset().frames);
    who.run = bench::timed([&scan, ask = question.ask]() -> Status {
        SLUICE_TRY([[maybe_unused]] auto const numbers, ask(scan));
        return {};
    });
    who.answer = [&scan, ask = question.ask]() -> Result<bench::Answer> {
        SLUICE_TRY(auto const numbers, ask(scan));
        return bench::Answer{bench::checksum(std::as_bytes(std::span(numbers)))};
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
