// The bounded buffer of a simulated detector that sends over a connection of bytes.
// SPDX-License-Identifier: Apache-2.0
#include "net/outbox.h"

#include <utility>

namespace sluice::net {
namespace {

constexpr std::chrono::milliseconds one_try{20};

}  // namespace

Outbox::Outbox(TcpPort port, index most)
    : port_(std::move(port)),
      most_(static_cast<std::size_t>(most)),
      thread_([this](std::stop_token const& stop) { run(stop); }) {}

Outbox::~Outbox() {
    thread_.request_stop();
}

bool Outbox::put(Packet const& message, std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    auto const room = [&] { return connected_ && waiting_.size() < most_; };
    if (!room() && (wait.count() == 0 || !changed_.wait_for(lock, wait, room))) return false;
    waiting_.push_back(message);
    changed_.notify_all();
    return true;
}

index Outbox::finish(std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, wait, [&] { return waiting_.empty() && !sending_; });
    lost_ += std::ssize(waiting_);
    waiting_.clear();
    return std::exchange(lost_, 0);
}

bool Outbox::send(Packet const& message, TcpStream& to, std::stop_token const& stop) {
    for (Packet::Part const& part : message.parts)
        for (Bytes left(*part); !left.empty();) {
            auto const gone = to.send(left, one_try);
            if (!gone || (*gone == 0 && stop.stop_requested())) return false;
            left = left.subspan(*gone);
        }
    return true;
}

void Outbox::run(std::stop_token const& stop) {
    std::optional<TcpStream> to;
    while (!stop.stop_requested()) {
        if (!to) {
            to = port_.accept(one_try);
            if (!to) continue;
            std::lock_guard const lock(mutex_);
            connected_ = true;
            changed_.notify_all();
        }
        Packet message;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, stop, [&] { return !waiting_.empty(); });
            if (waiting_.empty()) return;
            message = std::move(waiting_.front());
            waiting_.pop_front();
            sending_ = true;
            changed_.notify_all();
        }
        bool const gone = send(message, *to, stop);
        if (!gone) to.reset();
        std::lock_guard const lock(mutex_);
        sending_ = false;
        connected_ = gone;
        lost_ += !gone;
        changed_.notify_all();
    }
}

}  // namespace sluice::net
