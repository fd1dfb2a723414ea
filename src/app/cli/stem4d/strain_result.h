// What strain is measured from and how, and what is made of the disks of a scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/stem4d/vectors_input.h"
#include "sluice/strain.h"

namespace sluice::cli {

/// The wishes of the command line about lattices and strain.
struct StrainWords {
    std::optional<std::string> basis = {};  ///< as parse_basis() reads it
    std::string reference = "median";       ///< as read_reference() does
    bool search_all = false;
    stem4d::LatticeOptions lattice = {};
    stem4d::StrainOptions strain = {};

    /// `reference_what` is the help of --reference. Without --search-all.
    void add(Verb const& app, std::string const& reference_what);
    void add_search_all(Verb const& app);
    DiskSearch::Lattice known() const;
};

/// The lattices of the disks, where they were not fitted with them.
Status fit_lattices(StrainWords const& words, stem4d::Options const& options, DisksRead& disks,
                    std::vector<std::string>& notes);

/// Notes of other lattices, of the fit and of the strain.
void add_strain_notes(stem4d::LatticeFit const& fit, stem4d::StrainMaps const& strain,
                      bool of_one_crystal, std::vector<std::string>& notes);

/// Strain and lattices as maps, which no pictures are drawn of: the figure has them.
std::vector<ResultImage> strain_images(stem4d::StrainMaps const& strain,
                                       stem4d::LatticeFit const& fit);

/// How many disks and lattices there are, and how strain is written.
Json strain_json(StrainWords const& words, stem4d::BraggVectors const& vectors,
                 stem4d::LatticeFit const& fit);

/// As `--reference` reads it.
Status save_reference(stem4d::LatticeBasis const& reference, std::string const& path);

}  // namespace sluice::cli
