// Protons that a nuclear collision has turned aside.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/halo.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "domain/proton/marching/grid.h"

namespace sluice::proton::marching {
namespace {

constexpr int table_size = 4096;
constexpr double farthest = 4;  // standard deviations of the range that count
constexpr double steepest = 75 * std::numbers::pi / 180;

// Nodes of a normal distribution, equally far apart and alike on both sides, with its variance.
struct Nodes {
    std::array<double, 10> at{}, weight{};
    explicit Nodes(double offset) {
        double sum = 0, squares = 0;
        for (std::size_t k = 0; k < at.size(); ++k) {
            std::size_t const pair = k / 2;
            at[k] = 0.6 * (static_cast<double>(pair) + offset) * (k % 2 == 0 ? 1 : -1);
            weight[k] = std::exp(-at[k] * at[k] / 2);
            sum += weight[k];
            squares += weight[k] * at[k] * at[k];
        }
        for (std::size_t k = 0; k < at.size(); ++k) {
            at[k] *= std::sqrt(sum / squares);
            weight[k] /= sum;
        }
    }
};

double fraction(double v) {
    return v - std::floor(v);
}

}  // namespace

Halo::Sums& Halo::Sums::operator+=(Sums const& s) {
    path += s.path;
    energy += s.energy;
    energy_let += s.energy_let;
    others += s.others;
    others_let += s.others_let;
    return *this;
}

Halo::Sums Halo::Sums::scaled(double by) const {
    return {path * by, energy * by, energy_let * by, others * by, others_let * by};
}

Halo::Place Halo::Place::at(double x) {
    auto const column = static_cast<std::size_t>(x);
    return {column, x - static_cast<double>(column)};
}

double Halo::Place::sum(std::vector<double> const& before) const {
    return before[column] + part * (before[column + 1] - before[column]);
}

Halo::Cover::Cover(double from, double past, double columns_of_phantom)
    : low(Place::at(std::max(from, 0.0))),
      high(Place::at(std::min(past, columns_of_phantom))),
      columns(std::min(past, columns_of_phantom) - std::max(from, 0.0)),
      inside(columns / (past - from)),
      left((std::max(from, 0.0) - from) / (past - from)),
      right((past - std::min(past, columns_of_phantom)) / (past - from)) {}

// Beside all bundles the sum of edges is not quite 0.
Halo::Sums Halo::Sums::above_zero() const {
    auto const above = [](double v) { return std::max(v, 0.0); };
    return {above(path), above(energy), above(energy_let), above(others), above(others_let)};
}

Halo::Halo(Physics const& physics, Phantom const& phantom, Beam const& beam, bool nuclear)
    : physics_(physics),
      phantom_(phantom),
      direction_(beam.angle),
      start_(beam.x),
      nuclear_(nuclear) {
    double const longest = physics.range(beam.energy + 7 * beam.energy_spread);
    double const often = std::min(1.0, longest / 80);
    every_ = std::clamp<index>(std::lround(often / phantom.dz), 1, phantom.planes);
    // Fewer bundles at a time need more nodes, for a depth dose without noise.
    double const apart = std::max(often, std::min(2.0, beam.sigma_x / 2));
    wide_ = std::max<index>(1, std::lround(apart / phantom.dx));
    double const width = static_cast<double>(wide_) * phantom.dx;
    pairs_ = std::clamp(static_cast<int>(16 * width / (2 * beam.sigma_x + width)), 4, 16);
    own_ = width * width / 12;
    if (!nuclear) return;
    auto const columns = static_cast<std::size_t>(phantom.columns);
    all_ = {std::vector<double>(columns), std::vector<double>(columns + 2),
            std::vector<Sums>(columns + 2), std::vector<Sums>(columns)};
    slices_.assign(static_cast<std::size_t>(every_), all_);
    of_plane_.resize(columns);
    nuclei_.resize((columns + static_cast<std::size_t>(wide_) - 1) /
                   static_cast<std::size_t>(wide_));
    hydrogen_.resize(nuclei_.size());
    make_tables(beam);
    for (Material const& m : phantom.materials)
        relative_.push_back(m.electron_density > 0
                                ? physics.relative_stopping_power(m, std::min(beam.energy, 100.0))
                                : 0);
}

void Halo::make_tables(Beam const& beam) {
    double const longest = 1.01 * physics_.range(beam.energy + 7 * beam.energy_spread);
    double const sigma = std::hypot(range_straggling(physics_, beam.energy),
                                    beam.energy_spread / physics_.stopping_power(beam.energy));
    for (Table* const t : {&sharp_, &spread_}) {
        t->offset = t == &spread_ ? farthest * sigma : 0;
        t->per_root = table_size / std::sqrt(longest + t->offset);
    }
    Material const water;
    double before = 0, s_before = 0, let = 0;
    for (int i = 0; i <= table_size + 1; ++i) {
        double const root = i / sharp_.per_root;
        double const e = i == 0 ? 0 : physics_.energy(root * root);
        double const s = physics_.stopping_power(std::max(e, 1e-3));
        if (i > 0) let += (e - before) * (s + s_before) / 2;
        sharp_.left.push_back(
            {root * root, e, let, physics_.scattering_power(water, std::max(e, 1.0))});
        before = e;
        s_before = s;
    }
    // The mean over a normal distribution of ranges; nothing is left of those that have ended.
    constexpr int half = 40;
    for (int i = 0; i <= table_size + 1; ++i) {
        double const root = i / spread_.per_root, range = root * root - spread_.offset;
        Left mean;
        double all = 0;
        for (int k = -half; k <= half; ++k) {
            double const by = farthest * k / half, part = std::exp(-by * by / 2);
            Left const there = sharp_.at(range + by * sigma);
            mean.way += part * there.way;
            mean.energy += part * there.energy;
            mean.let += part * there.let;
            mean.scatter += part * there.scatter;
            all += part;
        }
        spread_.left.push_back(
            {mean.way / all, mean.energy / all, mean.let / all, mean.scatter / all});
    }
    spread_.left[0].way = spread_.left[0].energy = spread_.left[0].let = 0;
}

Halo::Left Halo::Table::at(double range) const {
    if (range + offset <= 0) return left[0];
    double const place = std::min(std::sqrt(range + offset) * per_root, double(table_size));
    auto const i = static_cast<std::size_t>(place);
    double const part = place - static_cast<double>(i);
    auto const between = [&](double a, double b) { return a + part * (b - a); };
    Left const &low = left[i], &high = left[i + 1];
    return {between(low.way, high.way), between(low.energy, high.energy),
            between(low.let, high.let), between(low.scatter, high.scatter)};
}

double Halo::Table::range_of(double energy) const {
    auto const above = std::ranges::upper_bound(left, energy, {}, &Left::energy);
    auto const i = std::clamp<std::ptrdiff_t>(above - left.begin(), 1, table_size);
    Left const &low = left[static_cast<std::size_t>(i - 1)],
               &high = left[static_cast<std::size_t>(i)];
    double const part = high.energy > low.energy
                            ? std::min(1.0, (energy - low.energy) / (high.energy - low.energy))
                            : 0;
    double const root = (static_cast<double>(i - 1) + part) / per_root;
    return root * root - offset;
}

double Halo::water(index plane, index x) const {
    std::size_t const which =
        phantom_.map.empty() ? 0
                             : phantom_.map[static_cast<std::size_t>(plane * phantom_.columns + x)];
    return relative_[which] * phantom_.dz;
}

void Halo::begin_group(index plane) {
    first_ = plane;
    past_ = std::min(plane + every_, phantom_.planes);
    std::ranges::fill(all_.way, 0.0);
    auto const begin = [](Slice& slice) {
        std::partial_sum(slice.way.begin(), slice.way.end(), slice.before.begin() + 1);
        slice.before.back() = slice.before.end()[-2];
        std::ranges::fill(slice.steps, Sums{});
    };
    for (index p = first_; p < past_; ++p) {
        Slice& slice = slices_[static_cast<std::size_t>(p - first_)];
        for (index x = 0; x < phantom_.columns; ++x) {
            auto const k = static_cast<std::size_t>(x);
            slice.way[k] = water(p, x);
            all_.way[k] += slice.way[k];
        }
        begin(slice);
    }
    begin(all_);
    flying_ = {};
    others_ = 0;
}

// Out of edges, what columns get.
void Halo::end_group() {
    for (index p = first_; p < past_; ++p) {
        Slice& slice = slices_[static_cast<std::size_t>(p - first_)];
        Sums sum;
        for (std::size_t x = 0; x < slice.lost.size(); ++x) {
            sum += slice.steps[x];
            sum += all_.steps[x];
            slice.lost[x] = sum.scaled(slice.way[x]).above_zero();
            waiting_ += slice.lost[x];
        }
    }
}

void Halo::fly(index plane, MarchResult& result) {
    if (!nuclear_) return;
    if (plane % every_ == 0) {
        begin_group(plane);
        std::erase_if(bundles_, [&](Bundle& b) { return !cross(b, result); });
        end_group();
    }
    share_out(plane, result);
}

void Halo::share_out(index plane, MarchResult& result) {
    of_plane_ = slices_[static_cast<std::size_t>(plane - first_)].lost;
    for (index x = 0; x < phantom_.columns; ++x) {
        Sums const& here = of_plane_[static_cast<std::size_t>(x)];
        result.deposit[static_cast<std::size_t>(plane * phantom_.columns + x)] +=
            here.energy + here.others;
        result.ledger.stopped.energy += here.energy;
        result.ledger.secondary += here.others;
        waiting_.energy -= here.energy;
        waiting_.others -= here.others;
    }
    if (plane + 1 == past_) waiting_ = {};
}

void Halo::count(Bundle const& b) {
    if (b.primary)
        flying_ += Share{b.weight, b.weight * b.left.energy};
    else
        others_ += b.weight * b.left.energy;
}

// Protons of hydrogen have all energies, and all of these planes get the same of them by the water
// in them; primary ones end together, and the deeper plane gets more.
void Halo::lose(Bundle& b, Cover const& on, Slice& slice, MarchResult& result) {
    Table const& table = table_of(b.primary);
    if (!(b.range > -table.offset)) return;
    double const water = on.of(slice.before);
    Left const before = b.left;
    b.range -= std::min(water / on.columns * b.path, b.range + table.offset);
    b.left = table.at(b.range);
    double const energy = b.weight * (before.energy - b.left.energy);
    double const let = b.weight * (before.let - b.left.let);
    leave(slice, on, water,
          b.primary ? Sums{b.weight * (before.way - b.left.way), energy, let, 0, 0}
                    : Sums{0, 0, 0, energy, let},
          result);
}

// Whether it still flies.
bool Halo::cross(Bundle& b, MarchResult& result) {
    double const depth = static_cast<double>(past_ - first_) * phantom_.dz;
    double const middle = b.x + b.slope * depth / 2;
    double const place = (middle - phantom_.x0) / phantom_.dx;
    auto const columns = static_cast<double>(phantom_.columns);
    Left const before = b.left;
    Ledger& l = result.ledger;
    if (!(place >= 0 && place < columns)) {
        (place < 0 ? l.left : l.right) += Share{b.primary ? b.weight : 0, b.weight * before.energy};
        return false;
    }
    double const half = std::sqrt(3 * (own_ + b.places)) / phantom_.dx;
    Cover const on(place - half, place + half, columns);
    double const length = depth * b.path, range = b.range;
    if (b.primary)
        for (index p = first_; p < past_; ++p)
            lose(b, on, slices_[static_cast<std::size_t>(p - first_)], result);
    else
        lose(b, on, all_, result);
    double const grown = before.scatter * (range - b.range);
    b.x += b.slope * depth;
    b.places += length * (2 * b.mixed + length * b.angles) + grown * length * length / 3;
    b.mixed += length * b.angles + grown * length / 2;
    b.angles += grown;
    if (b.range > -table_of(b.primary).offset) {
        count(b);
        return true;
    }
    if (b.primary) l.stopped.weight += b.weight;
    return false;
}

// To each column as much as it has water; what lies beside the phantom leaves it.
void Halo::leave(Slice& slice, Cover const& on, double water, Sums const& sums,
                 MarchResult& result) {
    if (!(water > 0)) return;
    // Sums over columns before are made later, so that an edge is all that is written.
    auto const add = [&](Place edge, double by) {
        slice.steps[edge.column] += sums.scaled((1 - edge.part) * by);
        slice.steps[edge.column + 1] += sums.scaled(edge.part * by);
    };
    add(on.low, on.inside / water);
    add(on.high, -on.inside / water);
    double const energy = sums.energy + sums.others;
    result.ledger.left.energy += energy * on.left;
    result.ledger.right.energy += energy * on.right;
}

// Bundles begin behind the last of the planes: until there the protons fly on where they were, on
// the average through half of the plane that they begin in.
void Halo::collide(index plane, index x, double beam, double with_nuclei, double with_hydrogen,
                   MarchResult& result) {
    auto const k = static_cast<std::size_t>(x);
    double const weight = with_nuclei / beam, others = with_hydrogen / beam;
    double range = physics_.range(beam), energy = beam, let = sharp_.at(range).let;
    Ledger& l = result.ledger;
    l.nuclear -= Share{weight, with_nuclei};
    for (index p = plane; p < past_ && range > 0; ++p) {
        Slice& slice = slices_[static_cast<std::size_t>(p - first_)];
        double const after = std::max(0.0, range - slice.way[k] * (p == plane ? 0.5 : 1));
        double const then = after > 0 ? physics_.energy(after) : 0;
        double const let_then = sharp_.at(after).let, lost = energy - then, of_let = let - let_then;
        Sums const here{weight * (range - after), weight * lost, weight * of_let, others * lost,
                        others * of_let};
        if (p == plane) {
            of_plane_[k] += here;
            result.deposit[static_cast<std::size_t>(plane * phantom_.columns + x)] +=
                here.energy + here.others;
            l.stopped.energy += here.energy;
            l.secondary += here.others;
        } else {
            slice.lost[k] += here;
            waiting_ += here;
        }
        range = after;
        energy = then;
        let = let_then;
    }
    if (range <= 0) {
        l.stopped.weight += weight;
        return;
    }
    // Here, and not where the bundles begin: that would be every other plane.
    double const recoil = std::min(physics_.elastic_recoil(energy), energy / 2);
    result.deposit[static_cast<std::size_t>(plane * phantom_.columns + x)] += weight * recoil;
    l.local += weight * recoil;
    double const at_x = phantom_.x0 + (static_cast<double>(x) + 0.5) * phantom_.dx;
    auto const add = [&](Birth& b, double protons, double with) {
        b.weight += protons;
        b.x += protons * at_x;
        b.energy += protons * with;
        b.recoil += protons * (energy - with);
    };
    add(nuclei_[k / static_cast<std::size_t>(wide_)], weight, energy - recoil);
    add(hydrogen_[k / static_cast<std::size_t>(wide_)], others, energy);
    flying_ += Share{weight, weight * (energy - recoil)};
    others_ += others * energy;
}

void Halo::finish(index plane, MarchResult& result) {
    if (!nuclear_ || plane + 1 != past_) return;
    auto const stays = [&](Birth const& b, double energy) {
        auto const x = static_cast<index>((b.x / b.weight - phantom_.x0) / phantom_.dx);
        index const column = std::clamp<index>(x, 0, phantom_.columns - 1);
        result.deposit[static_cast<std::size_t>(plane * phantom_.columns + column)] += energy;
        result.ledger.local += energy;
    };
    std::size_t const old = bundles_.size();
    for (std::size_t g = 0; g < nuclei_.size(); ++g) {
        Birth const &b = nuclei_[g], &c = hydrogen_[g];
        flying_ -= Share{b.weight, b.energy};
        others_ -= c.energy;
        if (b.weight > 0) stays(b, bear_nuclei(b, g));
        if (c.weight > 0) stays(c, bear_hydrogen(c, g));
    }
    for (std::size_t k = old; k < bundles_.size(); ++k) count(bundles_[k]);
    std::ranges::fill(nuclei_, Birth{});
    std::ranges::fill(hydrogen_, Birth{});
}

// Where the nodes of a birth lie, from 0 to 1: elsewhere than those beside and before it, so that a
// beam's collisions fill what is between. The same on both sides of the beam. Multiples of roots
// like the golden ratio are as far from each other as can be (R. Kronecker; M. Roberts).
std::array<double, 3> Halo::offsets(std::size_t group) const {
    double const depth = static_cast<double>(past_) * phantom_.dz;
    double const wide = static_cast<double>(wide_) * phantom_.dx;
    double const x = phantom_.x0 + (static_cast<double>(group) + 0.5) * wide;
    double const aside = std::abs(x - start_ - std::tan(direction_) * depth);
    double const beside = std::floor(aside / wide + 0.25);
    index const births = first_ / every_;
    auto const before = static_cast<double>(births);
    return {fraction(0.5 + 0.6180339887 * before + 0.2451223338 * beside),
            fraction(0.5 + 0.7548776662 * before + 0.4142135624 * beside),
            fraction(0.5 + 0.5698402910 * before + 0.7320508076 * beside)};
}

// The angle is normal in both planes; what it is in the other one is the mean.
double Halo::bear_nuclei(Birth const& b, std::size_t group) {
    Nodes const nodes(offsets(group)[0]);
    double const energy = b.energy / b.weight, recoil = b.recoil / b.weight;
    double const wide = physics_.elastic_angle(energy + recoil);
    // What a proton loses grows as the square of its angle, up to a half of what it has; what all
    // of them lose on the average stayed where they collided.
    auto const loses = [&](std::size_t k) {
        return std::min(recoil * nodes.at[k] * nodes.at[k] / 2, energy / 2);
    };
    double stays = 0, mean = 0;
    for (std::size_t k = 0; k < nodes.at.size(); ++k) mean += nodes.weight[k] * loses(k);
    for (std::size_t k = 0; k < nodes.at.size(); ++k) {
        double const angle = std::clamp(direction_ + nodes.at[k] * wide, -steepest, steepest);
        double const slope = std::tan(angle), across = std::tan(std::min(wide, steepest));
        double const lost = loses(k) - mean;
        double const weight = b.weight * nodes.weight[k];
        double const range = spread_.range_of(energy - lost);
        Left const left = spread_.at(range);
        stays += weight * (energy - left.energy);
        bundles_.push_back({b.x / b.weight, slope, std::sqrt(1 + slope * slope + across * across),
                            range, weight, 0, 0, 0, true, left});
    }
    return stays;
}

// In the frame of their middle all directions are alike, so that the square of the cosine is as
// often of one size as of another; a proton has that part of the energy, and the other one the
// rest.
double Halo::bear_hydrogen(Birth const& b, std::size_t group) {
    double const energy = b.energy / b.weight;
    auto const [unused, of_part, of_turn] = offsets(group);
    double stays = 0;
    for (int i = 0; i < 2 * pairs_; ++i) {
        int const pair = i / 2;
        double const low = std::max((pair + of_part) / (2 * pairs_), 1e-3);
        double const part = i % 2 == 0 ? low : 1 - low;
        double const tangent = std::sqrt(1 / part - 1);
        for (int k = 0; k < 2; ++k) {
            double const turn = of_turn * std::numbers::pi / 2;
            double const aside = tangent * std::cos(turn) * (k % 2 == 0 ? 1 : -1);
            double const angle = direction_ + std::atan(aside);
            double const slope = std::tan(std::clamp(angle, -steepest, steepest));
            double const across = tangent * std::sin(turn);
            double const range = sharp_.range_of(energy * part), weight = b.weight / (2 * pairs_);
            Left const left = sharp_.at(range);
            stays += weight * (energy * part - left.energy);
            bundles_.push_back({b.x / b.weight, slope,
                                std::sqrt(1 + slope * slope + across * across), range, weight, 0, 0,
                                0, false, left});
        }
    }
    return stays;
}

}  // namespace sluice::proton::marching
