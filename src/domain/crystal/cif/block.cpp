// Reads the blocks, names and loops of a CIF.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/cif/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sluice::crystal::cif {
namespace {

std::string key_of(std::string_view name) {
    std::string key = small_letters(name);
    std::ranges::replace(key, '.', '_');
    return key;
}

class Reader {
  public:
    explicit Reader(std::string_view text) : tokens_(text) {}

    Result<std::vector<Block>> read() {
        SLUICE_CHECK(step());
        while (token_.kind != Token::Kind::end) {
            if (token_.kind == Token::Kind::block) {
                blocks_.emplace_back().name = token_.text;
                SLUICE_CHECK(step());
            } else if (blocks_.empty()) {
                return wrong("stands before the first data_ block");
            } else if (token_.kind == Token::Kind::loop) {
                SLUICE_CHECK(read_loop());
            } else if (token_.kind == Token::Kind::name) {
                SLUICE_CHECK(read_pair());
            } else {
                return wrong("belongs to no name");
            }
        }
        return std::move(blocks_);
    }

  private:
    Error wrong(std::string_view why) const {
        return {Code::corrupt, fmt::format("'{}' in line {} {}; this is no CIF, or a damaged one",
                                           token_.text.substr(0, 40), tokens_.line(), why)};
    }
    Status step() {
        SLUICE_TRY(token_, tokens_.next());
        return {};
    }
    Status read_pair() {
        std::string key = key_of(token_.text);
        SLUICE_CHECK(step());
        if (token_.kind != Token::Kind::value) return wrong("stands where a value is due");
        blocks_.back().values[std::move(key)] = {token_.text};
        return step();
    }
    Status read_loop() {
        std::vector<std::string> keys;
        SLUICE_CHECK(step());
        while (token_.kind == Token::Kind::name) {
            keys.push_back(key_of(token_.text));
            SLUICE_CHECK(step());
        }
        if (keys.empty()) return wrong("stands where the names of a loop are due");
        std::vector<std::vector<std::string_view>> columns(keys.size());
        std::size_t n = 0;
        for (; token_.kind == Token::Kind::value; ++n) {
            columns[n % keys.size()].push_back(token_.text);
            SLUICE_CHECK(step());
        }
        if (n % keys.size() != 0) return wrong("follows a loop whose last row is not whole");
        for (std::size_t i = 0; i < keys.size(); ++i)
            blocks_.back().values[keys[i]] = std::move(columns[i]);
        return {};
    }

    Tokens tokens_;
    Token token_;
    std::vector<Block> blocks_;
};

}  // namespace

Result<std::vector<Block>> read_blocks(std::string_view text) {
    return Reader(text).read();
}

std::optional<double> number_of(std::string_view text) {
    text = text.substr(0, text.find('('));
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return {};
    return value;
}

}  // namespace sluice::crystal::cif
