// Queues of the newest requests, the threads that answer them, and what becomes of exceptions.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/engine.h"

#include <algorithm>

#include "app/view/error_message.h"

namespace sluice::app {
namespace {

constexpr std::size_t max_unsent = 16 << 20;

// The page chooses the names of its slots, and must not meet ours.
std::string slot_of_page(std::string const& name) {
    return "page:" + name;
}

}  // namespace

Json header_of(Job const& job) {
    return {{"op", job.envelope.op},
            {"id", job.envelope.id},
            {"slot", job.envelope.slot},
            {"request", job.work->echo}};
}

Engine::Engine(Domain const& domain, Post post) : domain_(domain), post_(std::move(post)) {
    quick_.ready = slow_.ready = [this](ClientId c) { return post_.backlog(c).bytes < max_unsent; };
    auto const [quick, slow] = domain.threads();
    try {
        for (int i = 0; i < quick; ++i) threads_.emplace_back([this] { work(quick_); });
        for (int i = 0; i < slow; ++i) threads_.emplace_back([this] { work(slow_); });
    } catch (...) {  // the system has no more threads
        end();
        throw;
    }
}

Engine::~Engine() {
    end();
}

void Engine::end() {
    stop_ = true;
    quick_.stop();
    slow_.stop();
    for (std::thread& thread : threads_) thread.join();
}

void Engine::ask(ClientId client, Envelope envelope, Work work) {
    Job job{client, std::move(envelope), std::make_shared<Work const>(std::move(work))};
    if (job.work->at_once) return run(job);
    std::string const& slot = job.envelope.slot;
    Status taken;
    {
        // Held over all of it, so that no older request of the slot comes in between.
        std::lock_guard lock(mutex_);
        if (auto number = slots_.take(client, slot)) {
            job.number = *number;
            std::erase_if(parked_, [&](Job const& p) {
                return p.client == client && p.envelope.slot == slot;
            });
            slow_.forget(client, slot);
            if (!quick_.put(client, slot, job)) ++replaced_[client];
        } else {
            taken = std::move(number).error();
        }
    }
    if (!taken) send(job, error_for(job, taken.error()));
}

void Engine::reject(ClientId client, BadRequest const& bad) {
    forget(client, bad.envelope.slot);
    post_.send(client, slot_of_page(bad.envelope.slot),
               text_message(error_json(bad.envelope, nullptr, {bad.code, bad.message})));
}

void Engine::forget(ClientId client, std::string const& slot) {
    std::lock_guard lock(mutex_);
    slots_.forget(client, slot);
    quick_.forget(client, slot);
    slow_.forget(client, slot);
    std::erase_if(parked_,
                  [&](Job const& p) { return p.client == client && p.envelope.slot == slot; });
}

void Engine::forget(ClientId client) {
    std::lock_guard lock(mutex_);
    slots_.forget(client);
    quick_.forget(client);
    slow_.forget(client);
    std::erase_if(parked_, [&](Job const& p) { return p.client == client; });
    replaced_.erase(client);
}

void Engine::wake() {
    quick_.wake();
    slow_.wake();
}

bool Engine::newest(Job const& job) const {
    std::lock_guard lock(mutex_);
    return is_newest(job);
}

bool Engine::is_newest(Job const& job) const {
    bool const here =
        job.work->at_once || slots_.is_newest(job.client, job.envelope.slot, job.number);
    return here && !stop_;
}

void Engine::free(Job const& job) {
    if (!job.work->at_once && is_newest(job)) slots_.forget(job.client, job.envelope.slot);
}

void Engine::send(Job const& job, server::SharedMessage message) {
    post_.send(job.client, slot_of_page(job.envelope.slot), std::move(message));
}

void Engine::finish(Job const& job, server::SharedMessage message) {
    // Under the lock, so that a newer answer of the slot cannot be sent before this one.
    std::lock_guard lock(mutex_);
    if (!is_newest(job)) return;
    // In this order: while it cannot be sent, the slot still waits for an answer or an error.
    send(job, std::move(message));
    free(job);
}

void Engine::show(Job const& job, server::SharedMessage message, bool last) {
    std::lock_guard lock(mutex_);
    // A slot that waits for nothing has its last word, which may be an error.
    if (!job.work->at_once && !slots_.waits(job.client, job.envelope.slot)) return;
    send(job, std::move(message));
    if (last) free(job);
}

void Engine::refuse(Job const& job, Error const& error) {
    finish(job, error_for(job, error));
}

server::SharedMessage Engine::error_for(Job const& job, Error const& error) const {
    Json message = error_json(job.envelope, job.work->echo, error);
    message.update(domain_.about(*this, job));
    return text_message(message);
}

void Engine::pong(Job const& job) {
    Json message = header_of(job);
    message["op"] = "pong";
    message.update(domain_.about(*this, job));
    finish(job, text_message(message));
}

void Engine::done(Job const& job) {
    std::lock_guard lock(mutex_);
    free(job);
}

void Engine::report(Job const& job, Json const& progress) {
    post_.send(job.client, "progress of page:" + job.envelope.slot, text_message(progress));
}

void Engine::again(Job job, Clock::time_point when) {
    job.slow = false;
    std::lock_guard lock(mutex_);
    if (is_newest(job)) quick_.put(job.client, job.envelope.slot, job, when);
}

void Engine::later(Job job, Clock::time_point when) {
    expects(domain_.threads().slow > 0);
    job.slow = true;
    std::lock_guard lock(mutex_);
    if (is_newest(job)) slow_.put(job.client, job.envelope.slot, job, when);
}

void Engine::park(Job const& job) {
    std::lock_guard lock(mutex_);
    if (is_newest(job)) parked_.push_back(job);
}

void Engine::changed(std::string const& subject) {
    std::lock_guard lock(mutex_);
    auto const from = std::partition(parked_.begin(), parked_.end(),
                                     [&](Job const& p) { return p.work->subject != subject; });
    for (auto job = from; job != parked_.end(); ++job) {
        job->slow = false;
        if (is_newest(*job)) quick_.put(job->client, job->envelope.slot, *job);
    }
    parked_.erase(from, parked_.end());
}

std::size_t Engine::dropped(ClientId client) const {
    std::size_t const unsent = post_.backlog(client).dropped;
    std::lock_guard lock(mutex_);
    auto const it = replaced_.find(client);
    return unsent + (it == replaced_.end() ? 0 : it->second);
}

void Engine::work(LatestQueue<Job>& queue) {
    while (auto job = queue.take())
        if (newest(*job)) run(*job);
}

// A request that the machine cannot bear must not end the program for everybody.
void Engine::run(Job const& job) {
    try {
        job.work->answer(*this, job);
    } catch (std::exception const& thrown) {
        refuse(job, error_of(thrown));
    }
}

}  // namespace sluice::app
