// simulate_disks OUT CIF KILOVOLTS ROWS COLS PIXEL [GRAINS [WHAT]]: saves the disks of a scan over
// grains that lie in random ways, by the library's theory, with Poisson counts and noise in their
// places. WHAT: `some` patterns are empty, `few` disks in all, `none` at all, `nan` for one place.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string_view>

#include "sluice/bragg_vectors.h"
#include "sluice/orientation_library.h"
#include "sluice/structure_factors.h"

namespace {

using namespace sluice;
using namespace sluice::stem4d;

constexpr sluice::index detector = 512;
constexpr double middle = 256, noise = 0.002, counts = 2e4, most_frequency = 1.4;

struct Wish {
    double kilovolts = 200, pixel = 0.01;
    sluice::index rows = 1, cols = 1;
    int grains = 1;
    std::string_view what;
};

class Simulation {
  public:
    explicit Simulation(Wish const& wish) : wish_(wish) {
        vectors_.scan_shape = {wish.rows, wish.cols};
        vectors_.detector_shape = {detector, detector};
        vectors_.first.push_back(0);
    }

    Result<BraggVectors> run(OrientationLibrary const& library) {
        std::vector<std::array<double, 2>> places;
        std::vector<std::vector<TheorySpot>> spots;
        for (int i = 0; i < wish_.grains; ++i) {
            places.push_back({part() * static_cast<double>(wish_.rows),
                              part() * static_cast<double>(wish_.cols)});
            SLUICE_TRY(spots.emplace_back(), library.pattern(0, any_rotation()));
        }
        for (sluice::index r = 0; r < wish_.rows; ++r)
            for (sluice::index c = 0; c < wish_.cols; ++c) {
                std::size_t best = 0;
                auto const off = [&](std::size_t i) {
                    return std::hypot(places[i][0] - static_cast<double>(r),
                                      places[i][1] - static_cast<double>(c));
                };
                for (std::size_t i = 1; i < places.size(); ++i)
                    if (off(i) < off(best)) best = i;
                pattern(spots[best], wish_.what == "none" || (wish_.what == "some" && c == 0));
            }
        if (wish_.what == "nan") vectors_.row[3] = std::numeric_limits<float>::quiet_NaN();
        return std::move(vectors_);
    }

  private:
    double part() { return std::generate_canonical<double, 53>(random_); }
    Orientation any_rotation() {
        double const u = part(), a = 2 * M_PI * part(), b = 2 * M_PI * part();
        return {std::sqrt(u) * std::cos(b), std::sqrt(1 - u) * std::sin(a),
                std::sqrt(1 - u) * std::cos(a), std::sqrt(u) * std::sin(b)};
    }

    void pattern(std::vector<TheorySpot> const& spots, bool empty) {
        if (!empty) {
            disk(0, 0, 5 * counts);
            double sum = 0;
            for (TheorySpot const& s : spots) sum += s.intensity;
            std::normal_distribution<double> off(0, noise);
            sluice::index here = 0;
            for (TheorySpot const& s : spots) {
                double const row = s.row + off(random_), col = s.col + off(random_);
                std::poisson_distribution<int> draw(counts * s.intensity / sum);
                int const n = draw(random_);
                if (n < 4 || std::hypot(row, col) < 2 * wish_.pixel) continue;
                if (wish_.what == "few" && ++here > 3) break;
                disk(row, col, n);
            }
        }
        vectors_.first.push_back(vectors_.size());
        vectors_.reason.push_back(empty ? DiskReason::no_counts : DiskReason::found);
    }
    void disk(double row, double col, double n) {
        auto const put = [](std::vector<float>& column, double v) {
            column.push_back(static_cast<float>(v));
        };
        put(vectors_.row, middle + row / wish_.pixel);
        put(vectors_.col, middle + col / wish_.pixel);
        put(vectors_.intensity, n);
        put(vectors_.background, 0);
        double const variance = noise * noise / (wish_.pixel * wish_.pixel);
        put(vectors_.var_row, variance);
        put(vectors_.var_col, variance);
        put(vectors_.cov_row_col, 0);
        put(vectors_.intensity_error, std::sqrt(n));
        put(vectors_.score, n);
    }

    Wish wish_;
    BraggVectors vectors_;
    std::mt19937 random_{7};
};

Status make(char const* out, char const* cif, Wish const& wish) {
    SLUICE_TRY(UnitCell const cell, load_cif(cif));
    SLUICE_TRY(auto const library,
               OrientationLibrary::build(std::span(&cell, 1), {.kilovolts = wish.kilovolts,
                                                               .zone_step = 20,
                                                               .most_frequency = most_frequency}));
    SLUICE_TRY(BraggVectors const vectors, Simulation(wish).run(library));
    return save_vectors(out, vectors);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 7) {
        std::fputs("usage: simulate_disks OUT CIF KILOVOLTS ROWS COLS PIXEL [GRAINS [WHAT]]\n",
                   stderr);
        return 2;
    }
    Wish wish;
    wish.kilovolts = std::atof(argv[3]), wish.pixel = std::atof(argv[6]);
    wish.rows = std::atol(argv[4]), wish.cols = std::atol(argv[5]);
    if (argc > 7) wish.grains = std::atoi(argv[7]);
    if (argc > 8) wish.what = argv[8];
    auto const done = make(argv[1], argv[2], wish);
    if (done) return 0;
    std::fprintf(stderr, "%s\n", done.error().text().c_str());
    return 1;
}
