using System.Xml;
using System.Xml.Linq;
using Dump.Model.Contract;

namespace Dump.Fetching.Feeds;

/// <summary>
/// The package sources that <c>dotnet</c> uses outside of any project: those of the user's configuration and of the machine's (NuGet, "Common NuGet
/// configurations"). Files of projects and solutions are left out: a directory that one happens to stand in decides nothing.
/// </summary>
public static class ConfiguredSources
{
    private const string FileName = "NuGet.Config";
    private const string Pattern = "*.config";
    private const int MostFiles = 100;
    private const long LargestFile = 1 << 20;

    /// <summary>The files, those of the machine first: later ones go before.</summary>
    public static IReadOnlyList<string> Files()
    {
        if (OperatingSystem.IsWindows())
        {
            string programs = Environment.GetFolderPath(Environment.SpecialFolder.ProgramFilesX86);
            string user = Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.ApplicationData), "NuGet");
            return [.. Below(Path.Combine(programs, "NuGet", "Config")), .. Below(Path.Combine(user, "config")), .. Existing(Path.Combine(user, FileName))];
        }

        string machine = Environment.GetEnvironmentVariable(EnvironmentVariables.NuGetMachineConfiguration) is { Length: > 0 } given
            ? given : Path.Combine("/etc", "opt");
        string home = Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget");
        return
        [
            .. Below(Path.Combine(machine, "NuGet", "Config")), .. Below(Path.Combine(home, "config")), .. Existing(Path.Combine(home, "NuGet", FileName)),
        ];
    }

    /// <summary>The enabled sources of configuration files.</summary>
    /// <param name="files">The files; later ones go before. One that cannot be read has none.</param>
    public static IReadOnlyList<PackageSource> Read(IEnumerable<string> files)
    {
        Dictionary<string, string> sources = new(StringComparer.OrdinalIgnoreCase);
        HashSet<string> disabled = new(StringComparer.OrdinalIgnoreCase);
        foreach (string file in files)
        {
            if (Load(file) is not { } configuration)
            {
                continue;
            }

            foreach (XElement item in Items(configuration, "packageSources", sources.Clear))
            {
                if (Value(item, "key") is { } key && Value(item, "value") is { } value)
                {
                    sources[key] = Place(value, file);
                }
            }

            foreach (XElement item in Items(configuration, "disabledPackageSources", disabled.Clear))
            {
                if (Value(item, "key") is { } key && string.Equals(Value(item, "value"), "true", StringComparison.OrdinalIgnoreCase))
                {
                    disabled.Add(key);
                }
            }
        }

        return [.. sources.Where(s => !disabled.Contains(s.Key)).Select(s => new PackageSource(s.Key, s.Value))];
    }

    private static IEnumerable<XElement> Items(XElement configuration, string section, Action clear)
    {
        foreach (XElement item in configuration.Elements(section).Elements())
        {
            if (item.Name.LocalName == "clear")
            {
                clear();
            }
            else if (item.Name.LocalName == "add")
            {
                yield return item;
            }
        }
    }

    private static string? Value(XElement item, string name) => item.Attribute(name)?.Value;

    private static string Place(string value, string file)
    {
        string place = Environment.ExpandEnvironmentVariables(value);
        return Uri.TryCreate(place, UriKind.Absolute, out Uri? address) && !address.IsFile ? place
            : address is { IsUnc: false } ? address.LocalPath
            : Path.GetFullPath(place, Path.GetDirectoryName(Path.GetFullPath(file))!);
    }

    private static XElement? Load(string file)
    {
        try
        {
            if (new FileInfo(file).Length > LargestFile)
            {
                return null;
            }

            using XmlReader reader = XmlReader.Create(file, new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null });
            return XElement.Load(reader);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or XmlException)
        {
            return null;
        }
    }

    private static IEnumerable<string> Existing(string file) => File.Exists(file) ? [file] : [];

    private static IEnumerable<string> Below(string directory)
    {
        try
        {
            return Directory.Exists(directory)
                ? [.. Directory.EnumerateFiles(directory, Pattern, SearchOption.AllDirectories).Order(StringComparer.Ordinal).Take(MostFiles)]
                : [];
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}

/// <summary>A source of NuGet packages.</summary>
/// <param name="Name">Its name in the configuration.</param>
/// <param name="Address">Address of the index of a feed (version 3 of the protocol), or a local directory.</param>
public sealed record PackageSource(string Name, string Address);
