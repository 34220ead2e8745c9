#pragma once

#include <string>
#include <vector>

#include "engine/json_document.hpp"

namespace dumpext {

/// What a list of tags has room for, of a report (docs/json-schema.md): for each verdict, at most 32, its heading, its sentences and where to look,
/// a line each. Without a verdict, when data are missing: one that says which. Empty when nothing was found.
std::vector<std::string> verdict_tags(const JsonValue& report);

}
