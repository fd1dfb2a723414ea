// Fits the candidates of a pattern: each on its own, or in turns beside the others.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/finder.h"
#include "domain/crystal/fit/render.h"

namespace sluice::crystal {
namespace {

using stem4d::DiskMode;

// After two rounds the models of the others are as good as their fits.
constexpr int rounds_of_fits = 2;

}  // namespace

void Finder::fit_candidates(Room& room, Room::Pattern const& p) const {
    room.fits_.clear();
    DiskMode const mode = setup_.options.mode;
    if (mode == DiskMode::touching || mode == DiskMode::overlapping)
        return fit_in_turns(room, padded(p));
    Part const part = mode == DiskMode::fringes ? Part::edge : Part::whole;
    Padded const pattern = padded(p);
    for (Candidate const& c : room.candidates_)
        room.fits_.push_back(fit_disk(*fit_, tables_, pattern, room.crop_, c.start, part));
}

float* Finder::others(Room& room) const {
    if (room.others_.empty()) room.others_ = AlignedFloats(weights_.size());
    return room.others_.data() + margin_ * pitch_ + margin_;
}

void Finder::fit_in_turns(Room& room, Padded pattern) const {
    float* const others = this->others(room);
    std::fill_n(room.others_.data(), room.others_.size(), 0.0F);
    pattern.near = others;
    for (Candidate const& c : room.candidates_) {
        add_disk(tables_, c.start, 1, others, pitch_);
        room.fits_.push_back({.disk = c.start});
    }
    for (int round = 0; round < rounds_of_fits; ++round)
        for (DiskFit& fit : room.fits_) {
            add_disk(tables_, fit.disk, -1, others, pitch_);
            room.crop_.forget();
            DiskFit const better = fit_disk(*fit_, tables_, pattern, room.crop_, fit.disk);
            DiskState const last = fit.disk;
            fit = better;
            // One that went astray stays where it was, for the others' sake.
            if (!better.converged) fit.disk = last;
            add_disk(tables_, fit.disk, 1, others, pitch_);
        }
    room.crop_.forget();
}

}  // namespace sluice::crystal
