// Layout: how many arrays a plan transforms, of which shape, and where they are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::fft {

enum class Numbers : std::uint8_t {
    complex,  ///< complex to complex, in place
    real,     ///< real samples to half of their spectrum, and back
};

/// Arrays in a row, each dense and row by row. A spectrum of real samples has n / 2 + 1 numbers
/// along the last extent n; the others follow from them.
struct Layout {
    std::vector<index> shape = {};  ///< one to three extents of 1 or more; the last runs fastest
    index batch = 1;                ///< arrays of that shape
    Numbers numbers = Numbers::complex;
    /// From the first number of an array to that of the next; 0: nothing is between them. Real
    /// samples may overlap, as the windows of a sound do; then there is no way back.
    index step = 0;
    index spectrum_step = 0;  ///< the same for the spectra of real samples
};

/// A layout that was checked, and what follows from it.
struct Sizes {
    std::vector<index> shape;
    index batch = 1;
    bool real = false;
    index array = 1;     ///< numbers of an array
    index spectrum = 1;  ///< numbers of its spectrum
    index step = 1, spectrum_step = 1;

    /// From the first number of all arrays to the last one.
    index data_extent() const { return (batch - 1) * step + array; }
    index spectrum_extent() const { return (batch - 1) * spectrum_step + spectrum; }
    bool overlaps() const { return batch > 1 && step < array; }
};

/// The error says which number of the layout makes no sense.
Result<Sizes> checked(Layout const& layout);

/// "4x6", for messages.
std::string name_of(std::vector<index> const& shape);

/// What every function here returns when there is not enough memory.
Error out_of_memory(std::vector<index> const& shape);

}  // namespace sluice::fft
