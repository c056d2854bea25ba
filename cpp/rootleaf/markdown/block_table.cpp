#include "rootleaf/markdown/block_table.hpp"

#include <cstddef>

#include "rootleaf/markdown/line_scanner.hpp"

namespace rootleaf::markdown {

namespace {

[[nodiscard]] std::string_view without_outer_blanks(std::string_view line) noexcept {
    while (!line.empty() && is_blank(line.front())) {
        line.remove_prefix(1);
    }
    while (!line.empty() && is_blank(line.back())) {
        line.remove_suffix(1);
    }
    return line;
}

}  // namespace

std::uint32_t delimiter_row_cells(std::string_view line) noexcept {
    line = without_outer_blanks(line);
    std::size_t at = !line.empty() && line.front() == '|' ? 1 : 0;
    std::uint32_t cells = 0;
    const auto skip = [&line, &at](auto wanted) {
        const std::size_t from = at;
        while (at < line.size() && wanted(line[at])) {
            ++at;
        }
        return at != from;
    };
    while (at < line.size()) {
        skip(is_blank);
        at += at < line.size() && line[at] == ':' ? 1U : 0U;
        if (!skip([](char byte) { return byte == '-'; })) {
            return 0;
        }
        at += at < line.size() && line[at] == ':' ? 1U : 0U;
        skip(is_blank);
        ++cells;
        if (at == line.size()) {
            break;
        }
        if (line[at] != '|') {
            return 0;
        }
        ++at;
    }
    return cells;
}

std::uint32_t header_row_cells(std::string_view line) noexcept {
    line = without_outer_blanks(line);
    if (line.find('|') == std::string_view::npos) {
        return 0;
    }
    std::uint32_t cells = 1;
    bool ends_in_pipe = false;
    bool escaped = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        ends_in_pipe = line[at] == '|' && !escaped;
        cells += ends_in_pipe && at != 0 ? 1U : 0U;
        escaped = line[at] == '\\';
    }
    return cells - (ends_in_pipe ? 1U : 0U);
}

}  // namespace rootleaf::markdown
