// Lists: a dataset whose elements are lists of compounds, read as a whole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "format/hdf5/object/members.h"

namespace sluice::hdf5::object {

class Lists {
  public:
    /// Reads the lengths of all lists and where they are stored. What they say they hold fits into
    /// the file.
    static Result<Lists> open(Object const& dataset);

    std::vector<std::uint64_t> const& extent() const { return extent_; }
    Compound const& compound() const { return compound_; }
    /// [list] in C order: how many compounds each has.
    std::vector<std::uint64_t> const& counts() const { return counts_; }
    std::uint64_t total() const { return total_; }

    /// Hands over the bytes of each list that is not empty, once, in the order of the file.
    Status read(std::function<void(std::uint64_t list, Bytes compounds)> const& take) const;

  private:
    struct Place {
        std::uint64_t collection = 0, number = 0;
        std::uint64_t list = 0;
    };
    explicit Lists(Object dataset) : dataset_(std::move(dataset)) {}
    Status place(Bytes elements, std::uint64_t element_bytes);

    Object dataset_;
    std::vector<std::uint64_t> extent_, counts_;
    Compound compound_;
    std::uint64_t total_ = 0;
    std::vector<Place> places_;
};

}  // namespace sluice::hdf5::object
