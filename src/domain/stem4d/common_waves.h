// CommonWaves: what two images that nearly coincide have in common, as a function of a shift.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fft/fft.h"
#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// Images without holes, [row][col] of one shape.
struct ImagePair {
    index rows, cols;
    std::vector<double> reference, image;
};

/// The sum over waves of weight Re(conj(reference) image exp(i wave shift)), for images of
/// energy 1. Waves weigh as much as they stand out of noise.
class CommonWaves {
  public:
    /// The window of the image, where edges fade, lies `at` from that of the reference, so that it
    /// moves with what is seen. Fails when memory is short.
    static Result<CommonWaves> make(ImagePair const& pair, Point at);

    struct At {
        double value = 0;
        std::array<double, 2> slope = {};
        std::array<double, 3> bend = {};  ///< minus the second derivatives: rows, both, columns
    };
    At at(Point shift) const;
    /// The shift with the largest value on a grid of quarters of a point up to `reach`.
    Point best_of_grid(double reach) const;
    /// Weights from what is common at the shift, on average over waves of about one length.
    void weigh(Point shift);

    bool down() const { return waves_[0].size() > 1; }
    bool across() const { return waves_[1].size() > 1; }

    /// How the slope varies by noise, as At::bend has it; and by how much a bend does by itself.
    struct Noise {
        std::array<double, 3> slope = {};
        double bend = 0;
    };
    Noise noise() const;
    /// What is common at the shift, in standard deviations of what random phases have; and how many
    /// waves say so.
    struct Odds {
        double significance = 0, waves = 0;
    };
    Odds odds(Point shift) const;

  private:
    std::size_t band(std::size_t i) const;

    std::array<std::vector<double>, 2> waves_ = {};   // radians per point
    std::vector<fft::Complex<double>> product_ = {};  // conj(reference) image
    std::vector<double> weight_ = {}, signal_ = {};   // [wave] signal: power that is common
    double noise_ = 0;                                // power in a wave, of both images together
    double spread_ = 1;  // how much more sums over waves vary because edges fade
};

}  // namespace sluice::stem4d
