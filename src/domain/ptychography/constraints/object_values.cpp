// Support, moduli and phases of the object.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/constraints/object_values.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "device/workers.h"

namespace sluice::ptycho {

namespace {

template <class Real>
void turn_all(Planar<Real>& plane, std::complex<Real> by) {
    for (index r = 0; r < plane.rows(); ++r)
        for (index c = 0; c < plane.cols(); ++c) plane.set(r, c, plane.at(r, c) * by);
}

}  // namespace

template <class Real>
void keep_to_support(Job<Real> const& job, std::vector<Real> const& light, double part) {
    Real const least = static_cast<Real>(part) * *std::max_element(light.begin(), light.end());
    auto const [rows, cols] = job.canvas();
    for (auto& plane : job.state.object)
        parallel_for(rows, job.threads, 16, [&, width = cols](index y, int) {
            for (index x = 0; x < width; ++x)
                if (light[static_cast<std::size_t>(y * width + x)] < least)
                    plane.set(y, x, Real{1});
        });
}

template <class Real>
void limit_moduli(std::vector<Planar<Real>>& object, bool all, int threads) {
    for (auto& plane : object)
        parallel_for(plane.rows(), threads, 16, [&](index y, int) {
            for (index x = 0; x < plane.cols(); ++x) {
                auto const z = plane.at(y, x);
                Real const size = std::abs(z);
                if (size > 1 || (all && size > 0))
                    plane.set(y, x, z / size);
                else if (all)
                    plane.set(y, x, Real{1});
            }
        });
}

template <class Real>
void raise_phases(Job<Real>& job, std::vector<Real> const& light, double part, bool turns) {
    Real const least = Real(0.05) * *std::max_element(light.begin(), light.end());
    for (auto& plane : job.state.object) {
        index const cols = plane.cols();
        // Angles are about the mean direction, so that the cut at pi is far away.
        std::complex<double> mean{};
        std::vector<std::complex<Real>> lit;
        for (index y = 0; y < plane.rows(); ++y)
            for (index x = 0; x < cols; ++x)
                if (light[static_cast<std::size_t>(y * cols + x)] >= least) {
                    lit.push_back(plane.at(y, x));
                    mean += std::complex<double>(lit.back());
                }
        if (mean == 0.0) continue;
        auto const back = static_cast<std::complex<Real>>(std::conj(mean) / std::abs(mean));
        std::vector<Real> phases;
        for (auto const& z : lit) phases.push_back(std::arg(z * back));
        auto const at =
            phases.begin() + static_cast<index>(part * static_cast<double>(phases.size() - 1));
        std::nth_element(phases.begin(), at, phases.end());
        Real const level = *at;
        auto const floor = std::polar(Real{1}, level) * std::conj(back);
        parallel_for(plane.rows(), job.threads, 16, [&](index y, int) {
            for (index x = 0; x < cols; ++x) {
                auto const z = plane.at(y, x);
                if (std::arg(z * back) < level) plane.set(y, x, std::abs(z) * floor);
            }
        });
        if (!turns) continue;
        turn_all(plane, std::conj(floor));
        for (auto* planes : {&job.state.probe, &job.state.opr_modes})
            for (auto& mode : *planes) turn_all(mode, floor);
    }
}

template void keep_to_support(Job<float> const&, std::vector<float> const&, double);
template void keep_to_support(Job<double> const&, std::vector<double> const&, double);
template void limit_moduli(std::vector<Planar<float>>&, bool, int);
template void limit_moduli(std::vector<Planar<double>>&, bool, int);
template void raise_phases(Job<float>&, std::vector<float> const&, double, bool);
template void raise_phases(Job<double>&, std::vector<double> const&, double, bool);

}  // namespace sluice::ptycho
