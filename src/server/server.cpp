// The port, the connections, and the loop that serves them, on Boost.Beast.
// SPDX-License-Identifier: Apache-2.0
#include "server/server.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <boost/asio/ip/host_name.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <mutex>

#include "server/connection.h"

namespace sluice::server {

namespace {

Result<Address> resolve(Options const& options) {
    boost::system::error_code failed;
    std::string const name = options.host == "localhost" ? "127.0.0.1" : options.host;
    Address const address = asio::ip::make_address(name, failed);
    if (failed)
        return Error{Code::invalid_argument,
                     fmt::format("--host {} (not an address of this machine); write one as in "
                                 "127.0.0.1 or 0.0.0.0",
                                 options.host)};
    if (!address.is_loopback() && !options.allow_remote)
        return Error{Code::invalid_argument,
                     fmt::format("--host {} (other machines could reach it, and what they send "
                                 "travels unencrypted); add --allow-remote if that is wanted",
                                 options.host)};
    return address;
}

std::string bracketed(Address const& address) {
    return address.is_v6() ? fmt::format("[{}]", address.to_string()) : address.to_string();
}

Error cannot_listen(Options const& options, boost::system::error_code why) {
    if (why != asio::error::address_in_use)
        return {Code::invalid_argument,
                fmt::format("cannot listen on {} port {} ({}); choose another --host or --port",
                            options.host, options.port, why.message())};
    return {Code::io,
            fmt::format("cannot listen on {} port {} ({}); another `sluice view` may have "
                        "it: choose another --port, or 0 for any that is free",
                        options.host, options.port, why.message())};
}

}  // namespace

struct Server::State {
    explicit State(Options o) : shared(std::move(o)) {}

    Shared shared;
    asio::io_context io{1};
    asio::ip::tcp::acceptor acceptor{io};
    asio::steady_timer timer{io}, pause{io};
    std::string url;
    std::function<bool()> interrupted;

    struct Letter {
        ClientId client;
        std::string slot;
        SharedMessage message;
    };
    // Asio runs what its own thread posts after what others post later: the order is kept here.
    std::mutex sending;
    std::deque<Letter> letters;

    void deliver() {
        std::unique_lock lock(sending);
        Letter const letter = std::move(letters.front());
        letters.pop_front();
        lock.unlock();
        shared.for_each(letter.client, [&](Live& live) { live.send(letter.slot, letter.message); });
    }
    void accept() {
        acceptor.async_accept(
            io, [this](boost::system::error_code failed, asio::ip::tcp::socket socket) {
                if (failed == asio::error::operation_aborted || io.stopped()) return;
                if (failed) return accept_later();
                // A program that is started from here must not keep the connection open.
                ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
                start_connection(std::move(socket), shared);
                accept();
            });
    }
    // Most likely the descriptors ran out, and at once they would again.
    void accept_later() {
        pause.expires_after(std::chrono::milliseconds(100));
        pause.async_wait([this](boost::system::error_code failed) {
            if (!failed) accept();
        });
    }
    void poll() {
        timer.expires_after(std::chrono::milliseconds(100));
        timer.async_wait([this](boost::system::error_code failed) {
            if (failed) return;
            if (interrupted && interrupted()) return io.stop();
            poll();
        });
    }
};

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::Server(Server&&) noexcept = default;
Server& Server::operator=(Server&&) noexcept = default;
Server::~Server() = default;

Result<Server> Server::listen(Options options) {
    SLUICE_TRY(Address const address, resolve(options));
    auto state = std::make_unique<State>(std::move(options));
    Options const& o = state->shared.options;
    boost::system::error_code failed;
    asio::ip::tcp::endpoint const endpoint(address, o.port);
    auto& acceptor = state->acceptor;
    if (acceptor.open(endpoint.protocol(), failed)) return cannot_listen(o, failed);
    acceptor.set_option(asio::socket_base::reuse_address(true), failed);
    if (acceptor.bind(endpoint, failed)) return cannot_listen(o, failed);
    if (acceptor.listen(asio::socket_base::max_listen_connections, failed))
        return cannot_listen(o, failed);
    ::fcntl(acceptor.native_handle(), F_SETFD, FD_CLOEXEC);
    Allowed& allowed = state->shared.allowed;
    allowed.port = acceptor.local_endpoint().port();
    allowed.hosts = {bracketed(address)};
    if (address.is_loopback())
        allowed.hosts.insert(allowed.hosts.end(), {"localhost", "127.0.0.1", "[::1]"});
    allowed.any_host = o.allow_remote;
    // A browser cannot open an address that stands for all of them.
    std::string const name =
        address.is_unspecified() ? asio::ip::host_name(failed) : bracketed(address);
    state->url =
        fmt::format("http://{}:{}/?token={}", name, allowed.port, percent_encoded(o.token));
    return Server(std::move(state));
}

std::string Server::url() const {
    return state_->url;
}
std::uint16_t Server::port() const {
    return state_->shared.allowed.port;
}

void Server::run(Handler& handler, std::function<bool()> const& interrupted) {
    // Open connections end with the server, and the handler may end before it: also when it
    // threw.
    struct Forget {
        Shared& shared;
        ~Forget() { shared.handler = nullptr; }
    } const forget{state_->shared};
    state_->shared.handler = &handler;
    state_->interrupted = interrupted;
    state_->accept();
    state_->poll();
    state_->io.run();
}

void Server::stop() {
    state_->io.stop();
}

void Server::send(ClientId client, std::string slot, SharedMessage message) {
    std::lock_guard lock(state_->sending);
    state_->letters.push_back({client, std::move(slot), std::move(message)});
    asio::post(state_->io, [state = state_.get()] { state->deliver(); });
}

Backlog Server::backlog(ClientId client) const {
    return state_->shared.backlog_of(client);
}

}  // namespace sluice::server
