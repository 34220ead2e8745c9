using System.Text.Json;

namespace Dump.Reports.Json;

/// <summary>The value of a field is none that the field can have.</summary>
/// <param name="message">What is wrong, as a clause that follows the field's name.</param>
internal sealed class DamagedFieldException(string message) : JsonException(message);
