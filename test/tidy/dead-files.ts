import type { Problem, SourceFile } from './source-file.ts';

/** A folder and the files that somebody outside opens; what they do not lead to is dead. */
interface Territory {
  readonly folder: string;
  readonly isEntry: (path: string) => boolean;
  readonly entries: string;
}

const TERRITORIES: readonly Territory[] = [
  territory(
    'src/',
    /^src\/(index(?:-[a-z]+)?|cli\/(?:main|launcher)|report\/browser\/main)\.ts$/,
    'src/index.ts, another src/index-*.ts or src/cli/main.ts',
  ),
  territory('assembly/', /^assembly\/index\.ts$/, 'assembly/index.ts'),
  territory(
    'test/',
    /\.(?:test|check)\.ts$|^test\/(?:(?:\w+|api\/fields)\/main|setup|\w+\/prepare|package\/programs\/.*)\.ts$/,
    'a *.test.ts or *.check.ts file, or the main.ts of a script',
  ),
  territory('bench/', /^bench\/(?:(?:[\w-]+\/)?run|(?:apiserver|live)\/server)\.ts$/, 'bench/run.ts or another run.ts'),
];

/** Files that no entry leads to. A test that alone uses a file of src/ does not keep it alive. */
export function checkDeadFiles(files: readonly SourceFile[]): Problem[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return TERRITORIES.flatMap(({ folder, isEntry, entries }) => {
    const inside = files.filter(({ path }) => path.startsWith(folder));
    const alive = reachable(
      inside.filter(({ path }) => isEntry(path)),
      byPath,
    );
    // Declaration files are read by the compiler, not imported.
    const dead = inside.filter(({ path }) => !alive.has(path) && !path.endsWith('.d.ts'));
    return dead.map(({ path }) => ({
      path,
      line: 0,
      message: `no import leads here from ${entries}: use it or delete it`,
    }));
  });
}

function reachable(entries: readonly SourceFile[], byPath: ReadonlyMap<string, SourceFile>): Set<string> {
  const alive = new Set<string>();
  const pending = [...entries];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (alive.has(file.path)) continue;
    alive.add(file.path);
    for (const { target } of file.imports) {
      const next = target === undefined ? undefined : byPath.get(target);
      if (next !== undefined) pending.push(next);
    }
  }
  return alive;
}

function territory(folder: string, entry: RegExp, entries: string): Territory {
  return { folder, isEntry: (path) => entry.test(path), entries };
}
