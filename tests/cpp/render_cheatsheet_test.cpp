#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "render_samples.hpp"
#include "rootleaf/text/tokens.hpp"

namespace {

using namespace rootleaf;
using render_samples::Asked;
using render_samples::rendered;

constexpr std::string_view kCatalog =
    "# Catalog\n\n## alpha\n\nfig one\n\nfig two\n\n\n## beta\n\nplum\n\n## gamma\n\nlast\n";

std::vector<std::vector<std::uint32_t>> lines_of(const render::Cheatsheet& sheet) {
    std::vector<std::vector<std::uint32_t>> lines;
    lines.reserve(sheet.spans.size());
    for (const render::LineSpan& span : sheet.spans) {
        lines.push_back({span.start_line, span.end_line});
    }
    return lines;
}

std::string rows(std::uint32_t first, std::uint32_t end) {
    std::string table;
    for (std::uint32_t row = first; row < end; ++row) {
        table += "| svc" + std::to_string(row) + " | " + std::to_string(row) + " |\n";
    }
    return table;
}

}  // namespace

TEST_CASE("a leaf stands under its ancestors, with a mark for what is left out") {
    const render::Cheatsheet sheet = rendered(kCatalog, {1});
    CHECK(sheet.text == "# Catalog\n[...]\n## beta\n\nplum");
    CHECK(lines_of(sheet) == std::vector<std::vector<std::uint32_t>>{{1, 1}, {10, 12}});
    CHECK(sheet.chunk_ids == std::vector<std::uint32_t>{0, 4, 5});
    CHECK(sheet.tokens == text::count_tokens(sheet.text));
    CHECK(sheet.omitted_tokens == 0);
    CHECK_FALSE(sheet.is_empty);
}

TEST_CASE("adjacent pieces keep their blank lines, whatever their rank, and none comes twice") {
    CHECK(rendered(kCatalog, {1, 0, 1}).text ==
          "# Catalog\n\n## alpha\n\nfig one\n\nfig two\n\n\n## beta\n\nplum");
}

TEST_CASE("every block carries its path and line when asked") {
    Asked asked;
    asked.cite_path = "/n/c.md";
    CHECK(rendered(kCatalog, {1}, asked).text ==
          "/n/c.md:1\n# Catalog\n[...]\n/n/c.md:10\n## beta\n\nplum");
}

TEST_CASE("nothing to show is an empty cheatsheet") {
    const render::Cheatsheet sheet = rendered(kCatalog, {});
    CHECK(sheet.text.empty());
    CHECK(sheet.is_empty);
    CHECK(rendered("", {}).is_empty);
}

TEST_CASE("of a long table the matching rows stand under the header rows") {
    const std::string table = "| service | limit |\n|---|---|\n" + rows(0, 400);
    const markdown::Document document = markdown::chunk(table);
    REQUIRE(document.chunksets.size() > 3);
    Asked asked;
    asked.query = "svc399";
    const auto last = static_cast<std::uint32_t>(document.chunksets.size() - 1);
    CHECK(rendered(table, {last}, asked).text ==
          "| service | limit |\n|---|---|\n[...]\n| svc399 | 399 |");
    // Another piece of the table matches, so this one shows its header alone.
    CHECK(rendered(table, {0}, asked).text == "| service | limit |\n|---|---|");
    asked.query = "elsewhere";
    CHECK(rendered(table, {0}, asked).text.size() > 500);
}

TEST_CASE("a gap as short as its mark is shown, a heading's never is") {
    const std::string_view table =
        "| n |\n|---|\n| fig |\n| plum |\n| pear |\n| fig |\n| plum |\n| plum |\n| plum |\n| fig "
        "|\n";
    Asked asked;
    asked.query = "fig";
    CHECK(rendered(table, {0}, asked).text ==
          "| n |\n|---|\n| fig |\n| plum |\n| pear |\n| fig |\n[...]\n| fig |");
    CHECK(rendered(kCatalog, {0, 2}).text.find("two\n[...]\n## gamma") != std::string::npos);
}

TEST_CASE("breaks, anchors and idle definitions are not shown at the edge of a passage") {
    const std::string_view text = "# Figs\n\nEat them.\n\n<a id=\"f\"></a>\n\n---\n\n[f]: /figs\n";
    Asked asked;
    asked.query = "eat";
    CHECK(rendered(text, {0}, asked).text == "# Figs\n\nEat them.");
    CHECK(rendered("---\n", {0}, asked).text == "---");
    asked.query = "eat figs";
    CHECK(rendered("Eat them.\n\n[f]: /figs\n", {0}, asked).text == "Eat them.\n\n[f]: /figs");
}

TEST_CASE("a budget keeps the best leaves, and says what it left out") {
    const std::string text = "# T\n\n- one " + std::string(60, 'x') + "\n- two fig " +
                             std::string(60, 'x') + "\n- three " + std::string(60, 'x') + "\n";
    const std::uint64_t whole = rendered(text, {0}).tokens;
    Asked asked;
    asked.query = "fig";
    asked.budget_tokens = whole;
    const render::Cheatsheet sheet = rendered(text, {0}, asked);
    CHECK(sheet.text == "# T\n[...]\n- two fig " + std::string(60, 'x'));
    CHECK(sheet.tokens + sheet.omitted_tokens == whole);
}

TEST_CASE("every budget holds, and a leaf that is too long is cut around a matching word") {
    std::string text = "# T\n\n";
    for (int i = 0; i < 30; ++i) {
        text +=
            "Sentence " + std::to_string(i) + " speaks of " + (i == 17 ? "figs" : "plums") + ". ";
    }
    Asked asked;
    asked.query = "figs";
    for (std::uint64_t budget = 1; budget < 80; ++budget) {
        asked.budget_tokens = budget;
        const render::Cheatsheet sheet = rendered(text, {0}, asked);
        CHECK(sheet.tokens < budget);
        CHECK(sheet.tokens == text::count_tokens(sheet.text));
        CHECK(sheet.is_empty == sheet.text.empty());
        if (budget >= 24) {
            CHECK(sheet.text.find("figs") != std::string::npos);
        }
    }
}
