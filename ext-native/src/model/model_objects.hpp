#pragma once

#include <string_view>
#include <vector>

#include "engine/json_document.hpp"
#include "model/model_headers.hpp"
#include "system/com_pointer.hpp"

namespace dumpext {

using ModelObject = ComPointer<IModelObject>;

/// A text of the data model.
/// @throws CommandError for what the data model refuses; so do the functions below.
ModelObject make_text(IDataModelManager& manager, std::string_view text);

/// A value of JSON: objects get the names of their members with a capital letter first, arrays can be walked and indexed.
ModelObject make_value(IDataModelManager& manager, const JsonValue& value);

/// Values that can be walked and indexed.
ModelObject make_array(IDataModelManager& manager, std::vector<ModelObject> values);

/// A member of an object.
void set_member(const ModelObject& object, std::string_view name, const ModelObject& value);

/// What a debugger shows for the object in one line.
void set_display_text(const ModelObject& object, std::string_view text);

}
