// Hello, requests and mistakes of clients.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/desk.h"

#include "app/view/error_message.h"
#include "base/version.h"

namespace sluice::app {
namespace {

constexpr int protocol = 1, max_mistakes = 5;

// A ping asks whether answers come, so that it waits in the queue as other requests do.
Work pong() {
    Work work;
    work.echo = {{"op", "ping"}};
    work.answer = [](Engine& engine, Job const& job) { engine.pong(job); };
    return work;
}

}  // namespace

Desk::Desk(std::unique_ptr<Domain> domain, Post post)
    : domain_(std::move(domain)), post_(std::move(post)), engine_(*domain_, post_) {}

Desk::~Desk() {
    // Its last changes still reach the engine.
    domain_->end();
}

void Desk::begin() {
    domain_->begin(
        {engine_, [this](std::string const& slot, auto const& describe) { tell(slot, describe); }});
}

void Desk::tell(std::string const& slot, std::function<Json()> const& describe) {
    std::lock_guard lock(telling_);
    post_.send(0, slot, text_message(describe()));
}

bool Desk::reject(ClientId client, BadRequest const& bad) {
    engine_.reject(client, bad);
    return ++mistakes_[client] <= max_mistakes;
}

// On the thread of the clients, which serves everybody.
Result<Work> Desk::understood(std::string const& op, Fields const& fields) {
    try {
        return domain_->understand(op, fields);
    } catch (std::exception const& thrown) {
        return error_of(thrown);
    }
}

void Desk::opened(ClientId client) {
    domain_->opened(client);
    std::lock_guard lock(telling_);
    Json hello{{"op", "hello"}, {"protocol", protocol}, {"version", std::string(version)}};
    hello.update(domain_->hello());
    hello["notes"] = domain_->notes();
    post_.send(client, "hello", text_message(hello));
}

bool Desk::received(ClientId client, std::string_view text) {
    auto read = read_request(text);
    if (auto const* bad = std::get_if<BadRequest>(&read)) return reject(client, *bad);
    auto& [envelope, fields] = std::get<RawRequest>(read);
    Result<Work> work = envelope.op == "ping" ? pong() : understood(envelope.op, fields);
    if (!work) return reject(client, {work.error().message, envelope, work.error().code});
    mistakes_[client] = 0;
    engine_.ask(client, std::move(envelope), *std::move(work));
    return true;
}

void Desk::closed(ClientId client) {
    mistakes_.erase(client);
    engine_.forget(client);
    domain_->closed(client);
}

}  // namespace sluice::app
