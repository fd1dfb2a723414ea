// The results that a configuration asks for beyond the dose.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/output.h"

#include <fmt/format.h>

namespace sluice::proton {

Status read_output(Table output, Config& c) {
    std::vector<double>& spectra = c.options.spectra_at;
    SLUICE_CHECK(output.quantities("spectra", Dimension::length, spectra));
    SLUICE_CHECK(output.nothing_else());
    if (c.dense && !spectra.empty())
        return output.error("only the march has spectra; leave out output.spectra, or [dense]");
    for (double const depth : spectra)
        if (!(depth >= 0 && depth <= c.phantom.depth()))
            return output.error(fmt::format("a spectrum at {} mm; the phantom is {} mm deep", depth,
                                            c.phantom.depth()));
    return {};
}

}  // namespace sluice::proton
