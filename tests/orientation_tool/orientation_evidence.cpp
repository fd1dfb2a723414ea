// orientation_evidence KILOVOLTS PRECESSION_MRAD MOST_FREQUENCY PIXEL ROW COL RADIUS DISKS CIF...:
// prints what is known of the match of each pattern, for bench/crystal/orientation_reliability.py.
// Each pattern's origin is its brightest disk within RADIUS px of ROW, COL.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "domain/orientation/match/match_work.h"
#include "sluice/bragg_vectors.h"
#include "sluice/structure_factors.h"

namespace {

using namespace sluice;
using namespace sluice::stem4d;

// What a user's origins are in a scan whose direct beam is seen everywhere.
void center(BraggVectors& v, Point middle, double radius) {
    for (sluice::index p = 0; p < v.scan_shape[0] * v.scan_shape[1]; ++p) {
        auto const first = static_cast<std::size_t>(v.first[static_cast<std::size_t>(p)]);
        auto const last = first + static_cast<std::size_t>(v.count(p));
        std::size_t direct = last;
        for (std::size_t j = first; j < last; ++j) {
            double const row = static_cast<double>(v.row[j]) - middle.row,
                         col = static_cast<double>(v.col[j]) - middle.col;
            if (std::hypot(row, col) < radius &&
                (direct == last || v.intensity[j] > v.intensity[direct]))
                direct = j;
        }
        if (direct == last) continue;
        float const row = static_cast<float>(middle.row) - v.row[direct],
                    col = static_cast<float>(middle.col) - v.col[direct];
        for (std::size_t j = first; j < last; ++j) v.row[j] += row, v.col[j] += col;
    }
}

Calibration calibration_of(BraggVectors const& v, double pixel, Point middle) {
    Calibration c;
    c.scan_shape = v.scan_shape;
    c.detector_shape = v.detector_shape;
    c.pixel_size = pixel;
    OriginFit origins;
    origins.scan_shape = c.scan_shape;
    origins.surface = OriginSurface::mean;
    origins.row = {middle.row}, origins.col = {middle.col};
    origins.covariance = {0};
    origins.used = v.scan_shape[0] * v.scan_shape[1];
    c.origins = origins;
    return c;
}

void tell(sluice::index pattern, orient::Match const& m) {
    orient::Evidence const& e = m.evidence;
    auto const& q = m.orientation;
    fmt::print("{}\t{}\t{}\t{:.9g}\t{:.9g}\t{:.9g}\t{:.9g}", pattern, name_of(m.reason), m.phase,
               q.w, q.x, q.y, q.z);
    for (auto const& [name, value] : orient::numbers_of(e)) fmt::print("\t{:.7g}", value);
    fmt::print("\n");
}

Status run(char** words, int count) {
    double numbers[7];
    for (int i = 0; i < 7; ++i) numbers[i] = std::strtod(words[i], nullptr);
    std::vector<UnitCell> cells;
    for (int i = 8; i < count; ++i) {
        SLUICE_TRY(UnitCell cell, load_cif(words[i]));
        cell.name = fmt::format("{}", i - 8);
        cells.push_back(std::move(cell));
    }
    Options run{.device = Device::cpu(1)};
    LibraryOptions options{.kilovolts = numbers[0], .most_frequency = numbers[2]};
    options.precession_mrad = numbers[1];
    SLUICE_TRY(auto const library, OrientationLibrary::build(cells, options, run));
    SLUICE_TRY(BraggVectors vectors, load_vectors(words[7]));
    Point const middle{numbers[4], numbers[5]};
    center(vectors, middle, numbers[6]);
    SLUICE_TRY(auto const calibrated,
               apply_calibration(vectors, calibration_of(vectors, numbers[3], middle)));
    MatchOptions const match{};
    SLUICE_TRY(auto const work, orient::MatchWork::begin(calibrated, library, match, run));
    SLUICE_TRY(auto const found, fold::fold(work->groups(), work->analysis(), work->run_options()));
    for (std::string const& note : work->map_of(found).notes) fmt::print("# {}\n", note);
    fmt::print("pattern\treason\tphase\tw\tx\ty\tz");
    for (auto const& [name, value] : orient::numbers_of({})) fmt::print("\t{}", name);
    fmt::print("\n");
    for (std::size_t p = 0; p < found.size(); ++p)
        tell(static_cast<sluice::index>(p), found[p].front());
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 10) {
        fmt::print(stderr,
                   "usage: orientation_evidence KILOVOLTS PRECESSION_MRAD MOST_FREQUENCY PIXEL ROW "
                   "COL RADIUS "
                   "DISKS CIF...\n");
        return 2;
    }
    auto const done = run(argv + 1, argc - 1);
    if (done) return 0;
    fmt::print(stderr, "{}\n", done.error().text());
    return 1;
}
