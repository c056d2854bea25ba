#pragma once

#include <string_view>

namespace rootleaf::text {

/// Whether a word that WordScanner found names one thing by its form, so that whoever writes it
/// means exactly that: an error code, a version, a path. It decides on characters alone, without a
/// dictionary, and in doubt says no. The forms:
///
/// - yes: `_`, `@`, `::` or `://` inside, or `--` before it: `read_only`
/// - yes: two `/` or more: `src/net/io`; no: and/or
/// - yes: parts of two characters or more around every `.`: `retry.py`; no: e.g, U.S
/// - yes: letters in humps, three, or two after two small letters: `fetchUser`; no: YouTube, iPad
/// - yes: letters and digits, three with a joint and four without: `ERR4711`; no: mp3, b2b
///   - but no number with a unit, or that words follow: `v2.0-rc.1` is one, 20th and 5-star are not
///   - and no small word with a year or up to two digits: `KEP-2227` is one, top-10 is not
/// - yes: `#` before a digit: `#12`; no: C#
/// - yes: a number of four digits or more, no year, no 5000: `9100`; no: 404, 1969
/// - yes: three numbers or more with joints: `10.0.0.1`; no: 3.14, 24/7
///
/// A year is 1500 to 2099.
[[nodiscard]] bool is_identifier(std::string_view word);

}  // namespace rootleaf::text
