using System.Collections.Frozen;
using System.Text.Json;
using System.Text.Json.Serialization;
using Dump.Model.Text;

namespace Dump.Reports.Json;

/// <summary>Values of an enumeration by their names.</summary>
/// <param name="unknown">What stands for a name that only a newer version knows: the weakest value. Null for an enumeration that decides over what is found:
/// there no other value may stand in, and an unknown name is damage.</param>
internal sealed class NameConverter<T>(T? unknown = null) : JsonConverter<T>
    where T : struct, Enum
{
    /// <summary>Most characters of a name that is quoted.</summary>
    private const int LongestName = 100;

    private static readonly FrozenDictionary<string, T> s_values = Enum.GetNames<T>().ToFrozenDictionary(n => n, Enum.Parse<T>, StringComparer.Ordinal);

    /// <inheritdoc/>
    public override T Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        string name = reader.TokenType == JsonTokenType.String ? reader.GetString()! : throw new DamagedFieldException("is not a text");
        return s_values.TryGetValue(name, out T value) ? value
            : unknown ?? throw new DamagedFieldException($"is '{SafeText.Clean(name, LongestName)}', which this version does not know");
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options) => writer.WriteStringValue(value.ToString());
}
