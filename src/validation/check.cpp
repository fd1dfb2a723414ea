// Compares numbers bit by bit, and by their differences.
// SPDX-License-Identifier: Apache-2.0
#include "validation/check.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "bench/stopwatch.h"
#include "device/isa.h"

namespace sluice::validation {
namespace {

bool same_bits(Numbers const& a, Numbers const& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

double largest(std::span<double const> values) {
    double most = 0;
    for (double const v : values)
        if (std::isfinite(v)) most = std::max(most, std::abs(v));
    return most;
}

// The largest difference of one quantity as a part of its values' scales; infinities and NaN are
// counted apart.
void measure(std::span<double const> found, std::span<double const> reference, double least_scale,
             ValidationRow& row) {
    double const least = std::max(least_scale * largest(reference), 1e-300);
    for (std::size_t i = 0; i < reference.size(); ++i) {
        bool const here = std::isfinite(found[i]), there = std::isfinite(reference[i]);
        if (here != there) ++row.not_finite;
        if (!here || !there) continue;
        double const off = std::abs(found[i] - reference[i]);
        row.difference = std::max(row.difference, off / std::max(std::abs(reference[i]), least));
    }
}

}  // namespace

std::vector<Device> devices(int threads) {
    std::vector<Device> all;
    for (Isa const isa : compiled_isas())
        if (runs_here(isa)) all.push_back(Device::cpu(threads, isa));
    all.push_back(Device::fake());
    for (int gpu = 0; auto const device = Device::cuda(gpu); ++gpu) all.push_back(*device);
    return all;
}

ValidationRow compare(Check const& check, Device const& device, Numbers const& reference) {
    ValidationRow row{.domain = check.domain,
                      .check = check.name,
                      .device = device.name(),
                      .data = check.data,
                      .tolerance = check.tolerance,
                      .why = check.why};
    double const since = bench::system_clock().wall();
    auto const found = check.run(device);
    row.seconds = bench::system_clock().wall() - since;
    if (!found) {
        row.error = found.error().text();
        return row;
    }
    row.values = std::ssize(*found);
    if (found->size() != reference.size()) {
        row.error = "it makes another number of values than the reference";
        return row;
    }
    expects(reference.size() % check.quantities == 0);
    std::size_t const each = reference.size() / check.quantities;
    for (std::size_t q = 0; q < check.quantities; ++q)
        measure(std::span(*found).subspan(q * each, each),
                std::span(reference).subspan(q * each, each), check.least_scale, row);
    auto const again = check.run(device);
    auto const alone = device.remote() ? again : check.run(device.with_threads(1));
    row.repeats = again && alone && same_bits(*found, *again) && same_bits(*found, *alone);
    return row;
}

}  // namespace sluice::validation
