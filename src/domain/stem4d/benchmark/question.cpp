// Asks, and sums up the numbers of what is answered.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/benchmark/question.h"

#include <algorithm>
#include <cmath>

namespace sluice::stem4d {

Result<Products> ask(Question const& q, Scan const& scan, Options options, Shortcuts shortcuts) {
    Wanted wanted;
    wanted.detectors = q.detectors;
    wanted.center_of_mass = q.center_of_mass;
    wanted.within = q.within;
    wanted.patterns = q.patterns;
    wanted.take = q.take;
    SLUICE_TRY(ProductWork work, ProductWork::begin(scan, wanted, options));
    SLUICE_TRY(AllProducts::Result found, work.run(scan, options, shortcuts));
    return std::move(work).finish(std::move(found), scan, options);
}

bench::Answer numbers_of(Products const& p) {
    bench::Answer all;
    auto const add = [&](std::vector<double> const& values) {
        all.push_back(bench::checksum(std::as_bytes(std::span(values))));
    };
    add(p.images.values.values);
    add(p.center_of_mass.row.values);
    add(p.center_of_mass.col.values);
    for (DiffractionPattern const& one : p.patterns) add(one.values.values);
    return all;
}

std::vector<std::uint8_t> middle_of(std::array<index, 2> scan) {
    double const rows = static_cast<double>(scan[0]), cols = static_cast<double>(scan[1]);
    std::vector<std::uint8_t> take;
    for (index r = 0; r < scan[0]; ++r)
        for (index c = 0; c < scan[1]; ++c)
            take.push_back(
                std::hypot(static_cast<double>(r) - rows / 2, static_cast<double>(c) - cols / 2) <=
                0.2 * std::min(rows, cols));
    return take;
}

}  // namespace sluice::stem4d
