// Answers: at once from memory, and from the files when the pointer rests.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/engine.h"

#include <fmt/format.h>

namespace sluice::app {
namespace {

constexpr std::size_t max_slots = 64, max_unsent = 16 << 20;
// A whole pass over the files begins when nothing newer came for this long.
constexpr auto rest = std::chrono::milliseconds(250);

char const* name_of(Code code) {
    switch (code) {
        case Code::invalid_argument:
            return "invalid_argument";
        case Code::not_found:
            return "not_found";
        case Code::unsupported:
            return "unsupported";
        case Code::corrupt:
            return "corrupt";
        case Code::truncated:
            return "truncated";
        case Code::incomplete:
            return "incomplete";
        case Code::out_of_memory:
            return "out_of_memory";
        case Code::io:
            return "io";
        case Code::cancelled:
            return "cancelled";
        case Code::unavailable:
            return "unavailable";
    }
    return "io";
}

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

Engine::Engine(Catalog& catalog, Loader& loader, EngineOptions options)
    : catalog_(catalog), loader_(loader), options_(std::move(options)) {
    auto const ready = [this](ClientId c) { return options_.backlog(c).bytes < max_unsent; };
    quick_.ready = ready;
    slow_.ready = ready;
    quick_thread_ = std::thread([this] { answer_quickly(); });
    slow_thread_ = std::thread([this] { answer_from_files(); });
}

Engine::~Engine() {
    stop_ = true;
    quick_.stop();
    slow_.stop();
    quick_thread_.join();
    slow_thread_.join();
}

bool Engine::ask(ClientId client, Request request) {
    if (std::holds_alternative<LoadRequest>(request.what)) {
        loader_.load(request.dataset);
        return true;
    }
    if (std::holds_alternative<CancelRequest>(request.what)) {
        loader_.cancel(request.dataset);
        return true;
    }
    if (quick_.size(client) >= max_slots) return false;
    std::string const slot = request.slot;
    Job job{client, std::move(request), 0};
    {
        std::lock_guard lock(mutex_);
        job.number = ++number_;
        newest_[{client, slot}] = job.number;
        std::erase_if(parked_,
                      [&](Job const& p) { return p.client == client && p.request.slot == slot; });
    }
    slow_.forget(client, slot);
    if (!quick_.put(client, slot, std::move(job))) {
        std::lock_guard lock(mutex_);
        ++replaced_[client];
    }
    return true;
}

void Engine::forget(ClientId client) {
    quick_.forget(client);
    slow_.forget(client);
    std::lock_guard lock(mutex_);
    std::erase_if(newest_, [&](auto const& entry) { return entry.first.first == client; });
    std::erase_if(parked_, [&](Job const& p) { return p.client == client; });
    replaced_.erase(client);
}

void Engine::wake() {
    quick_.wake();
    slow_.wake();
}

void Engine::changed(std::string const& dataset) {
    std::vector<Job> due;
    {
        std::lock_guard lock(mutex_);
        auto const from = std::partition(parked_.begin(), parked_.end(), [&](Job const& p) {
            return p.request.dataset != dataset;
        });
        due.assign(std::make_move_iterator(from), std::make_move_iterator(parked_.end()));
        parked_.erase(from, parked_.end());
    }
    for (Job& job : due) {
        ClientId const client = job.client;
        std::string const slot = job.request.slot;
        if (newest(job)) quick_.put(client, slot, std::move(job));
    }
}

bool Engine::newest(Job const& job) const {
    if (stop_) return false;
    std::lock_guard lock(mutex_);
    auto const it = newest_.find({job.client, job.request.slot});
    return it != newest_.end() && it->second == job.number;
}

void Engine::answer_quickly() {
    while (auto job = quick_.take()) run(*job);
}

void Engine::answer_from_files() {
    while (auto job = slow_.take())
        if (newest(*job)) stream(*job);
}

Json Engine::header_of(Job const& job, index step) const {
    std::size_t dropped = options_.backlog(job.client).dropped;
    {
        std::lock_guard lock(mutex_);
        if (auto const it = replaced_.find(job.client); it != replaced_.end())
            dropped += it->second;
    }
    return {{"op", job.request.op},           {"id", job.request.id}, {"slot", job.request.slot},
            {"dataset", job.request.dataset}, {"step", step},         {"dropped", dropped}};
}

void Engine::refuse(Job const& job, Error const& error) {
    Json header = header_of(job, 0);
    header["op"] = "error";
    header["message"] = error.text();
    header["code"] = name_of(error.code);
    options_.send(job.client, job.request.slot, text_message(header));
}

void Engine::answer(Job const& job, Source const& source, index step) {
    auto const start = Clock::now();
    auto const compute = [&]() -> Result<Answer> {
        auto const& what = job.request.what;
        if (auto const* image = std::get_if<ImageRequest>(&what))
            return answer_image(source, *image, moments_);
        if (auto const* frame = std::get_if<FrameRequest>(&what))
            return answer_frame(source, *frame);
        return answer_pattern(source, std::get<PatternRequest>(what));
    };
    Result<Answer> answer = Error{Code::out_of_memory, "memory ran out over this answer"};
    try {
        answer = compute();
    } catch (std::bad_alloc const&) {
        // The answer stays the error that it was made as.
    }
    if (!answer) {
        // Cancelled because something newer came: the newer answer is the one that is waited for.
        if (answer.error().code == Code::cancelled && !newest(job)) return;
        return refuse(job, answer.error());
    }
    Json header = header_of(job, step);
    header["ms"] = milliseconds_since(start);
    header.update(answer->fields);
    options_.send(job.client, job.request.slot, answer->arrays.finish(std::move(header)));
}

void Engine::run(Job const& job) {
    if (std::holds_alternative<PingRequest>(job.request.what)) {
        Json header = header_of(job, 0);
        header["op"] = "pong";
        return options_.send(job.client, job.request.slot, text_message(header));
    }
    std::optional<Item> const item = catalog_.get(job.request.dataset);
    if (!item)
        return refuse(job, {Code::not_found,
                            fmt::format("there is no dataset '{}' here", job.request.dataset)});
    catalog_.touch(item->id);
    bool const single = std::holds_alternative<FrameRequest>(job.request.what);
    bool const resident = item->full && item->full->resident();
    Source source{resident ? item->full
                  : single ? item->files
                           : item->preview,
                  item->scan, item->disk, options_.device};
    bool const exact = resident || single;
    if (source.scan) answer(job, source, exact ? 1 : source.scan->options().scan_step);
    if (source.scan && exact) return;
    if (item->full) {
        slow_.put(job.client, job.request.slot, job, Clock::now() + rest);
    } else if (!source.scan && (item->state == State::failed || item->state == State::incomplete)) {
        refuse(job, {Code::io, item->message});
    } else if (!source.scan) {
        std::lock_guard lock(mutex_);
        parked_.push_back(job);
    }
}

void Engine::stream(Job const& job) {
    std::optional<Item> const item = catalog_.get(job.request.dataset);
    if (!item || !item->full) return;
    Source source{item->full, item->scan, item->disk, options_.device};
    auto const start = Clock::now();
    auto last = start;
    source.progress = [&](std::uint64_t done, std::uint64_t total) {
        auto const now = Clock::now();
        if (now - last > std::chrono::milliseconds(200)) {
            last = now;
            double const seconds = milliseconds_since(start) / 1e3;
            double const rate = static_cast<double>(done) / seconds;
            Json const progress{{"op", "progress"},
                                {"dataset", item->id},
                                {"slot", job.request.slot},
                                {"done", done},
                                {"total", total},
                                {"rate", rate},
                                {"left", static_cast<double>(total - done) / std::max(rate, 1.0)}};
            options_.send(job.client, "progress:" + job.request.slot, text_message(progress));
        }
        return newest(job);
    };
    answer(job, source, 1);
}

}  // namespace sluice::app
