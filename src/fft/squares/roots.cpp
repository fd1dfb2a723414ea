// Computes the tables of roots.
// SPDX-License-Identifier: Apache-2.0
#include "fft/squares/roots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "sluice/result.h"

namespace sluice::fft {
namespace {

struct Root {
    double cos, tan;
};

// Of an angle in turns.
Root root_at(double turns) {
    double const angle = 2 * std::numbers::pi * turns;
    double c = std::cos(angle);
    // A cosine of zero has no tangent. Their product is the sine, and so this loses 1e-9.
    if (std::abs(c) < 1e-9) c = 1e-9;
    return {c, std::sin(angle) / c};
}

void add(std::vector<float>& to, Root r) {
    to.push_back(static_cast<float>(r.cos));
    to.push_back(static_cast<float>(r.tan));
}

// The roots of halves, of quarters, and so on, of n = 2^m numbers; z is at `turns`. Half of those
// of a level are the others times -i, and are left out.
void add_powers_of_two(std::vector<float>& to, index n, double turns) {
    for (index parts = 1; parts < n; parts *= 2) {
        index const apart = n / parts / 2;
        for (index r = 0; r < std::max<index>(1, parts / 2); ++r)
            add(to, root_at(turns * static_cast<double>(apart) +
                            static_cast<double>(r) / static_cast<double>(2 * parts)));
    }
}

// Thirds of 12 numbers, then for each of them a half and a quarter.
void add_twelve(std::vector<float>& to, double turns) {
    Root const y = root_at(4 * turns), square = root_at(8 * turns);
    for (double const v :
         {y.tan, square.tan, square.cos / y.cos, y.cos, y.cos / 2, y.cos * std::numbers::sqrt3 / 2})
        to.push_back(static_cast<float>(v));
    for (index r = 0; r < 3; ++r) {
        double const z = turns + static_cast<double>(r) / 12;
        add(to, root_at(2 * z));
        add(to, root_at(z));
    }
}

std::vector<float> roots(index n, double turns) {
    std::vector<float> all;
    if (n == 12)
        add_twelve(all, turns);
    else
        add_powers_of_two(all, n, turns);
    expects(std::ssize(all) == root_floats(n));
    return all;
}

// For transforms of n numbers at z = w_side^k, k = 0 ... count - 1, one after the other.
std::vector<float> one_by_one(index n, index count, index side) {
    std::vector<float> all;
    for (index k = 0; k < count; ++k) {
        auto const some = roots(n, static_cast<double>(k) / static_cast<double>(side));
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

// Sixteen side by side; k begins anew after `count`.
std::vector<float> side_by_side(index n, index count, index side) {
    auto const of = one_by_one(n, count, side);
    index const sets = count == 12 ? 3 : 1, floats = root_floats(n);
    std::vector<float> all;
    for (index s = 0; s < sets; ++s)
        for (index f = 0; f < floats; ++f)
            for (index lane = 0; lane < 16; ++lane)
                all.push_back(of[static_cast<std::size_t>((s * 16 + lane) % count * floats + f)]);
    return all;
}

struct Tables {
    explicit Tables(index side)
        : floats{side_by_side(16, side / 16, side), side_by_side(side / 16, 16, side),
                 one_by_one(side / 16, 16, side), one_by_one(16, side / 16, side)},
          roots{floats[0].data(), floats[1].data(), floats[2].data(), floats[3].data()} {}
    Tables(Tables const&) = delete;
    Tables& operator=(Tables const&) = delete;

    std::vector<float> floats[4];
    Roots roots;
};

}  // namespace

Roots const& roots_of_square(index side) {
    static Tables const of_64(64), of_128(128), of_192(192), of_256(256);
    expects(side > 0 && side % 64 == 0 && side <= 256);
    return std::array{&of_64, &of_128, &of_192, &of_256}[static_cast<std::size_t>(side / 64 - 1)]
        ->roots;
}

}  // namespace sluice::fft
