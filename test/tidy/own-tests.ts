import { functionBodies } from './sizes.ts';
import type { Problem, SourceFile } from './source-file.ts';

/** Whose files each have a test at the same place in `test/`. */
const ROOM = 'src/engine/';
const CLASS = /(?<![\w$.#])class\s[^(){};]*\{/;

/** A file of the engine with logic has a test of its own beside the properties, so that a failure names its place. */
export function checkOwnTests(files: readonly SourceFile[]): Problem[] {
  const paths = new Set(files.map(({ path }) => path));
  return files.flatMap((file) => {
    const { path } = file;
    if (!path.startsWith(ROOM) || !hasLogic(file)) return [];
    const test = path.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
    return paths.has(test) ? [] : [{ path, line: 0, message: `test it by itself in ${test}` }];
  });
}

/** Files of types and constants have nothing that a test could call. */
function hasLogic({ code }: SourceFile): boolean {
  return CLASS.test(code) || functionBodies(code).length > 0;
}
