import { type Problem, problemAt, type SourceFile } from './source-file.ts';

/** Whoever imports one of these starts programs: the built command, or kubectl. */
const STARTERS = ['test/cli/run-built.ts', 'test/cli/served-process.ts', 'test/cli/kubectl.ts'];

/** `npm test` is for what is fast, and the start of a program takes as long as a hundred tests. */
export function checkStartedPrograms(files: readonly SourceFile[]): Problem[] {
  return files
    .filter(({ path }) => path.endsWith('.test.ts'))
    .flatMap((file) =>
      file.imports
        .filter(({ target }) => target !== undefined && STARTERS.includes(target))
        .map(({ offset }) =>
          problemAt(file, offset, 'a test that starts a program is a *.check.ts, for npm run test:cli'),
        ),
    );
}
