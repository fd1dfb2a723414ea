// Refiner: moves a known lattice onto a pattern, by the likelihood around its points.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/refine/eliminate.h"
#include "domain/crystal/refine/points.h"
#include "domain/crystal/refine/refined.h"

namespace sluice::crystal {

class Refiner {
  public:
    /// `beside`: disks reach into each other's crops, so that each is fitted beside the models of
    /// the others. `points`: as KnownLattice has them.
    Refiner(FitKernels const& kernels, Tables const& tables, Part part, bool beside,
            std::span<std::array<int, 2> const> points)
        : kernels_(&kernels), tables_(&tables), part_(part), beside_(beside), points_(points) {}

    /// What one worker needs.
    class Room {
      private:
        friend Refiner;
        struct Place {
            double h, k;
            DiskState state = {};
            std::optional<PlaceSums> sums = {};
            bool begun = false;
        };
        std::vector<Place> places_;
        std::vector<std::unique_ptr<CropRoom>> crops_;  // for each place
    };

    /// `others` is pixel (0, 0) of a picture like the pattern's, for the models of disks; null if
    /// not `beside`.
    Refined operator()(Room& room, Padded pattern, stem4d::LatticeBasis const& start,
                       float* others) const;

  private:
    void begin(Room& room, Padded const& pattern, stem4d::LatticeBasis const& at,
               float* others) const;
    void add_model(Room::Place const& place, Padded const& pattern, float* others,
                   double times) const;
    void look(Room::Place& place, CropRoom& crop, Padded const& pattern, float* others) const;
    void start(Room::Place& place, CropRoom& crop, Padded const& pattern) const;
    /// With the first places alone; they are all of them in the end.
    bool step(Room& room, Padded const& pattern, float* others, std::size_t places,
              Refined& out) const;
    void approach(Room& room, Padded const& pattern, Refined& out) const;
    void finish(Room& room, Refined& out) const;

    FitKernels const* kernels_;
    Tables const* tables_;
    Part part_;
    bool beside_;
    std::span<std::array<int, 2> const> points_;
};

}  // namespace sluice::crystal
