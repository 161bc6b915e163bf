import { describe, expect, it } from 'vitest';
import { sourceFile } from './source-file.ts';

function importsOf(text: string, path = 'src/core/a.ts') {
  return sourceFile(path, text).imports.map(({ specifier, target, typeOnly }) => [specifier, target, typeOnly]);
}

describe('imports', () => {
  it.each([
    ["import { a } from './b.ts';", './b.ts', 'src/core/b.ts', false],
    ["import './b.ts';", './b.ts', 'src/core/b.ts', false],
    ["import * as b from '../b.ts';", '../b.ts', 'src/b.ts', false],
    ["import {\n  a,\n  b,\n} from './b.ts';", './b.ts', 'src/core/b.ts', false],
    ["import b, { type C } from './b.ts';", './b.ts', 'src/core/b.ts', false],
    ["import { type A, b } from './b.ts';", './b.ts', 'src/core/b.ts', false],
    ["import type { A } from './b.ts';", './b.ts', 'src/core/b.ts', true],
    ["import { type A, type B } from './b.ts';", './b.ts', 'src/core/b.ts', true],
    ["import type from './b.ts';", './b.ts', 'src/core/b.ts', false],
    ["export type { A } from './b.ts';", './b.ts', 'src/core/b.ts', true],
    ["export { a } from './b.ts';", './b.ts', 'src/core/b.ts', false],
    ["export * from './b.ts';", './b.ts', 'src/core/b.ts', false],
    ["import { a } from 'yaml';", 'yaml', undefined, false],
    ["const b = await import('./b.ts');", './b.ts', 'src/core/b.ts', false],
    ["void import('./b.ts').then(f);", './b.ts', 'src/core/b.ts', false],
    ["let b: import('./b.ts').B;", './b.ts', 'src/core/b.ts', true],
    ["new Worker(new URL('./b.js', import.meta.url));", './b.js', 'src/core/b.ts', false],
    ["import { a } from './b';", './b', 'src/core/b.ts', false],
    ["import { a } from './b.simd';", './b.simd', 'src/core/b.simd.ts', false],
  ])('%s', (text, specifier, target, typeOnly) => {
    expect(importsOf(text)).toEqual([[specifier, target, typeOnly]]);
  });

  it.each([
    "// import { a } from './b.ts';",
    'const text = `import { a } from "./b.ts";`;',
    "export const a = 'b';",
    "export const from = './b.ts';",
    "readFileSync(new URL('../../build/', import.meta.url));",
    "important('./b.ts');",
  ])('none in %s', (text) => {
    expect(importsOf(text)).toEqual([]);
  });
});
