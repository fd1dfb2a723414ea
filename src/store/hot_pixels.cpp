// The local hot-pixel test.
// SPDX-License-Identifier: Apache-2.0
#include "store/hot_pixels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/run.h"
#include "base/with_type.h"

namespace sluice::store {

std::vector<std::uint32_t> HotPixels::left_out() const {
    std::vector<std::uint32_t> out;
    for (BrightPixel const& p : hot) out.push_back(p.pixel);
    return out;
}

std::vector<std::uint32_t> hot_pixels_of(std::span<double const> sums, index rows, index cols,
                                         std::span<std::uint32_t const> bad) {
    std::vector<std::uint32_t> hot;
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c) {
            double const v = sums[static_cast<std::size_t>(r * cols + c)];
            double brightest = 0, second = 0;
            int neighbours = 0;
            for (index y = std::max<index>(0, r - 1); y <= std::min(rows - 1, r + 1); ++y)
                for (index x = std::max<index>(0, c - 1); x <= std::min(cols - 1, c + 1); ++x) {
                    auto const pixel = static_cast<std::uint32_t>(y * cols + x);
                    if ((y == r && x == c) || std::ranges::binary_search(bad, pixel)) continue;
                    ++neighbours;
                    double const n = sums[static_cast<std::size_t>(y * cols + x)];
                    second = std::max(second, std::min(n, brightest));
                    brightest = std::max(brightest, n);
                }
            // A pixel without neighbours to compare with is not judged.
            if (neighbours >= 2 && v > 5 * second && v - second > 6 * std::sqrt(v + second + 1))
                hot.push_back(static_cast<std::uint32_t>(r * cols + c));
        }
    return hot;
}

namespace {

// The part of all counts that a direct beam has at least.
constexpr double much = 0.05;

// Counts of a pixel over the sample.
struct Sample {
    std::vector<double> sums, squares;
    double frames = 0;
    bool whole = true;          // they are counts, and not floats in some unit
    double saturation = 1e300;  // at which a beam is as constant as a stuck pixel

    void add(std::size_t pixel, double v) {
        if (std::isfinite(v)) sums[pixel] += v, squares[pixel] += v * v;
    }
    // Electrons come at random, and so their counts differ between frames; a stuck pixel's do not.
    bool is_stuck(std::size_t pixel) const {
        double const mean = sums[pixel] / frames;
        return whole && frames > 1 && mean < saturation &&
               squares[pixel] / frames - mean * mean < 0.1 * mean;
    }
};

HotPixels judged(Sample const& sample, Plan const& plan, std::vector<std::uint32_t> const& bad) {
    double all = 0, alive = 0;
    for (std::size_t i = 0; i < sample.sums.size(); ++i) {
        if (std::ranges::binary_search(bad, static_cast<std::uint32_t>(i))) continue;
        all += std::max(0.0, sample.sums[i]);
        alive += sample.is_stuck(i) ? 0 : sample.sums[i];
    }
    HotPixels out;
    for (std::uint32_t const pixel : hot_pixels_of(sample.sums, plan.rows, plan.cols, bad)) {
        BrightPixel const bright{pixel, sample.sums[pixel] / all};
        bool const beam = sample.sums[pixel] >= much * alive && !sample.is_stuck(pixel);
        bool const brightest = !out.beam_like || bright.share > out.beam_like->share;
        if (!beam || !brightest) {
            out.hot.push_back(bright);
            continue;
        }
        if (out.beam_like) out.hot.push_back(*out.beam_like);
        out.beam_like = bright;
    }
    std::ranges::sort(out.hot, {}, &BrightPixel::pixel);
    return out;
}

std::string about(BrightPixel const& p, index cols) {
    return fmt::format("row {}, column {} holds {:.0f} % of all counts", p.pixel / cols,
                       p.pixel % cols, 100 * p.share);
}

}  // namespace

std::vector<std::string> warnings_of(HotPixels const& found, index cols) {
    std::vector<std::string> out;
    for (BrightPixel const& p : found.hot)
        if (p.share >= much)
            out.push_back(
                fmt::format("the hot pixel at {} and was left out; without --hot-pixels it is kept",
                            about(p, cols)));
    if (found.beam_like)
        out.push_back(
            fmt::format("the bright single pixel at {} and was kept, for it may be the direct "
                        "beam; --mask leaves it out",
                        about(*found.beam_like, cols)));
    return out;
}

Result<HotPixels> find_hot_pixels(Dataset const& dataset, PixelRules const& rules,
                                  LoadOptions const& options) {
    LoadOptions plain;
    plain.pixel_mask = false;
    SLUICE_TRY(Plan plan, make_plan(dataset, plain));
    plan.rules = rules;
    UnitMaker maker(dataset, plan, options.device.isa());
    constexpr index most = 32;
    index const units = plan.tiles(), n = std::min(most, units);
    Sample sample;
    sample.sums.resize(static_cast<std::size_t>(plan.pixels()));
    sample.squares = sample.sums;
    sample.whole = plan.dtype != DType::f32;
    if (dataset.saturation) sample.saturation = static_cast<double>(*dataset.saturation);
    std::vector<std::byte> values(
        static_cast<std::size_t>(planes::tile_frames * plan.pixels() * size_of(plan.dtype)));
    for (index i = 0; i < n; ++i) {
        index const t = n > 1 ? i * (units - 1) / (n - 1) : 0;
        index const frames = std::min(planes::tile_frames, plan.frames() - t * planes::tile_frames);
        SLUICE_CHECK(tell_progress(options.progress, 0, plan.bytes_to_read(dataset, units)));
        SLUICE_CHECK(maker.make_values(t, values.data()));
        index measured = 0;
        for (index k = 0; k < frames * plan.pixels(); ++k) {
            // A missing frame reads as a fill value, which is not a count and does not fluctuate.
            index const frame = t * planes::tile_frames + k / plan.pixels();
            if (!plan.lost.empty() && plan.lost[static_cast<std::size_t>(frame)]) continue;
            measured += k % plan.pixels() == 0;
            double v = 0;
            auto const at = [&]<class T>(T) {
                T x;
                std::memcpy(&x, values.data() + k * static_cast<index>(sizeof(T)), sizeof(T));
                v = static_cast<double>(x);
            };
            with_detector_type(plan.dtype, at);
            sample.add(static_cast<std::size_t>(k % plan.pixels()), v);
        }
        sample.frames += static_cast<double>(measured);
    }
    return judged(sample, plan, rules.bad);
}

}  // namespace sluice::store
