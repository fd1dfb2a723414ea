// Opens volumes and answers about them, several requests at a time.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/proton/volumes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/view/engine.h"
#include "app/view/proton/answer.h"
#include "app/view/proton/echo.h"
#include "app/view/proton/open_volumes.h"

namespace sluice::app {

Volumes::Volumes(Opened opened, std::vector<std::string> notes)
    : volumes_(std::move(opened.volumes)),
      structures_(std::move(opened.structures)),
      notes_(std::move(notes)) {
    for (ShownVolume const& v : volumes_) described_.push_back(describe(v));
    for (ShownStructure const& s : structures_) described_structures_.push_back(describe(s));
}

Result<std::unique_ptr<Domain>> Volumes::open(std::vector<std::string> const& paths,
                                              std::uint64_t most_bytes) {
    std::vector<std::string> notes;
    Opened opened = open_volumes(paths, most_bytes, notes);
    if (opened.volumes.empty() && !opened.structures.empty())
        notes.emplace_back("structures are shown over a CT or a dose; give one with them");
    if (opened.volumes.empty())
        return Error{Code::not_found,
                     fmt::format("nothing to look at:\n  {}", fmt::join(notes, "\n  "))};
    return std::unique_ptr<Domain>(new Volumes(std::move(opened), std::move(notes)));
}

Json Volumes::hello() const {
    return {{"volumes", described_}, {"structures", described_structures_}};
}

// Two at least: the difference of large volumes takes a second, and planes should not wait for it.
Threads Volumes::threads() const {
    int const processors = static_cast<int>(std::thread::hardware_concurrency());
    return {.quick = std::clamp(processors, 2, 4)};
}

Result<Work> Volumes::understand(std::string const& op, Fields const& fields) {
    SLUICE_TRY(VolumeRequest request, parse_volume_request(op, fields));
    Work work;
    work.echo = echo(request);
    work.answer = [this, request = std::move(request)](Engine& engine, Job const& job) {
        auto message =
            sluice::app::answer(volumes_, structures_, request, header_of(job),
                                [&](std::uint64_t, std::uint64_t) { return engine.newest(job); });
        if (message)
            engine.finish(job, *std::move(message));
        else
            engine.refuse(job, message.error());
    };
    return work;
}

}  // namespace sluice::app
