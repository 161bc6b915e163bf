import { type Problem, problemAt, type SourceFile } from './source-file.ts';

const UNFINISHED = /\b(?:TODO|FIXME|XXX|HACK)\b/g;

/** Notes to oneself belong into an issue: in the code they outlive their reason. */
export function checkUnfinished(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) =>
    [...file.comments.matchAll(UNFINISHED)].map((match) =>
      problemAt(file, match.index, `${match[0]}: do it now, or open an issue`),
    ),
  );
}

const NOT_RUN = [
  /(?<![\w$.])(?:describe|it|test|bench|suite)(?:\.\w+)*\.(?:only|skip|todo|fails|skipIf|runIf)\b/g,
  /(?<![\w$.])(?:ctx|context|task)\.skip\(/g,
];

/** A test that is switched off, or that switches off the others. */
export function checkSkippedTests(files: readonly SourceFile[]): Problem[] {
  return files
    .filter(({ path }) => path.startsWith('test/'))
    .flatMap((file) =>
      NOT_RUN.flatMap((pattern) =>
        [...file.code.matchAll(pattern)].map((match) =>
          problemAt(file, match.index, `${match[0]}: run every test, or delete it`),
        ),
      ),
    );
}

const DRAWER = /^(?:utils?|commons?|helpers?|misc|shared|stuff|various|toolbox)$/;
const FILE_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:simd|test|check|bench|config|d))*\.ts$/;

/** Reports names that say nothing of the content, and file names in another style. */
export function checkNames(files: readonly SourceFile[]): Problem[] {
  return files.flatMap(({ path }) => {
    const words = path.split('/').map((part) => part.replace(/\..*$/, ''));
    const drawer = words.find((word) => DRAWER.test(word));
    const fileName = path.slice(path.lastIndexOf('/') + 1);
    const messages = [
      ...(drawer === undefined ? [] : [`"${drawer}" names a drawer, not an idea: name it after what it holds`]),
      ...(FILE_NAME.test(fileName) ? [] : [`file names are lower-case words joined by hyphens`]),
    ];
    return messages.map((message) => ({ path, line: 0, message }));
  });
}

const BUILT = [
  /^(?:dist|build|coverage|node_modules)\//,
  /\.(?:wasm|wat|tgz|map|tsbuildinfo|cpuprofile)$/,
  /^(?:src|assembly|test|bench|examples)\/.*\.(?:[cm]?js|d\.[cm]?ts)$/,
];
/** Hand-written declarations of things that Node has and its types lack. */
const WRITTEN_DECLARATIONS = ['src/lib/webassembly.d.ts'];

/** Files in git that a build makes. `tracked` are paths from the root. */
export function checkBuiltFiles(tracked: readonly string[]): Problem[] {
  return tracked
    .filter((path) => BUILT.some((pattern) => pattern.test(path)) && !WRITTEN_DECLARATIONS.includes(path))
    .map((path) => ({
      path,
      line: 0,
      message: 'a build makes this file: git rm --cached it, and list it in .gitignore',
    }));
}
