// Protons that a nuclear collision has turned aside.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "sluice/proton.h"

namespace sluice::proton::marching {

/// Followed one by one, as bundles that few nodes of angle and energy stand for: they fly far out
/// of the march's window of angles, and are few. Elastic collisions with nuclei send a primary
/// proton on with nearly all of its energy, those with hydrogen two protons at a right angle.
/// Bundles begin once for up to a millimetre, and fly as far at once.
class Halo {
  public:
    Halo(Physics const& physics, Phantom const& phantom, Beam const& beam, bool nuclear);

    /// Before a plane: all fly up to where the next bundles begin, and leave there what they lose.
    void fly(index plane, MarchResult& result);
    /// Energies of collisions in the plane, MeV, of protons of an energy.
    void collide(index plane, index x, double beam, double with_nuclei, double with_hydrogen,
                 MarchResult& result);
    /// After the plane: whatever collided in the last planes becomes bundles.
    void finish(index plane, MarchResult& result);

    /// Of the plane that was flown over last, [x]: of primary protons ways in water (mm), energies
    /// (MeV) and these times LET; of secondary ones energies and these times LET.
    struct Sums {
        double path = 0, energy = 0, energy_let = 0, others = 0, others_let = 0;
        Sums& operator+=(Sums const& s);
        Sums scaled(double by) const;
        Sums above_zero() const;
    };
    std::vector<Sums> const& sums() const { return of_plane_; }

    /// Primary protons that still fly, or have yet to.
    Share primaries() const { return {flying_.weight, flying_.energy + waiting_.energy}; }
    double secondaries() const { return others_ + waiting_.others; }  ///< MeV of the others

  private:
    /// What is left of a proton: mm of water, MeV, MeV keV/um; scattering power there, 1/mm.
    struct Left {
        double way = 0, energy = 0, let = 0, scatter = 0;
    };
    struct Bundle {
        double x, slope, path;         ///< mm; columns' mm by mm of depth; lengths by depth
        double range, weight;          ///< mm of water, protons
        double angles, mixed, places;  ///< what scattering has made since: variances
        bool primary;
        Left left;  ///< at its range
    };
    /// A place among columns: in which one, and how far in it.
    struct Place {
        std::size_t column;
        double part;
        static Place at(double x);
        double sum(std::vector<double> const& before) const;  ///< of all before it
    };
    /// What a bundle covers within the phantom, in columns, and parts of it beside that.
    struct Cover {
        Place low, high;
        double columns, inside, left, right;
        Cover(double from, double past, double columns);
        double of(std::vector<double> const& before) const {
            return high.sum(before) - low.sum(before);
        }
    };
    struct Birth {
        double weight = 0, x = 0, energy = 0, recoil = 0;  ///< but the first, times the weight
    };
    Physics const& physics_;
    Phantom const& phantom_;
    double direction_, start_, own_;  ///< radians; mm; variance of a bundle's first x, mm2
    bool nuclear_;
    index every_, wide_;  ///< planes, columns of a bundle
    int pairs_;           ///< of energies that collisions with hydrogen give
    /// By the root of the mean range and some more: of a proton whose range is known, or where
    /// ranges are spread as at the end of the beam.
    struct Table {
        double offset = 0, per_root = 1;
        std::vector<Left> left;
        Left at(double range) const;
        double range_of(double energy) const;
    };
    Table sharp_, spread_;
    std::vector<double> relative_;  ///< [material]: stopping power
    std::vector<Bundle> bundles_;
    std::vector<Birth> nuclei_, hydrogen_;  ///< [group of columns]
    index first_ = 0, past_ = 0;            ///< planes that are flown over at once
    /// One of the planes that are flown over at once.
    struct Slice {
        std::vector<double> way, before;  ///< [x]: water in it, mm; of all columns before
        std::vector<Sums> steps, lost;    ///< [x]: edges of what bundles lose; what is lost
    };
    std::vector<Slice> slices_;
    Slice all_;  ///< of all these planes together
    std::vector<Sums> of_plane_;
    Sums waiting_;       ///< of the group: of planes that are not done
    Share flying_;       ///< primary bundles and those to come
    double others_ = 0;  ///< MeV of the other ones

    Table const& table_of(bool primary) const { return primary ? spread_ : sharp_; }
    void make_tables(Beam const& beam);
    double water(index plane, index x) const;
    bool cross(Bundle& b, MarchResult& result);
    void count(Bundle const& b);
    void begin_group(index plane);
    void end_group();
    void lose(Bundle& b, Cover const& on, Slice& slice, MarchResult& result);
    void leave(Slice& slice, Cover const& on, double water, Sums const& sums, MarchResult& result);
    void share_out(index plane, MarchResult& result);
    std::array<double, 3> offsets(std::size_t group) const;
    double bear_nuclei(Birth const& b, std::size_t group);    ///< what stays at the place, MeV
    double bear_hydrogen(Birth const& b, std::size_t group);  ///< the same
};

}  // namespace sluice::proton::marching
