// Calls the library for one request, and packs what comes back.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sluice::app {
namespace {

stem4d::Options options_of(Source const& source) {
    stem4d::Options options;
    options.device = source.device;
    options.disk = source.disk;
    options.progress = source.progress;
    return options;
}

// What makes two masks the same one.
std::string key_of(std::optional<stem4d::Detector> const& mask) {
    if (!mask) return "";
    std::string key =
        fmt::format("{};{};{}", static_cast<int>(mask->shape), mask->inner, mask->outer);
    auto const add = [&](stem4d::Point const& p) { key += fmt::format(";{}:{}", p.row, p.col); };
    if (mask->center) add(*mask->center);
    add(mask->from);
    add(mask->to);
    for (stem4d::Point const& p : mask->corners) add(p);
    return key;
}

// The page draws on the arrays that it gets; the library speaks of the full detector.
stem4d::Detector on_detector(Source const& source, stem4d::Detector const& drawn) {
    return stem4d::to_detector(drawn, stem4d::pixel_grid(*source.scan));
}

Result<Answer> answer_sums(Source const& source, ImageRequest const& request) {
    stem4d::Options options = options_of(source);
    options.mean = request.mode == Mode::mean;
    std::vector<stem4d::Detector> detectors;
    for (stem4d::Detector const& d : request.detectors) {
        detectors.push_back(on_detector(source, d));
        // Images are found by their place, and two may have one name.
        detectors.back().name.clear();
    }
    SLUICE_TRY(auto const images, stem4d::virtual_image(*source.scan, detectors, options));
    Answer a;
    a.fields["valid_pixels"] = images.valid_pixels;
    if (options.mean)
        a.arrays.add_floats("images", images.values.shape, images.values.values);
    else
        a.arrays.add_counts("images", images.values.shape, images.values.values);
    return a;
}

Result<Answer> answer_moments(Source const& source, ImageRequest const& request,
                              MomentCache& cache) {
    std::optional<stem4d::Detector> mask;
    if (!request.detectors.empty()) mask = on_detector(source, request.detectors.front());
    SLUICE_TRY(auto const moments, cache.get(source, mask));
    stem4d::PhaseOptions options;
    options.descan = request.descan;
    if (request.rotation.kind != RotationWish::Kind::automatic)
        options.rotation = stem4d::Rotation{request.rotation.degrees, request.rotation.transpose};
    SLUICE_TRY(auto const phase, stem4d::phase_contrast(*moments, options));
    Array<double> const* const parts[] = {&phase.row, &phase.col,        &phase.magnitude,
                                          &phase.row, &phase.divergence, &phase.curl,
                                          &phase.icom};
    auto const mode =
        static_cast<std::size_t>(request.mode) - static_cast<std::size_t>(Mode::com_row);
    std::vector<double> values = parts[mode]->values;
    // The phase is finite everywhere; of what has not come it would only be a guess.
    if (source.comes)
        for (std::size_t i = 0; i < values.size(); ++i)
            if (std::isnan(phase.row.values[i])) values[i] = phase.row.values[i];
    bool const vector = request.mode == Mode::com_vector;
    if (vector) values.insert(values.end(), phase.col.values.begin(), phase.col.values.end());
    Answer a;
    a.fields["rotation"] = {
        {"degrees", phase.rotation.degrees},
        {"transpose", phase.rotation.transpose},
        {"quality", phase.rotation.curl_over_divergence},
        {"error", phase.rotation.error_degrees ? Json(*phase.rotation.error_degrees) : Json()},
        {"determined", phase.rotation.determined()},
        {"sign_known", phase.rotation.sign_known}};
    a.fields["notes"] = phase.notes;
    a.fields["reference"] = {moments->reference.row, moments->reference.col};
    a.arrays.add_floats("images", {vector ? 2 : 1, phase.row.shape[0], phase.row.shape[1]}, values);
    return a;
}

// The region's points on the scan as it is in memory, which may be a subset of the whole.
Result<std::vector<std::uint8_t>> points_of(Source const& source, stem4d::Detector const& region) {
    auto const shape = source.scan->scan_shape();
    index const step = source.step;
    SLUICE_TRY(auto const inside, stem4d::rasterize(region, source.whole, {}));
    std::vector<std::uint8_t> take;
    for (index r = 0; r < shape[0]; ++r)
        for (index c = 0; c < shape[1]; ++c)
            take.push_back(
                inside.values[static_cast<std::size_t>(r * step * source.whole[1] + c * step)] !=
                0);
    if (std::ranges::count(take, 0) == std::ssize(take))
        return Error{Code::invalid_argument,
                     step > 1 ? fmt::format("the region holds none of the points loaded so far "
                                            "(every {}th in both directions); make it larger, or "
                                            "wait for the rest",
                                            step)
                              : "the region holds no scan point; make it larger, or move it inside "
                                "the scan"};
    return take;
}

}  // namespace

Result<std::shared_ptr<stem4d::CenterOfMass const>> MomentCache::get(
    Source const& source, std::optional<stem4d::Detector> const& mask) {
    constexpr std::size_t most = 4;
    std::string const key = key_of(mask);
    {
        std::lock_guard lock(mutex_);
        // A scan that is gone may have left its address to another one.
        std::erase_if(entries_, [](Entry const& e) { return e.scan.expired(); });
        for (Entry const& e : entries_)
            if (e.mask == key && e.scan.lock() == source.scan) return e.moments;
    }
    SLUICE_TRY(auto moments, stem4d::center_of_mass(*source.scan, mask, options_of(source)));
    auto const shared = std::make_shared<stem4d::CenterOfMass const>(std::move(moments));
    std::lock_guard lock(mutex_);
    if (entries_.size() == most) entries_.erase(entries_.begin());
    entries_.push_back({source.scan, key, shared});
    return shared;
}

Result<Answer> answer_image(Source const& source, ImageRequest const& request, MomentCache& cache) {
    if (request.mode <= Mode::mean) return answer_sums(source, request);
    return answer_moments(source, request, cache);
}

Result<Answer> answer_frame(Source const& source, FrameRequest const& request) {
    SLUICE_TRY(auto const pattern, stem4d::frame(*source.scan, request.row, request.col));
    Answer a;
    a.arrays.add_counts("pattern", pattern.shape, pattern.values);
    return a;
}

Result<Answer> answer_pattern(Source const& source, PatternRequest const& request) {
    std::vector<std::uint8_t> take;
    if (request.region) {
        SLUICE_TRY(take, points_of(source, *request.region));
    }
    SLUICE_TRY(auto const pattern,
               stem4d::diffraction_pattern(*source.scan, request.kind, take, options_of(source)));
    Answer a;
    a.fields["frames"] = pattern.frames;
    bool const counts =
        request.kind == stem4d::Pattern::sum || request.kind == stem4d::Pattern::max;
    if (counts)
        a.arrays.add_counts("pattern", pattern.values.shape, pattern.values.values);
    else
        a.arrays.add_floats("pattern", pattern.values.shape, pattern.values.values);
    return a;
}

}  // namespace sluice::app
