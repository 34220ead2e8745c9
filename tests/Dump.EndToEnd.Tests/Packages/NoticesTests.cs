using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Packaging;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>
/// Notices and bill of materials name every file of a package with its origin and licence. On the program's folder as tests have it, so without a build of
/// packages.
/// </summary>
public sealed class NoticesTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-notices-").FullName;

    public NoticesTests()
    {
        foreach (string file in Directory.EnumerateFiles(DumpAnalyze.BuildFolder, "*", SearchOption.AllDirectories)
                     .Where(f => !f.EndsWith(".pdb", StringComparison.Ordinal)))
        {
            string copy = Path.Combine(_folder, Path.GetRelativePath(DumpAnalyze.BuildFolder, file));
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(file, copy);
        }
    }

    [Fact]
    public void Every_assembly_has_an_origin()
    {
        IReadOnlyList<ShippedComponent> components = ShippedFiles.Read(_folder);
        Assert.Equal(
            ["dumpanalyze", "Iced", "Microsoft.Data.Sqlite.Core", "Microsoft.Diagnostics.Runtime", "Microsoft.Extensions.AI.Abstractions",
                "Microsoft.Extensions.DependencyInjection.Abstractions", "Microsoft.Extensions.Logging.Abstractions", "ModelContextProtocol.Core", "Npgsql",
                "SQLitePCLRaw.config.e_sqlite3", "SQLitePCLRaw.core", "SQLitePCLRaw.provider.e_sqlite3", "SourceGear.sqlite3", "Spectre.Console.Ansi",
                "System.CommandLine", "System.Security.Cryptography.Pkcs", "ZstdSharp.Port"],
            components.Select(c => c.Name));
        Assert.Equal(["dumpanalyze"], components.Where(c => c.IsOwn).Select(c => c.Name));
        Assert.Equal(Distribution.Version, components[0].Version);
        Assert.Equal(
            Directory.EnumerateFiles(_folder, "*", SearchOption.AllDirectories).Select(f => Path.GetRelativePath(_folder, f)).Order(StringComparer.Ordinal),
            components.SelectMany(c => c.Files).Order(StringComparer.Ordinal));
    }

    /// <summary>A program of machine code has none of the assemblies beside it, and all of their terms hold for it.</summary>
    [Fact]
    public void What_is_compiled_into_a_program_has_an_origin_too()
    {
        string native = Directory.CreateDirectory(Path.Combine(_folder, "native")).FullName;
        File.Copy(Path.Combine(_folder, "dumpanalyze.deps.json"), Path.Combine(native, "dumpanalyze.deps.json"));
        File.WriteAllText(Path.Combine(native, "dumpanalyze"), "machine code");
        IReadOnlyList<ShippedComponent> components = ShippedFiles.Read(native, _folder);
        Directory.Delete(native, recursive: true);
        IReadOnlyList<ShippedComponent> beside = ShippedFiles.Read(_folder);
        Assert.Equal(
            beside.Where(c => c.Files.Any(f => f.EndsWith(".dll", StringComparison.Ordinal))).Select(c => (c.Name, c.Version, c.IsOwn)),
            components.Select(c => (c.Name, c.Version, c.IsOwn)));
        Assert.Equal(["dumpanalyze", "dumpanalyze.deps.json"], components[0].Files);
        Assert.All(components.Skip(1), c => Assert.Empty(c.Files));
        Assert.Contains("\nNpgsql 10.0.0 (PostgreSQL): inside of dumpanalyze\n", NoticeText.Write(components, Texts(components)), StringComparison.Ordinal);
    }

    [Fact]
    public void File_of_unknown_origin_is_refused()
    {
        File.WriteAllText(Path.Combine(_folder, "Azure.Identity.dll"), "");
        InvalidDataException refusal = Assert.Throws<InvalidDataException>(() => ShippedFiles.Read(_folder));
        Assert.Contains("Azure.Identity.dll", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Notices_have_each_licence_in_full()
    {
        IReadOnlyList<ShippedComponent> components = ShippedFiles.Read(_folder);
        string text = NoticeText.Write(components, Texts(components));
        Assert.All(components.Where(c => !c.IsOwn), c =>
        {
            string license = PackageAssert.LicenseOf(c.Name);
            Assert.Contains($"{c.Name} {c.Version} ({license}): {string.Join(", ", c.Files)}\n", text, StringComparison.Ordinal);
            string own = text[text.IndexOf($"\n{c.Name} {c.Version}\n", StringComparison.Ordinal)..];
            string begins = license switch
            {
                "MIT" => "Permission is hereby granted, free of charge",
                "PostgreSQL" => "Permission to use, copy, modify, and distribute this software",
                "blessing" => "SQLite is Public Domain",
                _ => "Apache License",
            };
            Assert.InRange(own.IndexOf(begins, StringComparison.Ordinal), 1, 1000);
        });
        Assert.Contains("END OF TERMS AND CONDITIONS", text, StringComparison.Ordinal);
        Assert.Contains("Copyright (C) 2018-present iced project and contributors", text, StringComparison.Ordinal);
        Assert.Contains("© Microsoft Corporation. All rights reserved.", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Bill_of_materials_has_packages_and_files_with_hashes()
    {
        IReadOnlyList<ShippedComponent> components = ShippedFiles.Read(_folder);
        string text = SoftwareBill.Write(_folder, components, Texts(components));
        Assert.Equal(text, SoftwareBill.Write(_folder, components, Texts(components)));
        PackageAssert.IsBill(text, _folder);
        JsonElement iced = JsonDocument.Parse(text).RootElement.Member("components").EnumerateArray()
            .Single(c => c.Member("name").GetString() == "Iced");
        Assert.Equal($"pkg:nuget/Iced@{components[1].Version}", iced.Member("purl").GetString());
        Assert.Equal(128, iced.Member("hashes")[0].Member("content").GetString()!.Length);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static Dictionary<string, PackageTexts> Texts(IReadOnlyList<ShippedComponent> components) =>
        components.Where(c => !c.IsOwn).ToDictionary(c => c.Name, c => PackageTexts.Read(Distribution.RestoredPackages, c.Name, c.Version));
}
