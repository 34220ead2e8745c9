// node validate.mjs FILE.yaml...: checks manifests against Kubernetes' published OpenAPI schemas as the npm package kubernetes-models carries them.
// Values by the JSON schemas; unknown fields, which those allow, by the type declarations made from the same schemas: an object literal with a field that its type lacks is an error of TypeScript.
// Prints an error a line. Exit status: 0 sound, 1 not, 3 a package is missing. Run by lab/kubernetes.sh, which installs the packages into the current directory.
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const packages = createRequire(join(process.cwd(), "package.json"));
let yaml, typescript, models;
try {
    yaml = packages("js-yaml");
    typescript = packages("typescript");
    models = { "batch/v1": packages("kubernetes-models/batch/v1"), "apps/v1": packages("kubernetes-models/apps/v1") };
} catch (error) {
    console.error(`lab: ${error.message.split("\n")[0]}`);
    process.exit(3);
}

function byValues(document) {
    const Model = models[document?.apiVersion]?.[document?.kind];
    if (!Model) {
        return [`no schema for ${document?.apiVersion} ${document?.kind}`];
    }

    try {
        new Model(document).validate();
        return [];
    } catch (error) {
        return [error.message];
    }
}

function byTypes(documents) {
    const folder = mkdtempSync(join(process.cwd(), "check-"));
    try {
        const source = join(folder, "manifest.ts");
        writeFileSync(source, documents.map((d, i) => `import type { I${d.kind} as T${i} } from "kubernetes-models/${d.apiVersion}";\nexport const d${i}: T${i} = ${JSON.stringify(d)};\n`).join(""));
        const program = typescript.createProgram([source], {
            noEmit: true, strict: true, skipLibCheck: true, types: [],
            module: typescript.ModuleKind.NodeNext, moduleResolution: typescript.ModuleResolutionKind.NodeNext,
        });
        return typescript.getPreEmitDiagnostics(program).map(d => typescript.flattenDiagnosticMessageText(d.messageText, " "));
    } finally {
        rmSync(folder, { recursive: true });
    }
}

let failed = false;
for (const file of process.argv.slice(2)) {
    const documents = yaml.loadAll(readFileSync(file, "utf8"), undefined, { schema: yaml.CORE_SCHEMA });
    const unknown = documents.flatMap(byValues);
    const errors = unknown.length > 0 ? unknown : byTypes(documents);
    for (const error of errors) {
        console.log(`${file}: ${error}`);
        failed = true;
    }
}

process.exit(failed ? 1 : 0);
