// Several tiles at a time, the newest of each slot, clients in turn.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/slide_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/view/echo.h"

namespace sluice::app {
namespace {

constexpr std::size_t max_slots = 64, max_unsent = 16 << 20;
constexpr int max_threads = 16;
// Reads that are done sooner need no progress.
constexpr auto patience = std::chrono::milliseconds(300);

}  // namespace

SlideEngine::SlideEngine(std::vector<ShownSlide> const& slides, SlideEngineOptions options)
    : slides_(slides), options_(std::move(options)), cache_(options_.cache_bytes) {
    queue_.ready = [this](ClientId c) { return options_.backlog(c).bytes < max_unsent; };
    int const processors = static_cast<int>(std::thread::hardware_concurrency());
    int const wanted = options_.threads > 0 ? options_.threads : processors;
    for (int i = 0; i < std::clamp(wanted, 1, max_threads); ++i)
        threads_.emplace_back([this] { work(); });
}

SlideEngine::~SlideEngine() {
    stop_ = true;
    queue_.stop();
    for (std::thread& t : threads_) t.join();
}

Status SlideEngine::ask(ClientId client, SlideRequest request) {
    if (std::holds_alternative<StopRequest>(request.what)) {
        forget(client, request.slot);
        return {};
    }
    std::string const slot = request.slot;
    // Held over all of it, so that no older request of the slot comes in between.
    std::lock_guard lock(mutex_);
    auto const first = newest_.lower_bound({client, ""});
    auto const past = newest_.lower_bound({client + 1, ""});
    if (!newest_.contains({client, slot}) &&
        std::distance(first, past) >= static_cast<std::ptrdiff_t>(max_slots))
        return Error{Code::invalid_argument,
                     fmt::format("{} slots wait for an answer already (that is the most); wait for "
                                 "one of them",
                                 max_slots)};
    newest_[{client, slot}] = ++number_;
    queue_.put(client, slot, Job{client, std::move(request), number_});
    return {};
}

void SlideEngine::forget(ClientId client, std::string const& slot) {
    std::lock_guard lock(mutex_);
    newest_.erase({client, slot});
    queue_.forget(client, slot);
}

void SlideEngine::forget(ClientId client) {
    queue_.forget(client);
    std::lock_guard lock(mutex_);
    std::erase_if(newest_, [&](auto const& entry) { return entry.first.first == client; });
}

void SlideEngine::wake() {
    queue_.wake();
}

bool SlideEngine::is_newest(Job const& job) const {
    auto const it = newest_.find({job.client, job.request.slot});
    return !stop_ && it != newest_.end() && it->second == job.number;
}

bool SlideEngine::newest(Job const& job) const {
    std::lock_guard lock(mutex_);
    return is_newest(job);
}

void SlideEngine::send(Job const& job, server::SharedMessage message) {
    // Under the lock, so that a newer answer of the slot cannot be sent before this one.
    std::lock_guard lock(mutex_);
    if (!is_newest(job)) return;
    newest_.erase({job.client, job.request.slot});
    options_.send(job.client, job.request.slot, std::move(message));
}

bool SlideEngine::report(Job const& job, Clock::time_point& last, std::uint64_t done,
                         std::uint64_t total) {
    if (auto const now = Clock::now(); now - last > patience) {
        last = now;
        Json const progress{{"op", "progress"},
                            {"id", job.request.id},
                            {"slot", job.request.slot},
                            {"done", done},
                            {"total", total}};
        options_.send(job.client, "progress:" + job.request.slot, text_message(progress));
    }
    return newest(job);
}

Result<server::SharedMessage> SlideEngine::answer(Job const& job) {
    SlideRequest const& r = job.request;
    Json header{{"op", r.op}, {"id", r.id}, {"slot", r.slot}, {"request", echo(r)}};
    if (std::holds_alternative<PingRequest>(r.what)) {
        header["op"] = "pong";
        return text_message(header);
    }
    auto const shown = std::find_if(slides_.begin(), slides_.end(),
                                    [&](auto const& s) { return s.id == r.slide; });
    if (shown == slides_.end())
        return Error{Code::not_found, fmt::format("there is no slide '{}' here", r.slide)};
    if (auto const* attachment = std::get_if<AttachmentRequest>(&r.what))
        return answer_attachment(*shown, *attachment, std::move(header));
    auto last = Clock::now();
    TileOptions options{&cache_, [&](std::uint64_t done, std::uint64_t total) {
                            return report(job, last, done, total);
                        }};
    return answer_tile(*shown, std::get<TileRequest>(r.what), options, std::move(header));
}

void SlideEngine::run(Job const& job) {
    auto const refuse = [&](std::string const& message) {
        send(job, text_message({{"op", "error"},
                                {"id", job.request.id},
                                {"slot", job.request.slot},
                                {"request", echo(job.request)},
                                {"message", message}}));
    };
    // A request that the machine cannot bear must not end the program for everybody.
    try {
        auto message = answer(job);
        if (message)
            send(job, *std::move(message));
        else
            refuse(message.error().text());
    } catch (std::bad_alloc const&) {
        refuse("the machine is out of memory for this answer");
    } catch (std::exception const& error) {
        refuse(error.what());
    }
}

void SlideEngine::work() {
    while (auto job = queue_.take())
        if (newest(*job)) run(*job);
}

}  // namespace sluice::app
