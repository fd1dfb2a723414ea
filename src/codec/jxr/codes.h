// The variable-length codes of JPEG XR: tables to decode them, and how they adapt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sluice::codec::jxr {

/// What the next bits of a packet say.
struct Codeword {
    std::int32_t delta;  ///< what it adds to the discriminants
    std::uint8_t symbol;
    std::uint8_t length;  ///< bits to skip
};

/// The codes of one alphabet, `tables` sets of 2^bits entries from which the decoder chooses.
struct Alphabet {
    Codeword const* codes;
    int bits;
    int tables;
    bool two;  ///< whether there is a second discriminant, for the change to the next table
};

/// Of 4, 5, 6, 8, 9 and 12 symbols; 7 gives levels above 1, and 0 for those that follow in full.
Alphabet const& alphabet(int symbols);

/// An alphabet and which of its tables is in use.
struct Adaptive {
    Codeword const* codes = nullptr;
    /// Two in one, so that one addition counts for both: the first in the lower 16 bits. Between
    /// two adaptations there are not enough symbols for an overflow.
    std::int32_t discriminants = 0;
    int table = 0;
    Alphabet const* of = nullptr;
};

/// Back to the table that a tile begins with.
void reset(Adaptive& adaptive);

/// Changes to another table when the symbols since the last change say so.
void adapt(Adaptive& adaptive);

/// A run of zeros before a coefficient.
struct Run {
    std::uint8_t zeros;
    std::uint8_t length;  ///< bits to skip
};

/// A table of zeros, for places where no run is possible.
struct RunTable {
    Run by_bits[128];  ///< by the next 7 bits
};

/// By the most zeros that there can be, 0 .. 14.
extern RunTable const run_tables[15];

struct CodeTable {
    Codeword by_bits[32];  ///< by the next 5 bits
};

/// Instead of alphabet 6 for the last two places of a block.
extern CodeTable const tail_tables[2];

}  // namespace sluice::codec::jxr
