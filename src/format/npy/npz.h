// NPZ files: several arrays as numpy.savez and numpy.savez_compressed write them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "codec/zip/zip.h"
#include "format/npy/header.h"

namespace sluice::npy {

/// An array in memory, all of its elements as stored.
struct NpzArray {
    Header header;
    std::vector<std::byte> bytes = {};  ///< elements from header.data_at on

    std::uint64_t count() const;
    Bytes elements() const { return Bytes(bytes).subspan(header.data_at); }
};

class Npz {
  public:
    static Result<Npz> open(std::shared_ptr<Source const> file);

    /// The names of the arrays, without ".npy".
    std::vector<std::string> names() const;
    /// Nothing where there is none of that name; an error for more than `most` bytes, and where the
    /// elements are not those that the shape needs. Arrays in Fortran's order are turned.
    Result<std::optional<NpzArray>> read(std::string const& name, std::uint64_t most) const;

  private:
    std::shared_ptr<Source const> file_;
    std::vector<zip::Member> members_;
};

/// The elements as doubles; of complex ones the real and the imaginary parts in turn.
std::vector<double> numbers_of(NpzArray const& array);

}  // namespace sluice::npy
