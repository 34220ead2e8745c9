using System.Collections.Immutable;

namespace Dump.Store.Engines;

/// <summary>
/// The tables of a store, the same in each database. A version that was released is never changed: what is new is a further step. The views, which people rely
/// on, stand in <c>docs/store.md</c>.
/// </summary>
internal static class StoreSchema
{
    /// <summary>The version that this program writes and reads.</summary>
    public static int Version => Steps[^1].Version;

    /// <summary>All steps, from an empty database on.</summary>
    public static ImmutableArray<SchemaStep> Steps { get; } =
    [
        new SchemaStep(1,
        [
            """
            CREATE TABLE stored_record (
                sequence {key},
                identity {text} NOT NULL UNIQUE,
                run {text},
                written {text} NOT NULL,
                outcome {text} NOT NULL,
                path {text} NOT NULL,
                member {text},
                size {number},
                reason {text},
                tool {text} NOT NULL,
                captured {text},
                day {text},
                process {text},
                machine {text},
                system {text},
                answer {text} NOT NULL,
                lacking {text} NOT NULL,
                bucket {text})
            """,
            "CREATE TABLE stored_document (sequence {number} NOT NULL PRIMARY KEY, packed {bytes} NOT NULL)",
            """
            CREATE TABLE stored_finding (
                sequence {number} NOT NULL,
                position {number} NOT NULL,
                detector {text} NOT NULL,
                title {text} NOT NULL,
                confidence {text} NOT NULL,
                PRIMARY KEY (sequence, position))
            """,
            """
            CREATE TABLE stored_module (
                module {key},
                name {text} NOT NULL,
                version {text} NOT NULL,
                build {text} NOT NULL,
                vendor {text} NOT NULL,
                system {text} NOT NULL,
                UNIQUE (name, version, build, vendor, system))
            """,
            "CREATE TABLE stored_load (sequence {number} NOT NULL, module {number} NOT NULL, PRIMARY KEY (sequence, module)){compact}",
            "CREATE TABLE stored_bucket (bucket {text} NOT NULL PRIMARY KEY, kind {text} NOT NULL, detector {text}, title {text}, signature {text} NOT NULL)",
            """
            CREATE TABLE stored_run (
                run {text} NOT NULL PRIMARY KEY,
                machine {text},
                inputs {text} NOT NULL,
                shard {text},
                started {text},
                ended {text},
                summary {bytes})
            """,
            "CREATE INDEX stored_record_bucket ON stored_record (bucket, answer, captured, identity)",
            "CREATE INDEX stored_record_machine ON stored_record (machine, answer, captured)",
            "CREATE INDEX stored_record_day ON stored_record (day, answer)",
            "CREATE INDEX stored_record_answer ON stored_record (answer, lacking)",
            "CREATE INDEX stored_load_module ON stored_load (module, sequence)",
            "CREATE INDEX stored_finding_detector ON stored_finding (detector, sequence)",
            .. StoreViews.Statements,
        ]),

        // What an overview of many records needs: modules counted up to a record, and what a bucket is asked for.
        new SchemaStep(2,
        [
            "CREATE TABLE stored_count (module {number} NOT NULL PRIMARY KEY, dumps {number} NOT NULL)",
            "CREATE TABLE stored_counted (sequence {number} NOT NULL PRIMARY KEY)",
            "CREATE INDEX stored_record_bucket_process ON stored_record (bucket, process)",
            "CREATE INDEX stored_record_bucket_machine ON stored_record (bucket, machine)",
        ]),
    ];

    /// <summary>The names of the tables of a version.</summary>
    public static IEnumerable<string> TablesOf(int version) => Steps.Where(s => s.Version <= version).SelectMany(s => s.Statements)
        .Where(s => s.StartsWith("CREATE TABLE ", StringComparison.Ordinal)).Select(s => s.Split([' ', '\n'], 4, StringSplitOptions.RemoveEmptyEntries)[2]);
}

/// <summary>
/// The views for people who ask in SQL, described in <c>docs/store.md</c>. Only what every database understands; text where SQL has several ways (times,
/// yes and no), so that a question is the same everywhere.
/// </summary>
internal static class StoreViews
{
    /// <summary>What makes them.</summary>
    public static ImmutableArray<string> Statements { get; } =
    [
        """
        CREATE VIEW dumps AS
        SELECT identity, path, member, size, outcome, reason, tool, captured, day, process, machine, system, answer, bucket, run, written
        FROM stored_record
        """,
        """
        CREATE VIEW findings AS
        SELECT r.identity, f.position, f.detector, f.title, f.confidence, r.bucket, r.path, r.captured, r.day, r.process, r.machine
        FROM stored_finding f JOIN stored_record r ON r.sequence = f.sequence
        """,
        """
        CREATE VIEW buckets AS
        SELECT b.bucket, b.kind, b.detector, b.title, b.signature, COUNT(*) AS dumps, COUNT(DISTINCT r.machine) AS machines,
            MIN(r.captured) AS first_seen, MAX(r.captured) AS last_seen
        FROM stored_bucket b JOIN stored_record r ON r.bucket = b.bucket
        GROUP BY b.bucket, b.kind, b.detector, b.title, b.signature
        """,
        """
        CREATE VIEW modules AS
        SELECT m.name, NULLIF(m.version, '') AS version, NULLIF(m.build, '') AS build, NULLIF(m.vendor, '') AS vendor, NULLIF(m.system, '') AS system,
            COUNT(*) AS dumps, COUNT(DISTINCT r.machine) AS machines, MIN(r.captured) AS first_seen, MAX(r.captured) AS last_seen
        FROM stored_module m JOIN stored_load l ON l.module = m.module JOIN stored_record r ON r.sequence = l.sequence
        GROUP BY m.module, m.name, m.version, m.build, m.vendor, m.system
        """,
        """
        CREATE VIEW loaded_modules AS
        SELECT r.identity, m.name, NULLIF(m.version, '') AS version, NULLIF(m.build, '') AS build, NULLIF(m.vendor, '') AS vendor,
            NULLIF(m.system, '') AS system, r.bucket, r.captured, r.day, r.process, r.machine
        FROM stored_load l JOIN stored_module m ON m.module = l.module JOIN stored_record r ON r.sequence = l.sequence
        """,
        """
        CREATE VIEW machines AS
        SELECT machine, COUNT(*) AS dumps, SUM(CASE WHEN answer IN ('confirmed', 'likely', 'suspected') THEN 1 ELSE 0 END) AS hangs,
            MIN(captured) AS first_seen, MAX(captured) AS last_seen
        FROM stored_record WHERE machine IS NOT NULL GROUP BY machine
        """,
        """
        CREATE VIEW days AS
        SELECT day, COUNT(*) AS dumps, SUM(CASE WHEN answer IN ('confirmed', 'likely', 'suspected') THEN 1 ELSE 0 END) AS hangs
        FROM stored_record WHERE day IS NOT NULL GROUP BY day
        """,
        "CREATE VIEW runs AS SELECT run, machine, inputs, shard, started, ended FROM stored_run",
    ];
}

/// <summary>What leads from one version of the schema to the next.</summary>
/// <param name="Version">The version that it leads to.</param>
/// <param name="Statements">
/// What is executed, in order. <c>{key}</c> stands for a key that the database counts, <c>{bytes}</c> for the type of bytes, <c>{text}</c> for that of text
/// compared byte by byte, <c>{number}</c> for that of whole numbers.
/// </param>
internal sealed record SchemaStep(int Version, ImmutableArray<string> Statements);
