// Archive: what a reconstruction must remember to go on with the same bits, array by array.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "domain/ptychography/planar.h"
#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// Writes the values that it is shown, or replaces them by those that were written. Arrays have
/// their shape before they are shown; where that depends on how far the work is, a flag comes
/// first.
template <class Real>
class Archive {
  public:
    virtual ~Archive() = default;
    virtual void stack(std::string const& name, std::vector<Planar<Real>*> const& planes) = 0;
    virtual void numbers(std::string const& name, std::vector<double>& numbers) = 0;
    /// Planes of all patterns, `each` of one and n pixels a side, of which this rank shows those of
    /// its own patterns.
    virtual void of_patterns(std::string const& name, std::vector<Planar<Real>>& planes, index each,
                             index n) = 0;

    void planes(std::string const& name, std::vector<Planar<Real>>& planes) {
        std::vector<Planar<Real>*> all;
        for (auto& plane : planes) all.push_back(&plane);
        stack(name, all);
    }
    /// Anything that is kept exactly by a double.
    template <class Number>
    void number(std::string const& name, Number& value) {
        std::vector<double> one = {static_cast<double>(value)};
        numbers(name, one);
        // A file may hold numbers that an integer cannot have.
        bool const fits = std::is_floating_point_v<Number> || std::abs(one.front()) <= 0x1p31;
        value = fits ? static_cast<Number>(one.front()) : Number{};
    }
    void reals(std::string const& name, std::vector<Real>& values) {
        std::vector<double> all(values.begin(), values.end());
        numbers(name, all);
        values.assign(all.begin(), all.end());
    }
    void positions(std::string const& name, std::vector<stem4d::Position>& positions) {
        std::vector<double> all;
        for (auto const& p : positions) all.insert(all.end(), {p.row, p.col});
        numbers(name, all);
        for (std::size_t j = 0; j < positions.size(); ++j)
            positions[j] = {all[2 * j], all[2 * j + 1]};
    }
};

}  // namespace sluice::ptycho
