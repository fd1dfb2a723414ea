// Reading: an Archive that puts back what Writing wrote; the file may be damaged or hostile.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/archive.h"
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

/// Planes of another precision are converted. After the first failure nothing is read any more.
template <class Real>
class Reading final : public Archive<Real> {
  public:
    explicit Reading(hdf5::object::Object root) : root_(std::move(root)) {}
    std::string prefix = {};  ///< in front of the names that follow
    Status status = {};

    void stack(std::string const& name, std::vector<Planar<Real>*> const& planes) override {
        if (status && !planes.empty()) status = read_stack(prefix + name, planes);
    }
    void numbers(std::string const& name, std::vector<double>& numbers) override {
        if (status && !numbers.empty()) status = read_numbers(prefix + name, numbers);
    }

  private:
    Status read_stack(std::string const& name, std::vector<Planar<Real>*> const& planes);
    Status read_numbers(std::string const& name, std::vector<double>& numbers);
    hdf5::object::Object root_;
};

extern template class Reading<float>;
extern template class Reading<double>;

}  // namespace sluice::ptycho
