// One WebSocket: reads texts, writes the newest of each slot.
// SPDX-License-Identifier: Apache-2.0
#include "server/live.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

namespace sluice::server {
namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;

class Socket final : public Live, public std::enable_shared_from_this<Socket> {
  public:
    Socket(asio::ip::tcp::socket socket, Shared& shared)
        : stream_(std::move(socket)),
          deadline_(stream_.get_executor()),
          shared_(shared),
          id_(shared.next++) {
        ++shared_.sockets;
    }
    ~Socket() override {
        --shared_.sockets;
        shared_.live.erase(id_);
        shared_.forget(id_);
        if (open_ && shared_.handler) shared_.handler->closed(id_);
    }
    Socket(Socket const&) = delete;
    Socket& operator=(Socket const&) = delete;

    void accept(beast::http::request<beast::http::string_body> request) {
        request_ = std::move(request);
        // A silent client is pinged, and closed when nothing comes back.
        Options const& o = shared_.options;
        stream_.set_option(websocket::stream_base::timeout{o.visit, o.idle, true});
        stream_.read_message_max(shared_.options.max_message);
        // In one piece: 4 KiB at a time, an image would be 32 writes here and 32 frames there.
        stream_.auto_fragment(false);
        stream_.async_accept(request_, [self = shared_from_this()](beast::error_code failed) {
            if (failed) return;
            self->open_ = true;
            self->shared_.live[self->id_] = self;
            self->shared_.handler->opened(self->id_);
            self->read();
        });
    }

    void send(std::string slot, SharedMessage message) override {
        if (ending_) return;
        outbox_.put(std::move(slot), std::move(message));
        if (outbox_.holds_more_than(shared_.options.max_unsent, shared_.options.max_unsent_count)) {
            outbox_.clear();
            end({websocket::close_code::try_again_later,
                 "too many messages wait for this page, which does not read them"});
        }
        write();
        note();
    }

  private:
    void read() {
        stream_.async_read(buffer_,
                           [self = shared_from_this()](beast::error_code failed, std::size_t) {
                               // A write may wait for a client that will never read.
                               if (failed) return self->drop();
                               self->on_text();
                           });
    }

    void on_text() {
        if (ending_) {  // only its own goodbye is still waited for
            buffer_.consume(buffer_.size());
            return read();
        }
        if (!stream_.got_text()) return end(websocket::close_code::unknown_data);
        auto const data = buffer_.cdata();
        bool const understood = shared_.handler->received(
            id_, std::string_view(static_cast<char const*>(data.data()), data.size()));
        buffer_.consume(buffer_.size());
        if (!understood) return end(websocket::close_code::policy_error);
        read();
    }

    void write() {
        if (writing_ || ending_) return;
        auto message = outbox_.take();
        if (!message) return;
        writing_ = std::move(*message);
        std::chrono::seconds const transfer(writing_->bytes.size() / shared_.options.slowest);
        drop_after(shared_.options.stall + transfer);
        stream_.binary(writing_->binary);
        stream_.async_write(asio::buffer(writing_->bytes),
                            [self = shared_from_this()](beast::error_code failed, std::size_t) {
                                self->writing_.reset();
                                if (!self->ending_) self->deadline_.cancel();
                                if (failed) return self->drop();
                                self->on_written();
                            });
    }

    void on_written() {
        note();
        shared_.handler->drained(id_);
        if (ending_) return close();
        write();
    }

    void note() {
        shared_.note(
            id_, {outbox_.bytes() + (writing_ ? writing_->bytes.size() : 0), outbox_.replaced()});
    }

    void drop() { beast::get_lowest_layer(stream_).close(); }
    // Not longer than that: a client that does not read takes no goodbye either.
    void drop_after(std::chrono::milliseconds time) {
        deadline_.expires_after(time);
        deadline_.async_wait([weak = weak_from_this()](beast::error_code cancelled) {
            if (auto const self = weak.lock(); self && !cancelled) self->drop();
        });
    }
    void end(websocket::close_reason why) {
        if (ending_) return;
        ending_ = std::move(why);
        drop_after(shared_.options.farewell);
        if (!writing_) close();
    }
    void close() {
        stream_.async_close(*ending_, [self = shared_from_this()](beast::error_code) {});
    }

    websocket::stream<beast::tcp_stream> stream_;
    asio::steady_timer deadline_;  ///< of the message that is being sent, or of the goodbye
    Shared& shared_;
    ClientId id_;
    Outbox outbox_;
    beast::http::request<beast::http::string_body> request_;
    beast::flat_buffer buffer_;
    SharedMessage writing_;
    std::optional<websocket::close_reason> ending_;
    bool open_ = false;
};

}  // namespace

void start_live(asio::ip::tcp::socket socket,
                beast::http::request<beast::http::string_body> request, Shared& shared) {
    std::make_shared<Socket>(std::move(socket), shared)->accept(std::move(request));
}

}  // namespace sluice::server
