// Writing: an Archive that collects entries of an HDF5 file, each with its digest.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "domain/ptychography/archive.h"
#include "domain/ptychography/checkpoint/digested.h"
#include "domain/ptychography/checkpoint/of_share.h"
#include "sluice/save.h"

namespace sluice::ptycho {

/// Complex planes become [plane][row][col] of c64 or c128. Values that it was shown must stay in
/// place until the file is written. The first rank writes, and what others have comes to it plane
/// by plane.
template <class Real>
class Writing final : public Archive<Real> {
  public:
    explicit Writing(Share const& share) : share_(share) {}
    Writing(Writing const&) = delete;
    Writing& operator=(Writing const&) = delete;
    ~Writing() override = default;

    /// In front of the names that follow.
    std::string prefix = {};

    void stack(std::string const& name, std::vector<Planar<Real>*> const& planes) override {
        if (planes.empty()) return;
        add(name, std::ssize(planes), planes.front()->rows(), planes.front()->cols(),
            [planes](index k) { return planes[static_cast<std::size_t>(k)]; });
    }

    void of_patterns(std::string const& name, std::vector<Planar<Real>>& planes, index each,
                     index n) override {
        auto const all = std::make_shared<OfShare<Real>>(share_, planes, each, n);
        for (index k = 0; k < all->count(); ++k)
            if (all->owner(k) > 0) coming_.emplace_back(all, k);
        add(name, all->count(), n, n, [this, all](index k) {
            if (all->owner(k) > 0) bring_next(true);
            return &all->room(k);
        });
    }

    void numbers(std::string const& name, std::vector<double>& numbers) override {
        if (numbers.empty()) return;
        Hdf5Dataset d{.name = prefix + name, .dtype = DType::f64, .shape = {std::ssize(numbers)}};
        d.piece = [kept = numbers](index) { return std::as_bytes(std::span(kept)); };
        add(std::move(d));
    }

    /// Writes the file; on all ranks alike.
    Status save(std::string const& path, Provenance const& about) {
        Status status;
        if (share_.leads()) {
            status = save_hdf5(path, entries_, about);
            // The others wait for what it wants next.
            if (came_ < coming_.size()) bring_next(false);
        } else {
            while (came_ < coming_.size() && bring_next(true)) continue;
        }
        return share_.agree(status);
    }

  private:
    // The next plane that another rank has, if the first one goes on.
    bool bring_next(bool goes_on) {
        if (!share_.first_says(goes_on)) return false;
        auto const& [all, k] = coming_[came_++];
        all->bring(k);
        return true;
    }

    void add(std::string const& name, index count, index rows, index cols,
             std::function<Planar<Real> const*(index)> const& plane_of) {
        Hdf5Dataset d{.name = prefix + name,
                      .dtype = sizeof(Real) == 4 ? DType::c64 : DType::c128,
                      .shape = {count, rows, cols}};
        d.pieces = count;
        d.piece = [plane_of,
                   buffer = std::make_shared<std::vector<std::complex<Real>>>()](index k) {
            Planar<Real> const& plane = *plane_of(k);
            buffer->clear();
            for (index r = 0; r < plane.rows(); ++r)
                for (index c = 0; c < plane.cols(); ++c) buffer->push_back(plane.at(r, c));
            return std::as_bytes(std::span(*buffer));
        };
        add(std::move(d));
    }

    // The pieces come in order, and the digest after the last one.
    void add(Hdf5Dataset d) { add_digested(std::move(d), entries_); }

    Share const& share_;
    std::vector<Hdf5Entry> entries_ = {};
    // What other ranks have, in the file's order, and how much of it came.
    std::vector<std::pair<std::shared_ptr<OfShare<Real>>, index>> coming_ = {};
    std::size_t came_ = 0;
};

}  // namespace sluice::ptycho
