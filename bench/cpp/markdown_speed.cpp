// Speed of blocks, and of chunks with chunksets and keys, beside md4c, on one thread:
//   markdown_speed DIRECTORY [ROUNDS]
//
// Every .md file below DIRECTORY is read into memory first; front matter is skipped for both.
// Each round runs every contender once, so that a slow phase of the machine hits all of them.
// md4c parses inlines too and builds nothing: its callbacks are empty (SAX, GitHub dialect).
// Output per contender: median MB/s (10^6 bytes of markdown), and the median of its ratio to md4c
// within a round.

#include <md4c.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "markdown_files.hpp"
#include "rootleaf/markdown/block.hpp"
#include "rootleaf/markdown/chunk.hpp"

namespace {

using rootleaf::bench::MarkdownFile;

struct Contender {
    std::string name;
    std::function<std::size_t(const MarkdownFile&)>
        parse;  ///< returns what keeps it from being elided
    std::vector<double> mb_per_second;
};

[[nodiscard]] std::size_t parse_with_md4c(const MarkdownFile& file) {
    MD_PARSER parser{};
    parser.flags = MD_DIALECT_GITHUB;
    parser.enter_block = [](MD_BLOCKTYPE, void*, void*) { return 0; };
    parser.leave_block = [](MD_BLOCKTYPE, void*, void*) { return 0; };
    parser.enter_span = [](MD_SPANTYPE, void*, void*) { return 0; };
    parser.leave_span = [](MD_SPANTYPE, void*, void*) { return 0; };
    parser.text = [](MD_TEXTTYPE, const MD_CHAR*, MD_SIZE, void*) { return 0; };
    const std::string_view text = std::string_view(file.text).substr(file.first_byte);
    return static_cast<std::size_t>(
        md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, nullptr));
}

[[nodiscard]] std::size_t parse_blocks(const MarkdownFile& file) {
    return rootleaf::markdown::parse_blocks(file.text, file.first_byte).blocks.size();
}

[[nodiscard]] std::size_t make_chunks(const MarkdownFile& file) {
    return rootleaf::markdown::chunk(file.text).chunksets.size();
}

[[nodiscard]] double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

[[nodiscard]] double run(const Contender& contender,
                         const std::vector<MarkdownFile>& files,
                         double megabytes) {
    static volatile std::size_t sink = 0;
    const auto start = std::chrono::steady_clock::now();
    for (const MarkdownFile& file : files) {
        sink = sink + contender.parse(file);
    }
    return megabytes /
           std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int compare(const std::string& directory, int rounds) {
    const std::vector<MarkdownFile> files = rootleaf::bench::load_markdown_files(directory);
    double megabytes = 0;
    for (const MarkdownFile& file : files) {
        megabytes += static_cast<double>(file.text.size() - file.first_byte) / 1e6;
    }
    std::vector<Contender> contenders = {
        {"md4c", parse_with_md4c, {}},
        {"blocks", parse_blocks, {}},
        {"chunks", make_chunks, {}},
    };
    for (const Contender& contender : contenders) {
        static_cast<void>(run(contender, files, megabytes));
    }
    for (int round = 0; round < rounds; ++round) {
        for (Contender& contender : contenders) {
            contender.mb_per_second.push_back(run(contender, files, megabytes));
        }
    }
    std::printf("%zu files, %.1f MB of markdown, %d rounds\n", files.size(), megabytes, rounds);
    const std::vector<double>& base = contenders.front().mb_per_second;
    for (const Contender& contender : contenders) {
        std::vector<double> ratios;
        for (std::size_t round = 0; round < base.size(); ++round) {
            ratios.push_back(contender.mb_per_second[round] / base[round]);
        }
        std::printf("%-8s %8.1f MB/s   %5.2f x md4c\n", contender.name.c_str(),
                    median(contender.mb_per_second), median(ratios));
    }
    return 0;
}

}  // namespace

int main(int argument_count, char** arguments) {
    if (argument_count < 2) {
        std::fprintf(stderr, "usage: markdown_speed DIRECTORY [ROUNDS]\n");
        return 2;
    }
    try {
        return compare(arguments[1],
                       argument_count > 2 ? std::max(1, std::atoi(arguments[2])) : 21);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "markdown_speed: %s\n", error.what());
        return 1;
    }
}
