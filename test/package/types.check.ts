import { expect, it } from 'vitest';
import { newProject, runNode, tool } from './place.ts';

const RESOLUTIONS = {
  node16: { module: 'node16' },
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};
const OBJECTS = ['client-node-0.ts', 'client-node-1.ts', 'client-node-2.ts', 'kubernetes-types.ts'];

/** Compiles the programs, and returns what the compiler says. */
function compile(name: string, files: readonly string[], options: object): string {
  const compilerOptions = { noEmit: true, strict: true, target: 'es2022', ...options };
  const folder = newProject(name, files, { 'tsconfig.json': { compilerOptions, files } });
  return runNode([tool('typescript/bin/tsc'), '-p', folder, '--pretty', 'false'], folder).output;
}

it.each(Object.entries(RESOLUTIONS))('%s: objects of client-node and kubernetes-types need no cast', (name, module) => {
  const options = { ...module, lib: ['es2022', 'dom'], types: ['node'], skipLibCheck: true };
  expect(compile(`types-${name}`, OBJECTS, options)).toBe('');
  expect(compile(`types-exact-${name}`, OBJECTS, { ...options, exactOptionalPropertyTypes: true })).toBe('');
});

it.each(Object.entries(RESOLUTIONS))('%s: every entry compiles without further libraries and types', (name, module) => {
  expect(compile(`entries-${name}`, ['every-entry.ts'], { ...module, lib: ['es2022'], types: [] })).toBe('');
});

it('what does not fit is refused', () => {
  const output = compile('types-wrong', ['wrong.ts'], { module: 'nodenext', lib: ['es2022'], types: [] });
  expect(output).toMatch(/^wrong\.ts\(4,\d+\): error TS2322: Type 'number' is not assignable to type 'string'/);
  expect(output.match(/: error /g)).toHaveLength(1);
});
