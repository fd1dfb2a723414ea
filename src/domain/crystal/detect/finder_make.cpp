// Makes what is the same for all patterns of a scan.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "device/per_isa.h"
#include "domain/crystal/detect/finder.h"

namespace sluice::crystal {
namespace {

Status check(FinderSetup const& s) {
    auto const [rows, cols] = s.shape;
    if (!s.bad.empty() && std::ssize(s.bad) != rows * cols)
        return Error{Code::invalid_argument,
                     fmt::format("{} bad pixels are marked (a pattern has {}x{}) give one mark for "
                                 "each pixel",
                                 s.bad.size(), rows, cols)};
    auto const& shape = s.options.background;
    if (shape.size() > 0 && shape.shape != std::vector<index>{rows, cols})
        return Error{Code::invalid_argument,
                     fmt::format("the background's shape is {} (patterns are {}x{}) give it on the "
                                 "pixels of the patterns",
                                 fft::name_of(shape.shape), rows, cols)};
    if (!std::ranges::all_of(shape.values, [](double v) { return std::isfinite(v); }))
        return Error{Code::invalid_argument,
                     "the background's shape has values that are not finite (every pixel needs "
                     "one) give counts per pixel"};
    return {};
}

// How many pixels share in what the template's kernel sums up: (sum K T)^2 / sum (K T)^2.
double spread_of(Tables const& tables, double mean) {
    double sum = 0, squares = 0;
    float const* const table = tables.at(0, 0);
    for (index i = 0; i < tables.pixels(); ++i) {
        auto const t = static_cast<double>(table[i]);
        double const k = (t - mean) * static_cast<double>(tables.inside()[i]);
        sum += k * t;
        squares += k * t * k * t;
    }
    return sum * sum / squares;
}

}  // namespace

Result<Finder> Finder::make(FinderSetup const& setup, Device const& device) {
    SLUICE_CHECK(check(setup));
    auto const& o = setup.options;
    index const bin = o.bin;
    SLUICE_TRY(
        Correlator correlator,
        Correlator::make({setup.shape[0] / bin, setup.shape[1] / bin},
                         kernel_image(setup.probe, o.fit_radius, bin, setup.detector_bin), device));
    return Finder(setup, device, std::move(correlator));
}

Finder::Finder(FinderSetup setup, Device const& device, Correlator correlator)
    : setup_(std::move(setup)),
      fit_(&table_for(device, fit_twin(), &fit_kernels)),
      joint_(&table_for(device, joint_twin(), &joint_kernels)),
      detect_(&detect_kernels(device.isa())),
      tables_(setup_.probe, setup_.options.fit_radius, setup_.detector_bin),
      correlator_(std::move(correlator)),
      gaps_(setup_.bad, setup_.shape[0], setup_.shape[1]),
      margin_(tables_.side()),
      pitch_((setup_.shape[1] + 2 * margin_ + 15) / 16 * 16),
      weights_(pitch_ * (setup_.shape[0] + 2 * margin_)) {
    auto const [rows, cols] = setup_.shape;
    scale_ = 1 / setup_.options.gain;
    shift_ = std::pow(setup_.options.read_noise * scale_, 2);
    auto const& background = setup_.options.background;
    if (background.size() > 0) shape_ = AlignedFloats(weights_.size());
    // A shape says nothing of its scale.
    double level = 0;
    for (double const v : background.values) level += v / static_cast<double>(rows * cols);
    float const least = std::max(static_cast<float>(1e-6 * level), 1e-30F);
    // Beyond the frame a shape of 1 keeps lambda above 0; nothing weighs there.
    std::fill_n(shape_.data(), shape_.size(), 1.0F);
    for (index i = 0; i < rows * cols; ++i) {
        auto const n = static_cast<std::size_t>(i);
        index const at = (i / cols + margin_) * pitch_ + i % cols + margin_;
        bool const good = setup_.bad.empty() || !setup_.bad[n];
        weights_.data()[at] = good ? 1.0F : 0.0F;
        all_good_ = all_good_ && good;
        if (!shape_.empty())
            shape_.data()[at] = std::max(static_cast<float>(background.values[n]), least);
    }
    setup_.bad = {};
    double inside = 0, sum = 0, norm = 0, own = 0;
    float const* const table = tables_.at(0, 0);
    for (index i = 0; i < tables_.pixels(); ++i) {
        inside += static_cast<double>(tables_.inside()[i]);
        sum += static_cast<double>(table[i] * tables_.inside()[i]);
    }
    double const mean = sum / inside;
    for (index i = 0; i < tables_.pixels(); ++i) {
        auto const t = static_cast<double>(table[i]);
        double const k = (t - mean) * static_cast<double>(tables_.inside()[i]);
        norm += k * t;
        own += k * k * t;
    }
    // A disk has at least the noise of its own counts.
    double const snr = setup_.options.least_snr;
    floor_ = snr * snr * own / (norm * norm);
    least_spread_ = std::min(4.0, spread_of(tables_, mean) / 2);
}

std::uint64_t Finder::room_bytes() const {
    auto const extents = correlator_.extents();
    auto const all = static_cast<std::uint64_t>(extents[0] * extents[1]);
    auto const margins = static_cast<std::uint64_t>(weights_.size());
    auto const scratch = static_cast<std::uint64_t>(correlator_.scratch());
    // Of two patterns the counts with margins and their weights, binned and correlated; counts that
    // are read, in double; a pattern's neighbours.
    std::uint64_t const floats = 2 * (2 * margins + 2 * all) + scratch + margins;
    return floats * sizeof(float) + static_cast<std::uint64_t>(pixels()) * sizeof(double) +
           all / 4 * sizeof(Peak);
}

std::uint64_t Finder::bytes() const {
    auto const extents = correlator_.extents();
    // Tables of each phase, three numbers a pixel, as squares and packed.
    constexpr std::uint64_t all_phases = (Tables::phases + 1) * (Tables::phases + 1) * 3;
    auto const pixels = static_cast<std::uint64_t>(tables_.pixels() + tables_.packed_pixels());
    std::uint64_t const floats =
        static_cast<std::uint64_t>(weights_.size() + shape_.size() + 2 * extents[0] * extents[1]) +
        all_phases * pixels;
    return floats * sizeof(float);
}

Finder::Room::Room(Finder const& f) : scratch_(f.correlator_.scratch()), crop_(f.tables_, *f.fit_) {
    auto const extents = f.correlator_.extents();
    for (Pattern& p : patterns_) {
        p.counts = AlignedFloats(f.weights_.size());
        p.binned = AlignedFloats(extents[0] * extents[1]);
        p.correlated = AlignedFloats(extents[0] * extents[1] + 16);
    }
    peaks_.resize(static_cast<std::size_t>(extents[0] * extents[1] / 4 + 1));
}

}  // namespace sluice::crystal
