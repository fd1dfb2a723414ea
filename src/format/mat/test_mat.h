// Makes MAT files for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "format/mat/elements.h"

namespace sluice::mat {

using Numbers = std::vector<double>;
using Sides = std::vector<std::int32_t>;

/// Elements of one byte order.
class MatBytes {
  public:
    explicit MatBytes(bool big_endian) : big_(big_endian) {}

    std::string file(std::string const& variables) const;
    std::string numbers(std::string const& name, Sides const& sides, Numbers const& values) const;
    std::string raw_numbers(std::string const& name, Sides const& sides, std::uint32_t type,
                            std::string const& bytes) const;
    std::string text(std::string const& name, std::string const& letters) const;
    std::string cells(std::string const& name, Sides const& sides,
                      std::vector<std::string> const& items) const;
    std::string structure(std::string const& name, Sides const& sides,
                          std::vector<std::string> const& fields,
                          std::vector<std::string> const& items) const;
    /// A field without a value.
    std::string unset() const { return element(mat::matrix, ""); }
    std::string matrix(std::uint32_t kind, Sides const& sides, std::string const& name,
                       std::string const& rest) const;
    /// As a compressed element, in stored blocks; `said` takes the place of its size.
    std::string packed(std::string inner, std::uint32_t said = 0) const;

  private:
    bool big_;

    std::string word(std::uint64_t value, int bytes) const;
    std::string element(std::uint32_t type, std::string const& data) const;
};

}  // namespace sluice::mat
