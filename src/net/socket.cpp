// Sockets of ZeroMQ, by its C API.
// SPDX-License-Identifier: Apache-2.0
#include "net/socket.h"

#include <fmt/format.h>
#include <zmq.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <thread>
#include <utility>

#include "net/address.h"
#include "net/nap.h"

namespace sluice::net {
namespace {

struct Held {
    zmq_msg_t message;
    Held() { zmq_msg_init(&message); }
    Held(Held const&) = delete;
    Held& operator=(Held const&) = delete;
    ~Held() { zmq_msg_close(&message); }
};

struct EndContext {
    void operator()(void* context) const { zmq_ctx_term(context); }
};
struct EndSocket {
    void operator()(void* socket) const { zmq_close(socket); }
};

Error failed(std::string_view what, std::string const& address) {
    int const why = zmq_errno();
    std::string_view advice = "look at the address";
    if (why == EADDRINUSE) advice = "end the other program, or take another port";
    if (why == EINVAL || why == EPROTONOSUPPORT || why == ENODEV)
        advice = "an address is tcp://HOST:PORT, as in tcp://127.0.0.1:31001";
    return {Code::io, fmt::format("{} ({}) {}", what, zmq_strerror(why), advice), address};
}

/// Bytes that ZeroMQ sends.
struct Lent {
    explicit Lent(std::shared_ptr<void const> of) : owner(std::move(of)) {}
    std::shared_ptr<void const> owner;
    /// ZeroMQ hands them to its thread with synchronisation of its own, which tools that look for
    /// races do not see.
    std::atomic<bool> handed_over = false;
};

// Called by a thread of ZeroMQ's when the bytes were sent.
void let_go(void*, void* lent) {
    std::unique_ptr<Lent> const last(static_cast<Lent*>(lent));
    expects(last->handed_over.load(std::memory_order_acquire));
}

}  // namespace

struct Socket::State {
    std::unique_ptr<void, EndContext> context;
    std::unique_ptr<void, EndSocket> socket;  // ends before its context
    int queue = 0;
    bool flows = false;  // the last look found a message
};

Socket::Socket(std::unique_ptr<State> state, std::string address)
    : state_(std::move(state)), address_(std::move(address)) {}
Socket::Socket(Socket&&) noexcept = default;
Socket& Socket::operator=(Socket&&) noexcept = default;
Socket::~Socket() = default;

Result<Socket> Socket::open(int type, std::string const& address, SocketOptions const& options) {
    SLUICE_CHECK(check_address(address));
    auto state = std::make_unique<State>();
    state->context.reset(zmq_ctx_new());
    if (!state->context) return failed("no context of ZeroMQ", address);
    state->socket.reset(zmq_socket(state->context.get(), type));
    if (!state->socket) return failed("no socket", address);
    void* const socket = state->socket.get();
    int const linger = type == ZMQ_PUSH ? static_cast<int>(options.linger.count()) : 0;
    int const queue = state->queue = options.queue;
    std::int64_t const most = options.most_bytes;
    int const queue_of = type == ZMQ_PUSH ? ZMQ_SNDHWM : ZMQ_RCVHWM;
    if (zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger) != 0 ||
        zmq_setsockopt(socket, queue_of, &queue, sizeof queue) != 0 ||
        zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &most, sizeof most) != 0)
        return failed("the socket refuses an option", address);
    return Socket(std::move(state), address);
}

Result<Socket> Socket::pull(std::string const& address, SocketOptions const& options) {
    SLUICE_TRY(Socket socket, open(ZMQ_PULL, address, options));
    if (zmq_connect(socket.state_->socket.get(), address.c_str()) != 0)
        return failed("no connection can be made", address);
    return socket;
}

Result<Socket> Socket::push(std::string const& address, SocketOptions const& options) {
    SLUICE_TRY(Socket socket, open(ZMQ_PUSH, address, options));
    if (zmq_bind(socket.state_->socket.get(), address.c_str()) != 0)
        return failed("the address cannot be taken", address);
    std::array<char, 256> chosen{};
    std::size_t size = chosen.size();
    if (zmq_getsockopt(socket.state_->socket.get(), ZMQ_LAST_ENDPOINT, chosen.data(), &size) == 0)
        socket.address_ = chosen.data();
    return socket;
}

