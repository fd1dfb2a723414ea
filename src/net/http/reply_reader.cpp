// Boost.Beast's parser takes what is whole; the rest waits here for more.
// SPDX-License-Identifier: Apache-2.0
#include "net/http/reply_reader.h"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <vector>

namespace sluice::net::http {
namespace {

namespace beast = boost::beast::http;

constexpr std::uint32_t most_header = 16 << 10;

}  // namespace

struct ReplyReader::State {
    beast::response_parser<beast::string_body> parser;
    std::vector<std::byte> waiting;
};

ReplyReader::ReplyReader(std::size_t most_bytes) : state_(std::make_unique<State>()) {
    state_->parser.header_limit(most_header);
    state_->parser.body_limit(most_bytes);
    state_->parser.eager(true);
}

ReplyReader::~ReplyReader() = default;

Status ReplyReader::put(Bytes bytes) {
    auto& waiting = state_->waiting;
    waiting.insert(waiting.end(), bytes.begin(), bytes.end());
    if (waiting.empty() || done()) return {};
    boost::system::error_code wrong;
    std::size_t const taken =
        state_->parser.put(boost::asio::buffer(waiting.data(), waiting.size()), wrong);
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(taken));
    if (!wrong || wrong == beast::error::need_more) return {};
    return Error{Code::corrupt,
                 fmt::format("the answer is no HTTP that is wanted ({})", wrong.message())};
}

bool ReplyReader::end() {
    boost::system::error_code wrong;
    if (!done() && state_->parser.got_some()) state_->parser.put_eof(wrong);
    return !wrong && done();
}

bool ReplyReader::done() const {
    return state_->parser.is_done();
}

Reply ReplyReader::reply() const {
    auto const& message = state_->parser.get();
    return {static_cast<int>(message.result_int()),
            std::string(message.reason().data(), message.reason().size()), message.body()};
}

}  // namespace sluice::net::http
