using System.Text.Json;
using Dump.Model.Process;
using Dump.Model.Reported;

namespace Dump.Reports;

/// <summary>The modules of the JSON report.</summary>
internal static class JsonModules
{
    public static void Write(Utf8JsonWriter json, ProcessSnapshot snapshot)
    {
        json.WriteStartArray("modules");
        foreach (ReportedModule module in ReportModules.Of(snapshot))
        {
            json.WriteStartObject();
            json.WriteString("name", module.Name);
            json.WriteString("version", module.Version);
            json.WriteString("vendor", module.Vendor);
            JsonParts.Flag(json, "system", module.IsSystem);
            json.WriteString("build", module.Build);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }
}
