namespace Dump.Packaging;

/// <summary>
/// <c>Dump.Packaging FOLDER PACKAGES BILL</c>: writes THIRD-PARTY-NOTICES.txt into a published folder of the program, and its bill of materials to the file
/// BILL. PACKAGES is NuGet's folder of restored packages. Exit code 0 when both are written, 1 when a file or a licence is of unknown origin, 2 for wrong usage.
/// </summary>
internal static class Program
{
    private static int Main(string[] arguments)
    {
        if (arguments is not [string folder, string packages, string bill])
        {
            Console.Error.WriteLine("usage: Dump.Packaging FOLDER PACKAGES BILL");
            return 2;
        }

        try
        {
            Dictionary<string, PackageTexts> texts = ShippedFiles.Read(folder).Where(c => !c.IsOwn)
                .ToDictionary(c => c.Name, c => PackageTexts.Read(packages, c.Name, c.Version));
            File.WriteAllText(Path.Combine(folder, "THIRD-PARTY-NOTICES.txt"), NoticeText.Write(ShippedFiles.Read(folder), texts));
            File.WriteAllText(bill, SoftwareBill.Write(folder, ShippedFiles.Read(folder), texts));
            return 0;
        }
        catch (InvalidDataException error)
        {
            Console.Error.WriteLine(error.Message);
            return 1;
        }
    }
}
