// An outbox for each client, and the thread that empties them.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/session.h"

namespace sluice::app {

Session::Session(std::unique_ptr<Domain> domain, Deliver deliver)
    : deliver_(std::move(deliver)), desk_(std::make_unique<Desk>(std::move(domain), post())) {
    thread_ = std::thread([this] { live(); });
    desk_->begin();
}

Session::~Session() {
    expects(!delivers_here());
    {
        std::lock_guard lock(mutex_);
        stopped_ = true;
        changed_.notify_all();
    }
    thread_.join();
    desk_.reset();
}

Post Session::post() {
    return {[this](ClientId client, std::string const& slot, server::SharedMessage message) {
                put(client, slot, std::move(message));
            },
            [this](ClientId client) { return backlog(client); }};
}

// Messages for all reach a client only after something was sent to it alone.
void Session::put(ClientId client, std::string const& slot, server::SharedMessage message) {
    std::lock_guard lock(mutex_);
    if (client != 0) {
        auto const it = clients_.find(client);
        if (it == clients_.end()) return;
        it->second.greeted = true;
        it->second.outbox.put(slot, std::move(message));
    } else {
        for (auto& [id, each] : clients_)
            if (each.greeted) each.outbox.put(slot, message);
    }
    changed_.notify_all();
}

server::Backlog Session::backlog(ClientId client) const {
    std::lock_guard lock(mutex_);
    auto const it = clients_.find(client);
    if (it == clients_.end()) return {};
    return {it->second.outbox.bytes(), it->second.outbox.replaced()};
}

void Session::live() {
    std::unique_lock lock(mutex_);
    while (!stopped_) {
        // The next client in turn that something waits for.
        auto it = clients_.upper_bound(served_);
        std::size_t left = clients_.size();
        for (; left > 0; --left, ++it) {
            if (it == clients_.end()) it = clients_.begin();
            if (!it->second.outbox.empty()) break;
        }
        if (left == 0) {
            changed_.wait(lock);
            continue;
        }
        served_ = it->first;
        auto const message = it->second.outbox.take();
        lock.unlock();
        deliver_(served_, *message);
        desk_->drained(served_);
        lock.lock();
    }
}

ClientId Session::open(bool page) {
    std::lock_guard entry(entry_);
    if (page) desk_->visited();
    ClientId client = 0;
    {
        std::lock_guard lock(mutex_);
        client = ++last_;
        clients_[client];
    }
    desk_->opened(client);
    return client;
}

bool Session::submit(ClientId client, std::string_view text) {
    {
        std::lock_guard entry(entry_);
        {
            std::lock_guard lock(mutex_);
            if (!clients_.contains(client)) return false;
        }
        if (desk_->received(client, text)) return true;
    }
    close(client);
    return false;
}

void Session::close(ClientId client) {
    std::lock_guard entry(entry_);
    desk_->closed(client);
    std::lock_guard lock(mutex_);
    clients_.erase(client);
}

}  // namespace sluice::app
