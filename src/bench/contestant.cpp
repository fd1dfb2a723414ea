// What happens to a contestant that fails.
// SPDX-License-Identifier: Apache-2.0
#include "bench/contestant.h"

#include <fmt/format.h>

namespace sluice::bench {

std::function<Result<Lap>()> timed(std::function<Status()> work, Clock const& clock) {
    return [work = std::move(work), &clock]() -> Result<Lap> {
        Stopwatch const watch(clock);
        SLUICE_CHECK(work());
        return watch.lap();
    };
}

Status failed(Contestant& who, Error error, std::vector<std::string>& notes) {
    if (who.rival) {
        who.out = true;
        notes.push_back(
            fmt::format("{} is left out of {}: {}", who.name, who.contest, error.message));
        return {};
    }
    if (error.code != Code::cancelled)
        error.message = fmt::format("'{}' of {} stopped: {}", who.name, who.contest, error.message);
    return error;
}

}  // namespace sluice::bench
