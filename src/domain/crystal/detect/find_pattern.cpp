// find_disks() of one pattern.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domain/crystal/detect/collect.h"
#include "domain/crystal/detect/decide.h"
#include "domain/crystal/detect/finder.h"

namespace sluice::stem4d {

Result<BraggVectors> find_disks(Array<double> const& pattern, std::span<std::uint8_t const> bad,
                                DiskSetup const& setup, Device const& device) {
    using namespace crystal;
    if (pattern.shape.size() != 2 || pattern.size() != pattern.shape[0] * pattern.shape[1] ||
        pattern.size() == 0)
        return Error{Code::invalid_argument,
                     fmt::format("the pattern has the shape {} (a pattern is [row][col]) give two "
                                 "extents and a value for each pixel",
                                 fft::name_of(pattern.shape))};
    SLUICE_TRY(DiskOptions options, decided(setup.options, setup.probe));
    options.background = setup.background;
    std::array const shape{pattern.shape[0], pattern.shape[1]};
    FinderSetup own{.probe = setup.probe,
                    .options = std::move(options),
                    .shape = shape,
                    .bad = bad,
                    .lattice = setup.lattice};
    SLUICE_TRY(Finder const finder, Finder::make(own, device));
    Finder::Room room(finder);
    finder.put(room, 0, pattern.values.data());
    FoundPattern found[1];
    finder.find(room, found);
    return collect(found, {1, 1}, shape, {});
}

}  // namespace sluice::stem4d
