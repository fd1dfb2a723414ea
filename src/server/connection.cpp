// HTTP requests of one connection: the page's files, refusals, and the way to the WebSocket.
// SPDX-License-Identifier: Apache-2.0
#include "server/connection.h"

#include <fmt/format.h>

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "server/live.h"

namespace sluice::server {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using Response = http::response<http::string_body>;

constexpr std::size_t max_header = 8 << 10;

std::string_view view_of(beast::string_view text) {
    return {text.data(), text.size()};
}

Response page(http::status status, std::string const& title, std::string const& text) {
    Response r(status, 11);
    r.set(http::field::content_type, "text/html; charset=utf-8");
    r.body() = fmt::format(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Sluice: {0}</title>"
        "<body><h1>{0}</h1><p>{1}</p></body></html>\n",
        title, text);
    return r;
}

Response no_token() {
    return page(
        http::status::forbidden, "this address lacks the right token",
        "Open the whole address that <code>sluice view</code> printed in its terminal, with "
        "everything after <code>?token=</code>. A server that was started again has a new "
        "one.");
}

// An address, or the network of 2^64 that one machine gets.
std::string network_of(asio::ip::tcp::socket const& socket) {
    beast::error_code failed;
    Address const address = socket.remote_endpoint(failed).address();
    if (failed || address.is_v4()) return failed ? "" : address.to_string();
    auto bytes = address.to_v6().to_bytes();
    if (!address.to_v6().is_v4_mapped()) std::fill(bytes.begin() + 8, bytes.end(), 0);
    return asio::ip::make_address_v6(bytes).to_string();
}

class Connection final : public Visitor, public std::enable_shared_from_this<Connection> {
  public:
    Connection(asio::ip::tcp::socket socket, Shared& shared)
        : stream_(std::move(socket)), shared_(shared) {
        from = network_of(stream_.socket());
        shared_.make_room(from);
        shared_.visitors.push_back(this);
    }
    ~Connection() override { shared_.visitors.remove(this); }
    Connection(Connection const&) = delete;
    Connection& operator=(Connection const&) = delete;

    void drop() override { stream_.close(); }

    void read() {
        parser_.emplace();
        parser_->header_limit(max_header);
        parser_->body_limit(0);
        stream_.expires_after(shared_.options.visit);
        http::async_read(stream_, buffer_, *parser_,
                         [self = shared_from_this()](beast::error_code failed, std::size_t) {
                             self->on_read(failed);
                         });
    }

  private:
    void on_read(beast::error_code failed) {
        if (failed == http::error::header_limit || failed == http::error::body_limit) {
            closing_ = true;
            return write(page(http::status::payload_too_large, "the request is too large",
                              "This server takes no uploads."));
        }
        if (failed) return close();
        auto const& request = parser_->get();
        closing_ = !request.keep_alive();
        known = known || same_secret(token_of(view_of(request.target())), shared_.options.token);
        std::string_view const target = view_of(request.target());
        if (beast::websocket::is_upgrade(request) && path_of(target) == "/live" &&
            !refusal(request, true))
            return upgrade();
        write(answer(request));
    }

    // Why a request is not served; nothing when it is.
    std::optional<Response> refusal(http::request<http::string_body> const& request,
                                    bool needs_token) const {
        std::string_view const host = view_of(request[http::field::host]);
        if (!host_allowed(host, shared_.allowed))
            return page(http::status::forbidden, "the address is not this server's own",
                        "The request names another host. Use the address that <code>sluice "
                        "view</code> printed, or start it with --allow-remote.");
        if (!origin_allowed(view_of(request[http::field::origin]), host))
            return page(http::status::forbidden, "another page asked for this",
                        "Only the viewer's own page may talk to this server.");
        if (needs_token && !same_secret(token_of(view_of(request.target())), shared_.options.token))
            return no_token();
        if (path_of(view_of(request.target())) == "/live" &&
            shared_.sockets >= shared_.options.max_clients)
            return page(http::status::service_unavailable, "too many visitors",
                        "Close other pages of this viewer, then reload.");
        return {};
    }

    Response answer(http::request<http::string_body> const& request) const {
        std::string_view const path = path_of(view_of(request.target()));
        // The files of the page hold no secret, and a script cannot know the token of its page.
        if (auto refused = refusal(request, path == "/" || path == "/live")) return *refused;
        if (request.method() != http::verb::get && request.method() != http::verb::head)
            return page(http::status::method_not_allowed, "only GET is served", "");
        if (path == "/live")
            return page(http::status::upgrade_required, "this is the viewer's socket",
                        "It speaks WebSocket; open the page instead.");
        Asset const* const asset = shared_.options.asset ? shared_.options.asset(path) : nullptr;
        if (!asset)
            return page(http::status::not_found, "there is nothing here", "The page is at /.");
        if (path == "/" && request.method() == http::verb::get && shared_.handler)
            shared_.handler->visited();
        Response r(http::status::ok, 11);
        r.set(http::field::content_type,
              beast::string_view(asset->type.data(), asset->type.size()));
        r.set(http::field::content_encoding, "gzip");
        r.body() = std::string(asset->gzip);
        return r;
    }

    void upgrade() {
        beast::get_lowest_layer(stream_).expires_never();
        start_live(stream_.release_socket(), parser_->release(), shared_);
    }

    void write(Response r) {
        r.set(http::field::server, "sluice");
        r.set(http::field::cache_control, "no-store");
        r.set("Referrer-Policy", "no-referrer");
        r.set("X-Content-Type-Options", "nosniff");
        r.set(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
            "connect-src 'self'; form-action 'none'; base-uri 'none'");
        r.keep_alive(!closing_);
        r.prepare_payload();
        bool const head = parser_->get().method() == http::verb::head;
        if (head) r.body().clear();
        response_ = std::move(r);
        stream_.expires_after(shared_.options.visit);
        http::async_write(stream_, response_,
                          [self = shared_from_this()](beast::error_code failed, std::size_t) {
                              if (failed || self->closing_) return self->close();
                              self->read();
                          });
    }

    void close() {
        beast::error_code ignored;
        stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    }

    beast::tcp_stream stream_;
    Shared& shared_;
    beast::flat_buffer buffer_{max_header + (4 << 10)};
    std::optional<http::request_parser<http::string_body>> parser_;
    Response response_;
    bool closing_ = false;
};

}  // namespace

void start_connection(asio::ip::tcp::socket socket, Shared& shared) {
    boost::system::error_code ignored;
    socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    std::make_shared<Connection>(std::move(socket), shared)->read();
}

}  // namespace sluice::server
