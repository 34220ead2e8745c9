namespace Dump.Analysis.Knowledge;

/// <summary>Libraries that ship as several modules sharing one set of locks.</summary>
public static class ModuleFamilies
{
    // Intel oneMKL spreads over mkl_core, mkl_intel_thread, mkl_def, mkl_rt, ...; all use mkl_core's locks
    // (the hang of dotnet/machinelearning #1073 shows two of them on one stack).
    private static readonly (string Prefix, string Family)[] s_families =
    [
        ("mkl_", "Intel MKL"),
    ];

    /// <summary>The family of a module, or its own stem when it belongs to none.</summary>
    /// <param name="moduleStem">Lower-case module name without extension.</param>
    public static string Of(string moduleStem)
    {
        foreach ((string prefix, string family) in s_families)
        {
            if (moduleStem.StartsWith(prefix, StringComparison.Ordinal))
            {
                return family;
            }
        }

        return moduleStem;
    }
}
