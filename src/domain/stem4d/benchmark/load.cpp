// Loading beside LZ4, and what the times of two say.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bench/words.h"
#include "domain/stem4d/benchmark/contests.h"

namespace sluice::stem4d {
namespace {

using bench::Contestant;
using bench::Json;
using bench::Measured;

Finding ratio(Measured const& slow, Measured const& fast, bool several) {
    std::string const contest = several ? fmt::format("{}: ", slow.contest) : "";
    return {"ratio",
            fmt::format("{}'{}' takes {:.2f} times as long as '{}'.", contest, slow.name,
                        slow.wall_s() / fast.wall_s(), fast.name),
            "", fmt::format("medians of {}", plural(std::ssize(slow.laps), "round"))};
}

}  // namespace

Status expect_in_memory(Scan const& scan) {
    if (scan.resident()) return {};
    return Error{Code::out_of_memory,
                 "this benchmark times scans in memory (this scan would be streamed); leave out "
                 "--stream, give more --memory-limit, or take `sluice stem4d benchmark stream`",
                 scan.dataset().path};
}

Result<std::vector<Contestant>> load_contestants(std::function<Result<Dataset>()> const& open,
                                                 LoadOptions const& options) {
    SLUICE_TRY(Dataset const dataset, open());
    SLUICE_TRY(DecodeFloor read, DecodeFloor::read(dataset));
    auto const floor = std::make_shared<DecodeFloor const>(std::move(read));
    int const threads = options.device.threads();
    auto const memory = std::make_shared<Memory>();
    Contestant load, lz4;
    load.contest = lz4.contest = "load";
    load.threads = lz4.threads = threads;
    load.items = lz4.items = static_cast<double>(dataset.frames);
    load.name = "load";
    load.bytes = static_cast<double>(dataset.bytes());
    load.run = bench::timed([=]() -> Status {
        SLUICE_TRY(Dataset fresh, open());
        SLUICE_TRY(Scan const scan, Scan::load(std::move(fresh), options));
        SLUICE_CHECK(expect_in_memory(scan));
        *memory = scan.memory();
        return {};
    });
    load.tell = [memory]() -> Json {
        return {{"resident_bytes", memory->resident}, {"float32_bytes", memory->float32}};
    };
    lz4.name = "LZ4 alone";
    lz4.run = bench::timed(
        [floor, threads, rows = dataset.rows] { return floor->decode(0, rows, threads); });
    return std::vector{load, lz4};
}

std::vector<Finding> ratios(std::vector<Measured> const& results) {
    std::vector<Finding> found;
    bool const several = std::ranges::any_of(
        results, [&](Measured const& m) { return m.contest != results.front().contest; });
    for (std::size_t i = 0; i + 1 < results.size(); ++i) {
        Measured const &a = results[i], &b = results[i + 1];
        auto const in_contest = std::ranges::count(results, a.contest, &Measured::contest);
        if (in_contest != 2 || b.contest != a.contest || bench::doubt_of(a) || bench::doubt_of(b))
            continue;
        found.push_back(a.wall_s() > b.wall_s() ? ratio(a, b, several) : ratio(b, a, several));
    }
    return found;
}

}  // namespace sluice::stem4d
