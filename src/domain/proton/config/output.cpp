// The results that a configuration asks for beyond the dose.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/output.h"

#include <fmt/format.h>

#include "domain/proton/config/phantom_fields.h"

namespace sluice::proton {

Status read_output(Table output, Config& c) {
    SLUICE_CHECK(read_fields(output, output_fields(), c.options));
    SLUICE_CHECK(output.nothing_else());
    std::vector<double> const& spectra = c.options.spectra_at;
    if (c.dense && !spectra.empty())
        return output.error("only the march has spectra; leave out output.spectra, or [dense]");
    for (double const depth : spectra)
        if (!(depth >= 0 && depth <= c.phantom.depth()))
            return output.error(fmt::format("a spectrum at {} mm; the phantom is {} mm deep", depth,
                                            c.phantom.depth()));
    return {};
}

}  // namespace sluice::proton
