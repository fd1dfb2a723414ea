// Checks what every request has.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/envelope.h"

namespace sluice::app {

std::variant<RawRequest, BadRequest> read_request(std::string_view text) {
    Fields fields = Fields::parse(text.begin(), text.end(), nullptr, false);
    if (fields.is_discarded() || !fields.is_object())
        return BadRequest{"the message is not a JSON object"};
    Envelope envelope;
    auto const id = fields.find("id");
    if (id == fields.end() || !id->is_number_unsigned())
        return BadRequest{wrong_field("id", "must be a whole number").message};
    envelope.id = id->get<std::uint64_t>();
    auto slot = text_field(fields, "slot", max_word);
    if (!slot) return BadRequest{slot.error().message, envelope};
    envelope.slot = *std::move(slot);
    auto op = text_field(fields, "op", max_word);
    if (!op) return BadRequest{op.error().message, envelope};
    envelope.op = *std::move(op);
    return RawRequest{std::move(envelope), std::move(fields)};
}

}  // namespace sluice::app
