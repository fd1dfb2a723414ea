// Writing: an Archive that collects entries of an HDF5 file, each with its digest.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "domain/ptychography/archive.h"
#include "domain/ptychography/checkpoint/digest.h"
#include "sluice/save.h"

namespace sluice::ptycho {

/// Complex planes become [plane][row][col] of c64 or c128. What it was shown stays where it is
/// until the file is written.
template <class Real>
class Writing final : public Archive<Real> {
  public:
    std::vector<Hdf5Entry> entries = {};

    /// In front of the names that follow.
    std::string prefix = {};

    void stack(std::string const& name, std::vector<Planar<Real>*> const& planes) override {
        if (planes.empty()) return;
        index const rows = planes.front()->rows(), cols = planes.front()->cols();
        Hdf5Dataset d{.name = prefix + name,
                      .dtype = sizeof(Real) == 4 ? DType::c64 : DType::c128,
                      .shape = {std::ssize(planes), rows, cols}};
        d.pieces = std::ssize(planes);
        d.piece = [planes, buffer = std::make_shared<std::vector<std::complex<Real>>>()](index k) {
            Planar<Real> const& plane = *planes[static_cast<std::size_t>(k)];
            buffer->clear();
            for (index r = 0; r < plane.rows(); ++r)
                for (index c = 0; c < plane.cols(); ++c) buffer->push_back(plane.at(r, c));
            return std::as_bytes(std::span(*buffer));
        };
        add(std::move(d));
    }

    void numbers(std::string const& name, std::vector<double>& numbers) override {
        if (numbers.empty()) return;
        Hdf5Dataset d{.name = prefix + name, .dtype = DType::f64, .shape = {std::ssize(numbers)}};
        d.piece = [kept = numbers](index) { return std::as_bytes(std::span(kept)); };
        add(std::move(d));
    }

  private:
    // The pieces come in order, and the digest after the last one.
    void add(Hdf5Dataset d) {
        auto const sum = std::make_shared<std::uint64_t>(0);
        Hdf5Dataset after{.name = "digests/" + d.name, .dtype = DType::u64, .shape = {1}};
        after.piece = [sum](index) { return std::as_bytes(std::span(sum.get(), 1)); };
        d.piece = [sum, inner = std::move(d.piece)](index k) {
            Bytes const bytes = inner(k);
            *sum = digest(bytes, *sum);
            return bytes;
        };
        entries.push_back(std::move(d));
        entries.push_back(std::move(after));
    }
};

}  // namespace sluice::ptycho
