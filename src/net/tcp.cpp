// Streams of bytes over TCP, by the sockets of the system.
// SPDX-License-Identifier: Apache-2.0
#include "net/tcp.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "net/address.h"

namespace sluice::net {
namespace {

/// A place in the net, as the system names it.
struct Place {
    sockaddr_storage address = {};
    socklen_t size = 0;
    int family = AF_UNSPEC;
    std::string file = {};  ///< of an ipc:// address
};

Error failed(std::string_view what, std::string const& address, std::string_view advice) {
    return {Code::io, fmt::format("{} ({}) {}", what, std::strerror(errno), advice), address};
}

Result<Place> place_of_file(std::string const& address) {
    Place place{.family = AF_UNIX, .file = address.substr(6)};
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    if (place.file.size() >= sizeof at.sun_path)
        return Error{Code::invalid_argument, "has too long a name for a stream; give a shorter one",
                     place.file};
    std::memcpy(at.sun_path, place.file.c_str(), place.file.size() + 1);
    std::memcpy(&place.address, &at, sizeof at);
    place.size = sizeof at;
    return place;
}

Result<Place> place_of(std::string const& address, bool listens) {
    SLUICE_CHECK(check_address(address));
    if (address.starts_with("ipc://")) return place_of_file(address);
    auto const colon = address.rfind(':');
    if (colon < 7 || colon + 1 == address.size())
        return Error{Code::invalid_argument,
                     "names no host or no port; give both, as in tcp://127.0.0.1:6342", address};
    std::string host = address.substr(6, colon - 6), port = address.substr(colon + 1);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    if (port == "*") port = "0";
    addrinfo wish{};
    wish.ai_socktype = SOCK_STREAM;
    wish.ai_flags = AI_NUMERICSERV | (listens ? AI_PASSIVE : 0);
    addrinfo* first = nullptr;
    int const why =
        ::getaddrinfo(host == "*" ? nullptr : host.c_str(), port.c_str(), &wish, &first);
    std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> const found(first, ::freeaddrinfo);
    if (why != 0 || !found)
        return Error{Code::io,
                     fmt::format("there is no such host or port ({}) look at the address",
                                 ::gai_strerror(why)),
                     address};
    Place place{.size = found->ai_addrlen, .family = found->ai_family};
    std::memcpy(&place.address, found->ai_addr, found->ai_addrlen);
    return place;
}

bool ready(int file, short event, std::chrono::milliseconds wait) {
    pollfd one{file, event, 0};
    return ::poll(&one, 1, static_cast<int>(wait.count())) > 0;
}

void close_file(int& file) {
    if (file >= 0) ::close(std::exchange(file, -1));
}

int new_socket(int family) {
    return ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

}  // namespace

TcpStream::TcpStream(TcpStream&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
TcpStream& TcpStream::operator=(TcpStream&& other) noexcept {
    if (this != &other) {
        close_file(file_);
        file_ = std::exchange(other.file_, -1);
    }
    return *this;
}
TcpStream::~TcpStream() {
    close_file(file_);
}

Result<std::optional<TcpStream>> TcpStream::call(std::string const& address,
                                                 std::chrono::milliseconds wait) {
    SLUICE_TRY(Place const place, place_of(address, false));
    TcpStream stream(new_socket(place.family));
    if (stream.file_ < 0) return failed("no socket", address, "close other programs");
    auto const* const to = reinterpret_cast<sockaddr const*>(&place.address);
    if (::connect(stream.file_, to, place.size) != 0) {
        if (errno != EINPROGRESS) return std::optional<TcpStream>();
        if (!ready(stream.file_, POLLOUT, wait)) return std::optional<TcpStream>();
        int why = 0;
        socklen_t size = sizeof why;
        if (::getsockopt(stream.file_, SOL_SOCKET, SO_ERROR, &why, &size) != 0 || why != 0)
            return std::optional<TcpStream>();
    }
    return std::optional<TcpStream>(std::move(stream));
}

TcpStream::Came TcpStream::receive(std::span<std::byte> room, std::chrono::milliseconds wait) {
    for (bool waited = false;; waited = true) {
        ssize_t const n = ::recv(file_, room.data(), room.size(), 0);
        if (n > 0) return {.bytes = static_cast<std::size_t>(n)};
        if (n == 0) return {.ended = "the sender closed the connection"};
        if (errno != EAGAIN && errno != EINTR)
            return {.ended = fmt::format("the connection broke: {}", std::strerror(errno))};
        if (waited || !ready(file_, POLLIN, wait)) return {};
    }
}

std::optional<std::size_t> TcpStream::send(Bytes bytes, std::chrono::milliseconds wait) {
    for (bool waited = false;; waited = true) {
        ssize_t const n = ::send(file_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n >= 0) return static_cast<std::size_t>(n);
        if (errno != EAGAIN && errno != EINTR) return {};
        if (waited || !ready(file_, POLLOUT, wait)) return 0;
    }
}

TcpPort::TcpPort(TcpPort&& other) noexcept
    : file_(std::exchange(other.file_, -1)), address_(std::move(other.address_)) {}
TcpPort& TcpPort::operator=(TcpPort&& other) noexcept {
    if (this != &other) {
        close_file(file_);
        file_ = std::exchange(other.file_, -1);
        address_ = std::move(other.address_);
    }
    return *this;
}
TcpPort::~TcpPort() {
    close_file(file_);
}

Result<TcpPort> TcpPort::open(std::string const& address) {
    SLUICE_TRY(Place place, place_of(address, true));
    TcpPort port(new_socket(place.family), address);
    if (port.file_ < 0) return failed("no socket", address, "close other programs");
    int const yes = 1;
    if (place.family != AF_UNIX)
        ::setsockopt(port.file_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    else
        ::unlink(place.file.c_str());  // what a program left that is gone
    auto* const at = reinterpret_cast<sockaddr*>(&place.address);
    if (::bind(port.file_, at, place.size) != 0 || ::listen(port.file_, 1) != 0)
        return failed("the address cannot be taken", address,
                      "end the other program, or take another port");
    if (place.family != AF_UNIX && address.ends_with(":*") &&
        ::getsockname(port.file_, at, &place.size) == 0) {
        std::array<char, NI_MAXSERV> service{};
        if (::getnameinfo(at, place.size, nullptr, 0, service.data(), service.size(),
                          NI_NUMERICSERV) == 0)
            port.address_ = address.substr(0, address.size() - 1) + service.data();
    }
    return port;
}

std::optional<TcpStream> TcpPort::accept(std::chrono::milliseconds wait) {
    if (!ready(file_, POLLIN, wait)) return {};
    int const file = ::accept4(file_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (file < 0) return {};
    int const yes = 1;
    ::setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);  // a file has no such thing
    return TcpStream(file);
}

}  // namespace sluice::net
