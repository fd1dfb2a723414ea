// The translation out of the cross spectrum, the ramp out of the quotient, the scale by squares.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/compare/overlay.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "domain/ptychography/compare/tilt.h"
#include "fft/fft.h"

namespace sluice::ptycho {

namespace {

using Complex = std::complex<double>;
using stem4d::Position;
constexpr double turn = 2 * std::numbers::pi;

double hann(index i, index n) {
    return 0.5 - 0.5 * std::cos(turn * (static_cast<double>(i) + 0.5) / static_cast<double>(n));
}

// b lies at a's places plus this: a(x) = b(x + shift).
Result<Position> shift_between(Array<std::complex<float>> const& a,
                               Array<std::complex<float>> const& b, std::array<double, 2> most) {
    index const rows = a.shape[0], cols = a.shape[1];
    SLUICE_TRY(auto const plan, fft::Plan<double>::make({.shape = {rows, cols}}));
    Plane x = windowed(a), y = windowed(b), cross(x.size());
    SLUICE_CHECK(plan.forward(x));
    SLUICE_CHECK(plan.forward(y));
    // Frequencies in ascending order, so that a translation is one straight wave.
    for (index k = 0; k < rows; ++k)
        for (index l = 0; l < cols; ++l) {
            auto const from = static_cast<std::size_t>((k + (rows + 1) / 2) % rows * cols +
                                                       (l + (cols + 1) / 2) % cols);
            cross[static_cast<std::size_t>(k * cols + l)] = x[from] * std::conj(y[from]);
        }
    SLUICE_TRY(auto const tilt, strongest_tilt(cross, rows, cols, most));
    return Position{tilt.row * static_cast<double>(rows) / turn,
                    tilt.col * static_cast<double>(cols) / turn};
}

// z(x) becomes z(x + shift); what leaves on one side comes back on the other.
Status move_back(Array<std::complex<float>>& object, Position shift) {
    index const rows = object.shape[0], cols = object.shape[1];
    SLUICE_TRY(auto const plan, fft::Plan<double>::make({.shape = {rows, cols}}));
    Plane z(object.values.begin(), object.values.end());
    SLUICE_CHECK(plan.forward(z));
    for (index k = 0; k < rows; ++k)
        for (index l = 0; l < cols; ++l) {
            double const y =
                static_cast<double>(k < (rows + 1) / 2 ? k : k - rows) / static_cast<double>(rows);
            double const x =
                static_cast<double>(l < (cols + 1) / 2 ? l : l - cols) / static_cast<double>(cols);
            z[static_cast<std::size_t>(k * cols + l)] *=
                std::polar(1.0, turn * (y * shift.row + x * shift.col));
        }
    SLUICE_CHECK(plan.inverse(z));
    object.values.assign(z.begin(), z.end());
    return {};
}

// What is left between an object and its truth, without the phase and the scale of the whole.
void take_off(stem4d::Alignment& a, Array<std::complex<float>> const& truth,
              std::vector<std::uint8_t> const& region, Tilt const& tilt) {
    index const cols = truth.shape[1];
    double power = 0, product = 0, amplitude = 0, phase = 0, modulus = 0, count = 0;
    for (std::size_t i = 0; i < truth.values.size(); ++i) {
        index const row = static_cast<index>(i) / cols, col = static_cast<index>(i) % cols;
        auto const r = static_cast<double>(row), c = static_cast<double>(col);
        Complex const z = Complex(a.object.values[i]) *
                          std::polar(1.0, -(tilt.row * r + tilt.col * c + std::arg(tilt.sum)));
        a.object.values[i] = static_cast<std::complex<float>>(z);
        if (!region.empty() && !region[i]) continue;
        Complex const t(truth.values[i]);
        power += std::norm(t);
        product += (z * std::conj(t)).real();
        modulus += std::abs(t);
        count += 1;
    }
    a.scale = product / power;
    for (std::size_t i = 0; i < truth.values.size(); ++i) {
        a.object.values[i] /= static_cast<float>(a.scale);
        if (!region.empty() && !region[i]) continue;
        Complex const z(a.object.values[i]), t(truth.values[i]);
        phase += std::pow(std::arg(z * std::conj(t)), 2);
        amplitude += std::pow(std::abs(z) - std::abs(t), 2);
    }
    a.phase_rms = std::sqrt(phase / count);
    a.amplitude_rms = std::sqrt(amplitude / count) / (modulus / count);
}

}  // namespace

Plane windowed(Array<std::complex<float>> const& object) {
    index const rows = object.shape[0], cols = object.shape[1];
    Plane z(object.values.begin(), object.values.end());
    Complex mean{};
    double weight = 0;
    auto const window = [&](std::size_t i) {
        return hann(static_cast<index>(i) / cols, rows) * hann(static_cast<index>(i) % cols, cols);
    };
    for (std::size_t i = 0; i < z.size(); ++i) mean += window(i) * z[i], weight += window(i);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = window(i) * (z[i] - mean / weight);
    return z;
}

Result<stem4d::Alignment> overlay(Array<std::complex<float>> const& found,
                                  Array<std::complex<float>> const& truth,
                                  std::vector<std::uint8_t> const& region,
                                  std::array<double, 2> most) {
    if (found.shape.size() != 2 || found.shape != truth.shape)
        return Error{Code::invalid_argument,
                     "the objects differ in shape (they are laid on each other pixel by pixel) cut "
                     "both to the same [row][col]"};
    index const rows = truth.shape[0], cols = truth.shape[1];
    stem4d::Alignment a{.object = found};
    auto flat = truth;
    SLUICE_TRY(auto const ramp, stem4d::remove_ramp(a.object, region));
    SLUICE_TRY(auto const other, stem4d::remove_ramp(flat, region));
    // The window lies still, and draws the answer to 0 by a part of it: so again with what is left.
    Position shift;
    auto const level = a.object;
    for (int i = 0; i < 4; ++i) {
        SLUICE_TRY(Position const left, shift_between(flat, a.object, most));
        shift = {shift.row + left.row, shift.col + left.col};
        a.object = level;
        SLUICE_CHECK(move_back(a.object, shift));
    }
    a.shift = {-shift.row, -shift.col};
    Plane quotient(flat.values.size());
    for (std::size_t i = 0; i < quotient.size(); ++i)
        if (region.empty() || region[i])
            quotient[i] = Complex(a.object.values[i]) * std::conj(Complex(flat.values[i]));
    SLUICE_TRY(auto const left,
               strongest_tilt(quotient, rows, cols,
                              {static_cast<double>(rows) / 2, static_cast<double>(cols) / 2}));
    // Back onto the truth with the ramp that it has.
    Tilt const tilt{left.row - other.row, left.col - other.col,
                    std::polar(1.0, std::arg(left.sum) - other.phase)};
    take_off(a, truth, region, tilt);
    a.ramp = {
        ramp.row + tilt.row, ramp.col + tilt.col,
        std::remainder(
            ramp.phase + ramp.row * shift.row + ramp.col * shift.col + std::arg(tilt.sum), turn)};
    return a;
}

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Result<Alignment> align(Array<std::complex<float>> const& found,
                        Array<std::complex<float>> const& truth,
                        std::vector<std::uint8_t> const& region) {
    if (truth.shape.size() != 2)
        return Error{Code::invalid_argument,
                     "objects to align must be [row][col] (take one slice)"};
    return ptycho::overlay(
        found, truth, region,
        {static_cast<double>(truth.shape[0]) / 8, static_cast<double>(truth.shape[1]) / 8});
}

}  // namespace sluice::stem4d
