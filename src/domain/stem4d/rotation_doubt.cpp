// How well a field determines a rotation: what its parts say, one by one.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numbers>
#include <vector>

#include "domain/stem4d/slopes.h"

namespace sluice::stem4d {
namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double least_chance = 3e-4, sure = 2.6;  // standard errors: 1 of 200 goes wrong
constexpr index largest_grid = 10, smallest_side = 3, least_blocks = 6;

// With the angle t of the field the mean square of its curl is a constant less x cos 2t + y sin 2t:
// what it can be lowered by. One term of the sum for every block of positions.
struct Block {
    index positions = 0;
    double x = 0, y = 0;
    double cubes = 0;  // of the divergence after the turn: skewed at atoms
};

index blocks_along(index inner) {
    return std::clamp<index>(inner / smallest_side, 1, largest_grid);
}

std::vector<Block> blocks_of(Array<double> const& row, Array<double> const& col,
                             Rotation const& rotation) {
    index const inner_rows = row.shape[0] - 2, inner_cols = row.shape[1] - 2;
    index const down = blocks_along(inner_rows), across = blocks_along(inner_cols);
    double const cos = std::cos(rotation.degrees * degree),
                 sin = std::sin(rotation.degrees * degree);
    double curl = 0, divergence = 0, n = 0;
    for_each_inner(row, col, rotation.transpose, [&](Slopes s, index, index) {
        curl += s.curl, divergence += s.divergence, ++n;
    });
    std::vector<Block> blocks(static_cast<std::size_t>(down * across));
    for_each_inner(row, col, rotation.transpose, [&](Slopes s, index r, index c) {
        double const a = s.curl - curl / n, b = s.divergence - divergence / n;
        Block& block = blocks[static_cast<std::size_t>((r - 1) * down / inner_rows * across +
                                                       (c - 1) * across / inner_cols)];
        ++block.positions;
        block.x += (b * b - a * a) / 2, block.y -= a * b;
        double const turned = cos * b - sin * a;
        block.cubes += turned * turned * turned;
    });
    std::erase_if(blocks, [](Block const& b) { return b.positions == 0; });
    return blocks;
}

struct Sums {
    double sum = 0, squares = 0;
    // How far from 0, where the signs of the parts are as likely one way as the other. It does not
    // matter how different the parts are in size, and a single one decides nothing.
    double significance() const { return squares > 0 ? sum / std::sqrt(squares) : 0; }
};

template <class Value>
Sums sums_of(std::vector<Block> const& blocks, Value const& value) {
    Sums s;
    for (Block const& b : blocks) s.sum += value(b), s.squares += value(b) * value(b);
    return s;
}

// The probability that parts which point anywhere add up to so much (Rayleigh's test, weighted).
double chance_of(std::vector<Block> const& blocks) {
    Sums const x = sums_of(blocks, [](Block const& b) { return b.x; });
    Sums const y = sums_of(blocks, [](Block const& b) { return b.y; });
    double const squares = x.squares + y.squares;
    return squares > 0 ? std::exp(-(x.sum * x.sum + y.sum * y.sum) / squares) : 1;
}

// How much lower the mean square of the curl gets than its average over all angles.
auto lowered_by(double degrees) {
    double const cos = std::cos(2 * degrees * degree), sin = std::sin(2 * degrees * degree);
    return [=](Block const& b) { return b.x * cos + b.y * sin; };
}

double best_degrees(std::vector<Block> const& blocks) {
    double x = 0, y = 0;
    for (Block const& b : blocks) x += b.x, y += b.y;
    return std::atan2(y, x) / 2 / degree;
}

}  // namespace

void judge(Rotation& rotation, Array<double> const& row, Array<double> const& col) {
    std::vector<Block> const blocks = blocks_of(row, col, rotation);
    rotation.angle_known = rotation.transpose_known = rotation.sign_known = false;
    rotation.by_chance = 1;
    if (std::ssize(blocks) < least_blocks) return;
    // The better of two transposes was taken, so that chance had two tries.
    rotation.by_chance = std::min(1.0, 2 * chance_of(blocks));
    rotation.angle_known = rotation.by_chance < least_chance;
    auto const gain = lowered_by(rotation.degrees);
    Sums const along = sums_of(blocks, gain);
    Sums const across = sums_of(blocks, lowered_by(rotation.degrees - 45));
    // The standard error of an angle that is fully unknown.
    constexpr double any = 52;
    rotation.error_degrees =
        along.sum > 0 ? std::min(any, std::sqrt(across.squares) / along.sum / 2 / degree) : any;
    Rotation other = rotation;
    other.transpose = !rotation.transpose;
    std::vector<Block> differences = blocks_of(row, col, other);
    auto const other_gain = lowered_by(best_degrees(differences));
    for (std::size_t i = 0; i < differences.size(); ++i)
        differences[i].x = gain(blocks[i]) - other_gain(differences[i]);
    Sums const better = sums_of(differences, [](Block const& b) { return b.x; });
    rotation.transpose_known = better.significance() > sure && better.sum > 1e-6 * along.sum;
    Sums const skew = sums_of(blocks, [](Block const& b) { return b.cubes; });
    rotation.sign_known = std::abs(skew.significance()) > sure;
}

}  // namespace sluice::stem4d
