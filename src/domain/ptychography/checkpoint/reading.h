// Reading: an Archive that puts back what Writing wrote; the file may be damaged or hostile.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "domain/ptychography/archive.h"
#include "domain/ptychography/share.h"
#include "format/hdf5/object/object.h"

namespace sluice::ptycho {

/// An array of a checkpoint: contiguous, with its digest.
struct KeptArray {
    hdf5::object::Object object;
    std::uint64_t at = 0;  ///< of its first byte in the file
    std::vector<std::uint64_t> extent = {};
    std::uint64_t element = 0;  ///< bytes
    bool complex = false;       ///< else doubles
    std::uint64_t sum = 0;

    Status read(std::uint64_t offset, std::span<std::byte> out) const;
    Error damaged(std::string const& what) const;
};
/// Fails unless it lies in the file with all its bytes.
Result<KeptArray> kept_array(hdf5::object::Object const& root, std::string const& name);

/// Planes of another precision are converted. After the first failure nothing is read any more. The
/// first rank reads, and sends what it read to all.
template <class Real>
class Reading final : public Archive<Real> {
  public:
    /// Other ranks have no root.
    Reading(std::optional<hdf5::object::Object> root, Share const& share)
        : root_(std::move(root)), share_(share) {}
    std::string prefix = {};  ///< in front of the names that follow
    Status status = {};       ///< the same on all ranks

    void stack(std::string const& name, std::vector<Planar<Real>*> const& planes) override {
        if (!status || planes.empty()) return;
        auto const rows = static_cast<std::uint64_t>(planes.front()->rows());
        auto const cols = static_cast<std::uint64_t>(planes.front()->cols());
        status = read_planes(prefix + name, {planes.size(), rows, cols},
                             [&](index k) { return planes[static_cast<std::size_t>(k)]; });
    }
    void of_patterns(std::string const& name, std::vector<Planar<Real>>& planes, index each,
                     index n) override;
    void numbers(std::string const& name, std::vector<double>& numbers) override;

  private:
    using Room = std::function<Planar<Real>*(index)>;
    Status read_planes(std::string const& name, std::vector<std::uint64_t> const& extent,
                       Room const& room);
    Status read_numbers(std::string const& name, std::vector<double>& numbers);

    std::optional<hdf5::object::Object> root_;
    Share const& share_;
};

extern template class Reading<float>;
extern template class Reading<double>;

}  // namespace sluice::ptycho
