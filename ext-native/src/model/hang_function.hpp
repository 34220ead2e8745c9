#pragma once

#include "model/model_headers.hpp"
#include "system/com_pointer.hpp"

namespace dumpext {

/// A function for the data model, without arguments, that asks the engine and gives the verdicts on the target as an array of objects.
/// @throws std::bad_alloc
ComPointer<IModelMethod> make_hang_function(IDataModelManager& manager);

/// True as long as somebody holds a function that make_hang_function made.
bool lives_hang_function() noexcept;

/// A client of the debugger that has loaded this library; empty when there is none.
ComPointer<IDebugClient> make_client();

}
