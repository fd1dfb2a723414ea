// Answers: at once from memory, and from the files when the pointer rests.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/engine.h"

#include <fmt/format.h>

#include "app/view/echo.h"

namespace sluice::app {
namespace {

constexpr std::size_t max_slots = 128, max_unsent = 16 << 20;
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

Error no_dataset(std::string const& id) {
    return {Code::not_found, fmt::format("there is no dataset '{}' here", id)};
}

// Nothing more comes of it unless somebody asks, or its files change.
bool settled(Item const& item) {
    return item.state == State::failed || item.state == State::incomplete ||
           item.state == State::stopped || item.awaited;
}

// Whether a job that was answered from a subset, or not at all, can be answered better now.
bool has_news(Item const& item, std::uint64_t coarse) {
    return item.full || settled(item) || (item.preview && item.read != coarse);
}

// There is nothing of it: it could not be opened, or what was read is out of date.
bool refused(Item const& item) {
    return !item.full && !item.files;
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

Status Engine::ask(ClientId client, Request request) {
    bool const load = std::holds_alternative<LoadRequest>(request.what);
    if (load || std::holds_alternative<CancelRequest>(request.what)) {
        if (!catalog_.get(request.dataset)) return no_dataset(request.dataset);
        // First the answer: what the dataset becomes is told after it.
        options_.send(client, request.slot, text_message(header_of({client, request, 0}, 0)));
        if (load)
            loader_.load(request.dataset);
        else
            loader_.cancel(request.dataset);
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
    Job job{client, std::move(request), ++number_};
    newest_[{client, slot}] = job.number;
    std::erase_if(parked_,
                  [&](Job const& p) { return p.client == client && p.request.slot == slot; });
    slow_.forget(client, slot);
    if (!quick_.put(client, slot, std::move(job))) ++replaced_[client];
    return {};
}

void Engine::forget(ClientId client, std::string const& slot) {
    std::lock_guard lock(mutex_);
    newest_.erase({client, slot});
    quick_.forget(client, slot);
    slow_.forget(client, slot);
    std::erase_if(parked_,
                  [&](Job const& p) { return p.client == client && p.request.slot == slot; });
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
    std::lock_guard lock(mutex_);
    auto const from = std::partition(parked_.begin(), parked_.end(),
                                     [&](Job const& p) { return p.request.dataset != dataset; });
    for (auto job = from; job != parked_.end(); ++job)
        if (is_newest(*job)) {
            ClientId const client = job->client;
            std::string const slot = job->request.slot;
            quick_.put(client, slot, std::move(*job));
        }
    parked_.erase(from, parked_.end());
}

void Engine::park(Job const& job) {
    {
        std::lock_guard lock(mutex_);
        if (is_newest(job)) parked_.push_back(job);
    }
    // What it waits for may have come just before it was parked.
    auto const item = catalog_.get(job.request.dataset);
    if (!item || has_news(*item, job.coarse)) changed(job.request.dataset);
}

void Engine::again(Job const& job) {
    std::lock_guard lock(mutex_);
    if (is_newest(job)) quick_.put(job.client, job.request.slot, job);
}

bool Engine::is_newest(Job const& job) const {
    auto const it = newest_.find({job.client, job.request.slot});
    return !stop_ && it != newest_.end() && it->second == job.number;
}

bool Engine::newest(Job const& job) const {
    std::lock_guard lock(mutex_);
    return is_newest(job);
}

void Engine::send(Job const& job, server::SharedMessage message, bool last, bool only_newest) {
    // Under the lock, so that a newer answer of the slot cannot be sent before this one.
    std::lock_guard lock(mutex_);
    bool const is_last = last && is_newest(job);
    if (only_newest && !is_newest(job)) return;
    if (is_last) newest_.erase({job.client, job.request.slot});
    options_.send(job.client, job.request.slot, std::move(message));
}

void Engine::done(Job const& job) {
    std::lock_guard lock(mutex_);
    if (is_newest(job)) newest_.erase({job.client, job.request.slot});
}

// A request that the machine cannot bear must not end the program for everybody.
template <class F>
void Engine::guarded(Job const& job, F&& work) {
    try {
        work();
    } catch (std::bad_alloc const&) {
        refuse(job, {Code::out_of_memory, "the machine is out of memory for this answer"});
    } catch (std::exception const& error) {
        refuse(job, {Code::io, error.what()});
    }
}

void Engine::answer_quickly() {
    while (auto job = quick_.take()) guarded(*job, [&] { run(*job); });
}

void Engine::answer_from_files() {
    while (auto job = slow_.take())
        if (newest(*job)) guarded(*job, [&] { stream(*job); });
}

Json Engine::header_of(Job const& job, index step) const {
    std::size_t dropped = options_.backlog(job.client).dropped;
    {
        std::lock_guard lock(mutex_);
        if (auto const it = replaced_.find(job.client); it != replaced_.end())
            dropped += it->second;
    }
    return {{"op", job.request.op},
            {"id", job.request.id},
            {"slot", job.request.slot},
            {"request", echo(job.request)},
            {"dataset", job.request.dataset},
            {"step", step},
            {"dropped", dropped}};
}

void Engine::refuse(Job const& job, Error const& error) {
    Json header = header_of(job, 0);
    header["op"] = "error";
    header["message"] = error.text();
    header["code"] = name_of(error.code);
    if (auto const item = catalog_.get(job.request.dataset)) header["read"] = item->read;
    send(job, text_message(header), true);
}

void Engine::answer(Job const& job, Item const& item, Source const& source, bool last) {
    auto const start = Clock::now();
    auto const compute = [&]() -> Result<Answer> {
        auto const& what = job.request.what;
        if (auto const* image = std::get_if<ImageRequest>(&what))
            return answer_image(source, *image, moments_);
        if (auto const* frame = std::get_if<FrameRequest>(&what))
            return answer_frame(source, *frame);
        return answer_pattern(source, std::get<PatternRequest>(what));
    };
    Result<Answer> answer = compute();
    if (!answer) {
        // Cancelled because something newer came: the newer answer is the one that is waited for.
        if (answer.error().code == Code::cancelled && !newest(job)) return;
        // A subset may lack what the whole has: the points of a small region, say.
        return last ? refuse(job, answer.error()) : void();
    }
    Json header = header_of(job, source.step);
    header["ms"] = milliseconds_since(start);
    header.update(place_of(item));
    header.update(answer->fields);
    auto message = answer->arrays.finish(std::move(header));
    // A pass over the files takes long enough for its question to be out of date.
    send(job, std::move(message), last, static_cast<bool>(source.progress));
}

void Engine::run(Job const& job) {
    if (std::holds_alternative<PingRequest>(job.request.what)) {
        Json header = header_of(job, 0);
        header["op"] = "pong";
        return send(job, text_message(header), true);
    }
    std::optional<Item> const item = catalog_.get(job.request.dataset);
    if (!item) return refuse(job, no_dataset(job.request.dataset));
    if (settled(*item) && refused(*item)) return refuse(job, {Code::io, item->message});
    catalog_.touch(item->id);
    bool const single = std::holds_alternative<FrameRequest>(job.request.what);
    bool const resident = item->full && item->full->resident();
    bool const exact = resident || single;
    Source const source{resident ? item->full
                        : single ? item->files
                                 : item->preview,
                        exact ? 1 : item->step, item->scan, item->disk, options_.device};
    if (source.scan && exact) return answer(job, *item, source, true);
    // The whole follows, from the files or once it is loaded.
    bool const more = item->full || !settled(*item);
    bool const known = source.scan && job.coarse == item->read;
    if (source.scan && !known) answer(job, *item, source, !more);
    Job next = job;
    if (source.scan) next.coarse = item->read;
    if (item->full)
        slow_.put(job.client, job.request.slot, next, Clock::now() + rest);
    else if (more)
        park(next);
    else if (known)
        done(job);
    else if (!source.scan)
        refuse(job, {Code::io, item->message});
}

void Engine::stream(Job const& job) {
    std::optional<Item> const item = catalog_.get(job.request.dataset);
    // It was loaded, left memory or failed while the pointer rested.
    if (!item || !item->full) return again(job);
    Source source{item->full, 1, item->scan, item->disk, options_.device};
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
    answer(job, *item, source, true);
}

}  // namespace sluice::app
