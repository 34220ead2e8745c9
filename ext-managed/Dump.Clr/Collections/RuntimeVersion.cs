using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>The version of a runtime as people know it.</summary>
internal static class RuntimeVersion
{
    /// <summary>
    /// The version, from the directory of a shared framework where the class library lies in one, else from the runtime's library; null when neither tells.
    /// </summary>
    public static string? Of(ClrRuntime runtime)
    {
        string[] parts = (runtime.BaseClassLibrary?.Name ?? "").Split('/', '\\');
        if (parts.Length >= 3 && parts[^3] == "Microsoft.NETCore.App" && parts[^2] is [>= '0' and <= '9', ..] version)
        {
            return SafeText.Clean(version, 64);
        }

        return runtime.ClrInfo.Version is { Major: > 0 } stated ? stated.ToString() : null;
    }
}
