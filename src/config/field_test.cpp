// Fields: texts become members and come back; errors name the field, the text and what there is.
// SPDX-License-Identifier: Apache-2.0
#include "config/field.h"

#include <gtest/gtest.h>

#include <array>

#include "config/parse.h"
#include "config/read_fields.h"

namespace sluice::config {

enum class Colour : std::uint8_t { red, green };
constexpr auto words(Colour /*of_this_type*/) {
    return std::to_array<Word<Colour>>(
        {{"red", Colour::red}, {"green", Colour::green}, {"verdant", Colour::green}});
}

namespace {

struct Options {
    bool fast = false;
    index count = 3;
    double part = 0.1;
    Colour colour = Colour::red;
    double depth = 0;
    std::vector<double> depths;
    std::optional<double> angle;
    std::optional<index> most;
    std::vector<Colour> colours;
    std::string note;
};

constexpr Field<Options> table[] = {
    field<&Options::fast>("fast", "or slow"),
    field<&Options::count>("count", "of them", between(1, 9)),
    field<&Options::part>("part", "of the whole", positive),
    field<&Options::colour>("colour", "of all"),
    quantity_field<&Options::depth, Dimension::length>("depth", "of water"),
    field<&Options::most>("most", "at most"),
    field<&Options::colours>("colours", "of each"),
    field<&Options::note>("note", "for people"),
};
constexpr Fields<Options> fields = table;
constexpr auto depths = quantity_field<&Options::depths, Dimension::length>("depths", "of spectra");
constexpr auto angle =
    quantity_field<&Options::angle, Dimension::angle>("angle", "of the beam").required();

std::string complaint(char const* name, char const* text) {
    Options o;
    auto const s = find_field(fields, name)->set(o, text);
    return s ? std::string() : s.error().text();
}

TEST(Field, TextsGiveTheSameBits) {
    Options o{.fast = true,
              .count = 7,
              .part = 0.1 + 0.2,
              .colour = Colour::green,
              .depth = 1. / 3,
              .depths = {},
              .angle = {},
              .most = 4,
              .colours = {Colour::green, Colour::red},
              .note = "a, b"};
    Options again;
    for (auto const& [name, text] : texts_of(o, fields))
        ASSERT_TRUE(find_field(fields, name)->set(again, text)) << name << " " << text;
    EXPECT_EQ(again.fast, o.fast);
    EXPECT_EQ(again.count, o.count);
    EXPECT_EQ(again.part, o.part);
    EXPECT_EQ(again.colour, o.colour);
    EXPECT_EQ(again.depth, o.depth);
    EXPECT_EQ(again.most, o.most);
    EXPECT_EQ(again.colours, o.colours);
    EXPECT_EQ(again.note, o.note);
}

TEST(Field, ErrorsNameTheFieldTheTextAndWhatThereIs) {
    EXPECT_EQ(complaint("fast", "1"), "fast is '1' (it has no such value) give true or false");
    EXPECT_EQ(complaint("count", "2.5"),
              "count is '2.5' (it has no such value) give a whole number from 1 to 9");
    EXPECT_EQ(complaint("count", "10"),
              "count is '10' (it has no such value) give a whole number from 1 to 9");
    EXPECT_EQ(complaint("part", "0"), "part is '0' (it has no such value) give a number above 0");
    EXPECT_EQ(complaint("part", "nan"),
              "part is 'nan' (it has no such value) give a finite number");
    EXPECT_EQ(complaint("colour", "blue"),
              "colour is 'blue' (it has no such value) give one of red, green, verdant");
    EXPECT_EQ(complaint("colours", "red,"),
              "colours is '' (it has no such value) give one of red, green, verdant");
    EXPECT_EQ(complaint("depth", "3 MeV").find("depth '3 MeV' has a unit of another kind"), 0U);
}

TEST(Field, AnErrorLeavesTheMember) {
    Options o;
    EXPECT_FALSE(find_field(fields, "colours")->set(o, "red,blue"));
    EXPECT_FALSE(find_field(fields, "count")->set(o, "99"));
    EXPECT_TRUE(o.colours.empty());
    EXPECT_EQ(o.count, 3);
}

TEST(Field, KindsAreThoseOfTheTypes) {
    Kind const kinds[] = {Kind::flag,     Kind::whole, Kind::number, Kind::word,
                          Kind::quantity, Kind::whole, Kind::list,   Kind::text};
    for (std::size_t i = 0; i < fields.size(); ++i) EXPECT_EQ(fields[i].kind, kinds[i]) << i;
    EXPECT_EQ(find_field(fields, "colours")->names(), names_of<Colour>());
    EXPECT_EQ(find_field(fields, "speed"), nullptr);
    EXPECT_EQ(word_of(Colour::green), "green");
}

TEST(Field, QuantitiesComeAloneOrInLists) {
    Options o;
    o.depths = {1. / 3, 20};
    o.angle = 0.1;
    Options again;
    for (auto const& field : {depths, angle}) ASSERT_TRUE(field.set(again, field.text(o)));
    EXPECT_EQ(again.depths, o.depths);
    EXPECT_EQ(again.angle, o.angle);
    EXPECT_EQ(depths.kind, Kind::list);
    EXPECT_EQ(angle.kind, Kind::quantity);
    EXPECT_EQ(depths.text({}), "");
    EXPECT_EQ(angle.text({}), "");
}

std::string problem(std::string const& text) {
    static std::string const name = "x.toml";
    auto const root = parse(text, name).value();
    Table table(name, root, "");
    Options o;
    auto const s = read_fields<Options>(table, std::array{depths, angle}, o);
    return s ? std::string() : s.error().message;
}

TEST(Field, KeysThatAreNeededAndUnitsThatLackAreTold) {
    EXPECT_EQ(problem("depths = []\nangle = \"2 deg\"\n"), "");
    EXPECT_EQ(problem("depths = [\"2 cm\", \"3 mm\"]\nangle = \"2 deg\"\n"), "");
    EXPECT_EQ(problem("depths = \"2 cm\"\n"), "line 1: angle is missing");
    EXPECT_EQ(problem("\nangle = 2\n"),
              "line 2: angle has no unit; write for example angle = \"3 mrad\"");
    EXPECT_EQ(problem("depths = [\"2 cm\",\n3]\nangle = \"2 deg\"\n"),
              "line 2: depths has no unit; write for example depths = \"2.5 mm\"");
    EXPECT_EQ(problem("angle = [\"2 deg\"]\n"),
              "line 1: angle has no unit; write for example angle = \"3 mrad\"");
}

TEST(Field, KeysOfATableAreRead) {
    std::string const name = "x.toml";
    auto const root = parse("fast = true\ncount = 4\ndepth = \"2 cm\"\n", name).value();
    Table good(name, root, "");
    Options o;
    ASSERT_TRUE(read_fields(good, fields, o));
    EXPECT_TRUE(o.fast);
    EXPECT_EQ(o.count, 4);
    EXPECT_EQ(o.depth, 20);
    EXPECT_EQ(o.part, 0.1);
    auto const bad = parse("[box]\n\ncount = 0\n", name).value();
    Table box(name, bad.at("box"), "box");
    auto const s = read_fields(box, fields, o);
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().text(),
              "x.toml: line 3: box.count is '0' (it has no such value) give a whole number from 1 "
              "to 9");
}

}  // namespace
}  // namespace sluice::config
