// Cuts the text of a CIF into words.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/cif/tokens.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::crystal::cif {
namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
char small(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool begins_with(std::string_view text, std::string_view small_letters) {
    return text.size() >= small_letters.size() &&
           std::ranges::equal(text.substr(0, small_letters.size()), small_letters, {}, small);
}

std::string small_letters(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), small);
    return out;
}

std::size_t Tokens::line() const {
    return static_cast<std::size_t>(std::ranges::count(text_.substr(0, begun_), '\n')) + 1;
}

void Tokens::skip_space() {
    while (at_ < text_.size()) {
        if (text_[at_] == '#')
            at_ = std::min(text_.find('\n', at_), text_.size());
        else if (is_space(text_[at_]))
            ++at_;
        else
            return;
    }
}

// From a semicolon that begins a line to the next one that does.
Result<Token> Tokens::field() {
    std::size_t const from = at_ + 1, end = text_.find("\n;", at_);
    if (end == std::string_view::npos)
        return Error{Code::corrupt,
                     fmt::format("the text field of line {} does not end (a line that begins with "
                                 "a semicolon ends it) mend the file",
                                 line())};
    at_ = end + 2;
    return Token{Token::Kind::value, text_.substr(from, end - from)};
}

// A quote ends a word only where white space follows.
Result<Token> Tokens::quoted() {
    char const quote = text_[at_];
    for (std::size_t i = at_ + 1; i < text_.size() && text_[i] != '\n'; ++i) {
        if (text_[i] != quote || (i + 1 < text_.size() && !is_space(text_[i + 1]))) continue;
        Token const out{Token::Kind::value, text_.substr(at_ + 1, i - at_ - 1)};
        at_ = i + 1;
        return out;
    }
    return Error{Code::corrupt,
                 fmt::format("the quote of line {} does not end on it; mend the file", line())};
}

Token Tokens::bare() {
    std::size_t const from = at_;
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    std::string_view const word = text_.substr(from, at_ - from);
    if (word.front() == '_') return {Token::Kind::name, word};
    if (begins_with(word, "data_")) return {Token::Kind::block, word.substr(5)};
    if (word.size() == 5 && begins_with(word, "loop_")) return {Token::Kind::loop, word};
    return {Token::Kind::value, word};
}

Result<Token> Tokens::next() {
    skip_space();
    begun_ = at_;
    if (at_ == text_.size()) return Token{};
    bool const new_line = at_ == 0 || text_[at_ - 1] == '\n';
    if (text_[at_] == ';' && new_line) return field();
    if (text_[at_] == '\'' || text_[at_] == '"') return quoted();
    return bare();
}

}  // namespace sluice::crystal::cif
