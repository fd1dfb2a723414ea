// A domain of a few lines, and a post that collects what an engine sends, for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <cstring>
#include <deque>

#include "app/view/engine.h"

namespace sluice::app {

/// Requests are understood as the test says.
class FakeDomain : public Domain {
  public:
    std::function<Result<Work>(std::string const& op, Fields const& fields)> understands;
    Threads many = {1, 1};
    std::vector<std::string> told_notes = {"a note"};
    std::function<void(Shell const&)> begins = [](Shell const&) {};

    std::string_view page() const override { return "/fake.html"; }
    Json hello() const override { return {{"things", {1, 2}}}; }
    std::vector<std::string> const& notes() const override { return told_notes; }
    Threads threads() const override { return many; }
    Result<Work> understand(std::string const& op, Fields const& fields) override {
        return understands(op, fields);
    }
    Json about(Engine const&, Job const& job) const override {
        return {{"thing", job.work->subject}};
    }
    void begin(Shell const& shell) override { begins(shell); }
};

/// The headers of what was sent, in order.
class Sent {
  public:
    Post post() {
        return {[this](ClientId, std::string const& slot, server::SharedMessage const& message) {
                    std::lock_guard lock(mutex_);
                    headers_.push_back(header_in(*message));
                    slots_.push_back(slot);
                    arrived_.notify_all();
                },
                [](ClientId) { return server::Backlog{}; }};
    }
    /// The next one; an empty one when none comes.
    Json next() {
        std::unique_lock lock(mutex_);
        arrived_.wait_for(lock, std::chrono::seconds(20), [&] { return !headers_.empty(); });
        if (headers_.empty()) return {};
        Json header = std::move(headers_.front());
        headers_.pop_front();
        last_slot = slots_.front();
        slots_.pop_front();
        return header;
    }
    std::string last_slot;

  private:
    static Json header_in(server::Message const& m) {
        if (!m.binary) return Json::parse(m.bytes);
        std::uint32_t size = 0;
        std::memcpy(&size, m.bytes.data(), sizeof size);
        return Json::parse(m.bytes.substr(4, size));
    }

    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<Json> headers_;
    std::deque<std::string> slots_;
};

}  // namespace sluice::app
