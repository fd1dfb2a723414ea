// Opens slides, and answers their tiles and attachments, several at a time.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/slide/slides.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/view/engine.h"
#include "app/view/slide/echo.h"

namespace sluice::app {
namespace {

constexpr std::size_t cache_bytes = 256 << 20;
constexpr int max_threads = 16;
// Reads that are done sooner need no progress.
constexpr auto patience = std::chrono::milliseconds(300);
// A plate may have thousands of images; the list of the page is for people.
constexpr std::size_t most_images = 200;

// The paths of all images at some paths.
std::vector<std::string> images_at(std::vector<std::string> const& paths,
                                   std::vector<std::string>& notes) {
    std::vector<std::string> out;
    for (std::string const& path : paths) {
        auto images = slide::slides_in(path);
        if (!images) {
            notes.push_back(images.error().text());
            continue;
        }
        if (images->size() > most_images) {
            notes.push_back(
                fmt::format("{}: has {} images, of which the first {} are shown; give "
                            "the folder of another to see it",
                            path, images->size(), most_images));
            images->resize(most_images);
        }
        out.insert(out.end(), images->begin(), images->end());
    }
    return out;
}

// Those that cannot be opened leave a line in `notes`.
std::vector<ShownSlide> open_all(std::vector<std::string> const& paths,
                                 slide::SlideOpenOptions const& options,
                                 std::vector<std::string>& notes) {
    std::vector<ShownSlide> slides;
    for (std::string const& path : images_at(paths, notes)) {
        auto slide = slide::Slide::open(path, options);
        if (slide && slide->tiles().empty())
            notes.push_back(fmt::format("{}: the file has no tiles", path));
        else if (!slide)
            notes.push_back(slide.error().text());
        else {
            SlideContent content = content_of(*slide);
            slides.push_back({fmt::format("s{}", slides.size() + 1), path, *std::move(slide),
                              std::move(content)});
        }
    }
    return slides;
}

}  // namespace

Slides::Slides(std::vector<ShownSlide> slides, std::vector<std::string> notes)
    : slides_(std::move(slides)), notes_(std::move(notes)), cache_(cache_bytes) {
    for (ShownSlide const& s : slides_) described_.push_back(describe(s));
}

Result<std::unique_ptr<Domain>> Slides::open(std::vector<std::string> const& paths,
                                             slide::SlideOpenOptions const& options) {
    std::vector<std::string> notes;
    std::vector<ShownSlide> slides = open_all(paths, options, notes);
    if (slides.empty())
        return Error{Code::not_found,
                     fmt::format("nothing to look at:\n  {}", fmt::join(notes, "\n  "))};
    return std::unique_ptr<Domain>(new Slides(std::move(slides), std::move(notes)));
}

Json Slides::hello() const {
    return {{"tile", tile_side}, {"slides", described_}};
}

Threads Slides::threads() const {
    int const processors = static_cast<int>(std::thread::hardware_concurrency());
    return {.quick = std::clamp(processors, 1, max_threads)};
}

Result<Work> Slides::understand(std::string const& op, Fields const& fields) {
    SLUICE_TRY(SlideRequest request, parse_slide_request(op, fields));
    Work work;
    work.echo = echo(request);
    work.subject = request.slide;
    if (std::holds_alternative<StopRequest>(request.what)) {
        work.at_once = true;
        work.answer = [](Engine& engine, Job const& job) {
            engine.forget(job.client, job.envelope.slot);
        };
    } else {
        work.answer = [this, request = std::move(request)](Engine& engine, Job const& job) {
            auto message = message_for(engine, job, request);
            if (message)
                engine.finish(job, *std::move(message));
            else
                engine.refuse(job, message.error());
        };
    }
    return work;
}

Result<server::SharedMessage> Slides::message_for(Engine& engine, Job const& job,
                                                  SlideRequest const& request) {
    auto const shown = std::ranges::find(slides_, request.slide, &ShownSlide::id);
    if (shown == slides_.end())
        return Error{Code::not_found, fmt::format("there is no slide '{}' here", request.slide)};
    if (auto const* attachment = std::get_if<AttachmentRequest>(&request.what))
        return answer_attachment(*shown, *attachment, header_of(job));
    auto last = Clock::now();
    TileOptions options{&cache_};
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
        if (auto const now = Clock::now(); now - last > patience) {
            last = now;
            engine.report(job, {{"op", "progress"},
                                {"id", job.envelope.id},
                                {"slot", job.envelope.slot},
                                {"done", done},
                                {"total", total}});
        }
        return engine.newest(job);
    };
    return answer_tile(*shown, std::get<TileRequest>(request.what), options, header_of(job));
}

}  // namespace sluice::app
