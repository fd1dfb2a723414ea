// Temperature factors of the atoms of a CIF.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/cif/block.h"
#include "sluice/unit_cell.h"

namespace sluice::crystal::cif {

class Temperatures {
  public:
    /// Of a block that outlives it.
    Temperatures(Block const& block, stem4d::UnitCell const& cell) : block_(block), cell_(cell) {}

    /// B of an atom in ångström^2: 8 pi^2 U. Of an anisotropic atom without B or U, a third of the
    /// trace of its tensor. Empty where none is stated, or one that no atom has.
    std::optional<double> of(std::size_t atom) const;

  private:
    std::optional<double> anisotropic(std::string_view label) const;

    Block const& block_;
    stem4d::UnitCell const& cell_;
};

}  // namespace sluice::crystal::cif