// A queue is never made longer: a sender that waits for room hears of it only when half of the new
// length was taken, and what is there may be less.
void Socket::hold(std::uint64_t bytes, std::uint64_t each) {
    std::uint64_t const fit = bytes / std::max<std::uint64_t>(1, each);
    int const queue = static_cast<int>(std::clamp<std::uint64_t>(fit, least_queue, most_queue));
    if (queue >= state_->queue) return;
    state_->queue = queue;
    static_cast<void>(zmq_setsockopt(state_->socket.get(), ZMQ_RCVHWM, &queue, sizeof queue));
}

Result<bool> Socket::ready(short event, std::chrono::milliseconds wait) {
    zmq_pollitem_t item{state_->socket.get(), 0, event, 0};
    int const count = zmq_poll(&item, 1, static_cast<long>(wait.count()));
    if (count < 0 && zmq_errno() != EINTR) return failed("the stream broke", address_);
    return count > 0;
}

Result<bool> Socket::receive(Message& message, std::chrono::milliseconds wait) {
    auto const held = std::make_shared<Held>();
    void* const socket = state_->socket.get();
    for (bool waited = false; zmq_msg_recv(&held->message, socket, ZMQ_DONTWAIT) < 0;) {
        if (zmq_errno() != EAGAIN && zmq_errno() != EINTR)
            return failed("the stream broke", address_);
        if (waited) return false;
        if (std::exchange(state_->flows, false)) {
            std::this_thread::sleep_for(std::min(nap, wait));
            continue;
        }
        SLUICE_TRY(bool const came, ready(ZMQ_POLLIN, wait));
        if (!came) return false;
        waited = true;
    }
    state_->flows = true;
    message.bytes_ = {static_cast<std::byte const*>(zmq_msg_data(&held->message)),
                      zmq_msg_size(&held->message)};
    message.more_ = zmq_msg_more(&held->message) != 0;
    message.held_ = held;
    return true;
}

// The parts of a message come together.
Result<bool> Socket::receive(std::vector<Message>& parts, std::size_t most,
                             std::chrono::milliseconds wait) {
    constexpr std::chrono::milliseconds at_once{1000};
    parts.clear();
    for (Message part;; wait = at_once) {
        SLUICE_TRY(bool const came, receive(part, wait));
        if (!came) return false;
        bool const more = part.more();
        if (parts.size() < most) parts.push_back(std::move(part));
        if (!more) return true;
    }
}

Result<bool> Socket::send(Bytes bytes, std::shared_ptr<void const> owner,
                          std::chrono::milliseconds wait) {
    return send(bytes, std::move(owner), false, wait);
}

// Who took the first part takes the others; if it goes away, ZeroMQ drops the rest of the message.
Result<bool> Socket::send(std::span<Part const> parts, std::chrono::milliseconds wait) {
    bool all = true;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        bool const more = i + 1 < parts.size();
        SLUICE_TRY(bool const gone, send(Bytes(*parts[i]), parts[i], more,
                                         i == 0 ? wait : std::chrono::milliseconds{0}));
        if (!gone && i == 0) return false;
        all &= gone;
    }
    return all;
}

Result<bool> Socket::send(Bytes bytes, std::shared_ptr<void const> owner, bool more,
                          std::chrono::milliseconds wait) {
    auto kept = std::make_unique<Lent>(std::move(owner));
    kept->handed_over.store(true, std::memory_order_release);
    zmq_msg_t message;
    // ZeroMQ only reads what it is handed to send.
    if (zmq_msg_init_data(&message, const_cast<std::byte*>(bytes.data()), bytes.size(), let_go,
                          kept.get()) != 0)
        return failed("a message cannot be made", address_);
    static_cast<void>(kept.release());  // let_go() has it
    int const flags = ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0);
    for (bool waited = wait.count() == 0;; waited = true) {
        if (zmq_msg_send(&message, state_->socket.get(), flags) >= 0) return true;
        int const why = zmq_errno();
        if ((why == EAGAIN || why == EINTR) && !waited) {
            auto const room = ready(ZMQ_POLLOUT, wait);
            if (room) continue;
        }
        zmq_msg_close(&message);
        if (why == EAGAIN || why == EINTR) return false;
        return failed("a message cannot be sent", address_);
    }
}

Result<bool> Socket::send(std::vector<std::byte> bytes, std::chrono::milliseconds wait) {
    auto const owner = std::make_shared<std::vector<std::byte>>(std::move(bytes));
    return send(Bytes(*owner), owner, wait);
}

}  // namespace sluice::net
