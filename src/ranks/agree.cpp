// An error of one rank becomes that of all.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include "sluice/communicator.h"

namespace sluice {

namespace {

std::span<std::byte> bytes_of(std::string& text) {
    return std::as_writable_bytes(std::span(text));
}

void broadcast_text(Communicator& ranks, std::string& text, int from) {
    auto length = static_cast<std::uint64_t>(text.size());
    ranks.broadcast(std::as_writable_bytes(std::span(&length, 1)), from);
    text.resize(length);
    ranks.broadcast(bytes_of(text), from);
}

}  // namespace

Status Communicator::agree(Status const& mine) {
    std::byte const failed{!mine};
    std::vector<std::byte> all(static_cast<std::size_t>(ranks()));
    all_gather({&failed, 1}, all);
    int first = 0;
    while (first < ranks() && all[static_cast<std::size_t>(first)] == std::byte{0}) ++first;
    if (first == ranks()) return {};
    Error error;
    if (first == rank()) error = mine.error();
    broadcast_text(*this, error.message, first);
    broadcast_text(*this, error.file, first);
    struct {
        std::uint64_t code, at, known;
    } rest{static_cast<std::uint64_t>(error.code), error.at.value_or(0), error.at.has_value()};
    broadcast(std::as_writable_bytes(std::span(&rest, 1)), first);
    error.code = static_cast<Code>(rest.code);
    if (rest.known) error.at = rest.at;
    return error;
}

}  // namespace sluice
