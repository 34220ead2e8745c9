#pragma once

namespace dumpext {

/// Gives the debugger's data model the function @$hang, where the debugger has a data model and the name is free. Nothing leaves this as an exception.
void register_data_model() noexcept;

/// Takes it back; a function of that name that another extension made stays.
void unregister_data_model() noexcept;

/// True when the data model holds no object of this library any more.
bool is_data_model_free() noexcept;

}
