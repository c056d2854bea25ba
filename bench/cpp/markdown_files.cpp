#include "markdown_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "rootleaf/markdown/block.hpp"

namespace rootleaf::bench {

std::vector<MarkdownFile> load_markdown_files(const std::string& directory) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
        if (entry.is_regular_file() && entry.path().extension() == ".md") {
            paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    std::vector<MarkdownFile> files;
    files.reserve(paths.size());
    for (const auto& path : paths) {
        std::ifstream stream(path, std::ios::binary);
        std::string text((std::istreambuf_iterator<char>(stream)),
                         std::istreambuf_iterator<char>());
        const markdown::FrontMatterSpan span = markdown::find_front_matter(text);
        files.push_back({std::move(text), span.end});
    }
    return files;
}

}  // namespace rootleaf::bench
