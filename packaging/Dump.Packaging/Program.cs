using System.IO.Compression;
using Dump.Packaging.Profiles;

namespace Dump.Packaging;

/// <summary>
/// What the scripts of this folder need beyond the shell. <c>describe FOLDER PACKAGES BILL</c> writes THIRD-PARTY-NOTICES.txt into a published folder of the
/// program, and its bill of materials to the file BILL; PACKAGES is NuGet's folder of restored packages, and a folder ASSEMBLIES behind that has the assemblies
/// which a program of machine code was compiled from. <c>image ROOT PACKAGES BILL</c> writes the bill of a
/// container image with the program in <c>ROOT/app</c>. <c>zip FOLDER FILE</c> and <c>unzip FILE FOLDER</c>
/// make an archive and unpack one. <c>profile LIST ASSEMBLIES FILE</c> writes the profile of the methods in LIST; the file ASSEMBLIES names the assemblies that
/// are compiled, one a line. Exit code 0 when that is done, 1 when a file or a licence is of unknown origin, 2 for wrong usage.
/// </summary>
internal static class Program
{
    private static int Main(string[] arguments)
    {
        try
        {
            switch (arguments)
            {
                case ["describe", string folder, string packages, string bill, .. [] or [_]]:
                    IReadOnlyList<ShippedComponent> components = Components(folder);
                    Dictionary<string, PackageTexts> texts = Texts(components, packages);
                    File.WriteAllText(Path.Combine(folder, "THIRD-PARTY-NOTICES.txt"), NoticeText.Write(components, texts));

                    // Once more: the notices are a file of the folder now.
                    File.WriteAllText(bill, SoftwareBill.Write(folder, Components(folder), texts));
                    return 0;
                case ["image", string root, string packages, string bill, .. [] or [_]]:
                    IReadOnlyList<ShippedComponent> shipped = Components(Path.Combine(root, ImageBill.ProgramFolder));
                    File.WriteAllText(bill, ImageBill.Write(root, shipped, Texts(shipped, packages)));
                    return 0;
                case ["zip", string folder, string file]:
                    ZipFiles.Write(folder, file);
                    return 0;
                case ["profile", string list, string assemblies, string file]:
                    WriteProfile(list, assemblies, file);
                    return 0;
                case ["unzip", string file, string folder]:
                    ZipFile.ExtractToDirectory(file, folder);
                    return 0;
                default:
                    Console.Error.WriteLine("usage: describe FOLDER PACKAGES BILL [ASSEMBLIES] | image ROOT PACKAGES BILL [ASSEMBLIES] | zip FOLDER FILE"
                        + " | unzip FILE FOLDER | profile LIST ASSEMBLIES FILE");
                    return 2;
            }
        }
        catch (InvalidDataException error)
        {
            Console.Error.WriteLine(error.Message);
            return 1;
        }

        IReadOnlyList<ShippedComponent> Components(string folder) => ShippedFiles.Read(folder, arguments.Length == 5 ? arguments[4] : null);
    }

    private static void WriteProfile(string list, string assemblies, string file)
    {
        using AssemblySet compiled = new(File.ReadLines(assemblies));
        MethodProfile profile = new(File.ReadLines(list).Select(UsedMethod.Of).OfType<UsedMethod>(), compiled);
        profile.Write(file);
        Console.WriteLine($"{profile.Found} methods are compiled before they are asked for; {profile.Missing} are not in these assemblies.");
    }

    private static Dictionary<string, PackageTexts> Texts(IReadOnlyList<ShippedComponent> components, string packages) => components.Where(c => !c.IsOwn)
        .ToDictionary(c => c.Name, c => PackageTexts.Read(packages, c.Name, c.Version));
}
