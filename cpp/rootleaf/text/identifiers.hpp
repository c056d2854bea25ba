#pragma once

#include <string_view>

namespace rootleaf::text {

/// Whether a word that WordScanner found names one thing by its form, so that whoever writes it
/// means exactly that: an error code, a version, a path. It decides on characters alone, without a
/// dictionary, and in doubt says no. With "number" for digits, and "word" for letters:
///
/// | form                                                        | yes           | no             |
/// | ----------------------------------------------------------- | ------------- | -------------- |
/// | `_`, `@`, `::` or `://` inside, or `--` before it            | `read_only`   | | | two `/` or
/// more                                             | `src/net/io`  | and/or         | | parts of
/// two characters or more around every `.`            | `retry.py`    | e.g, U.S       | | letters
/// in humps: three, or two after two small letters     | `fetchUser`   | YouTube, iPad  | | letters
/// and digits, three with a joint and four without     | `ERR4711`     | mp3, b2b       | | ... but
/// no number with a unit, or that words follow         | `v2.0-rc.1`   | 20th, 5-star   | | ... but
/// no small word with a year or up to two digits       | `KEP-2227`    | top-10         | | `#`
/// before a digit                                          | `#12`         | C#             | | a
/// number of four digits or more, no year, no 5000           | `9100`        | 404, 1969      | |
/// three numbers or more with joints                           | `10.0.0.1`    | 3.14, 24/7     |
///
/// A year is 1500 to 2099.
[[nodiscard]] bool is_identifier(std::string_view word);

}  // namespace rootleaf::text
