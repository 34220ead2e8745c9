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

    /// <summary>
    /// What modules that share their locks have in common, whatever its case: they are the same file, or of one family. A program and a library of the same
    /// stem (app.exe, app.dll) are not one.
    /// </summary>
    public static string KeyOf(string module, string moduleStem) => Of(moduleStem) is var family && family != moduleStem ? $"{family}/" : module;
}
