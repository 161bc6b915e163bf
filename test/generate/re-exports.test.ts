import { expect, test } from 'vitest';
import { withReExports } from '../../generate/re-exports.ts';

test('names that are only passed on are not imported, and types are exported together', () => {
  const declarations = [
    'import { Code, Pod, stateKey } from "./types/plugin.js";',
    'import { Clock } from "./types/options.js";',
    'import { Registry } from "prom-client";',
    'declare function scheduleAll(pods: readonly Pod[], registry: Registry): void;',
    'export { type Clock, type Code, type Pod, scheduleAll, stateKey };',
    '',
  ];
  expect(withReExports(declarations.join('\n')).split('\n')).toEqual([
    'import { Pod } from "./types/plugin.js";',
    'import { Registry } from "prom-client";',
    'declare function scheduleAll(pods: readonly Pod[], registry: Registry): void;',
    'export type { Code } from "./types/plugin.js";',
    'export { stateKey } from "./types/plugin.js";',
    'export type { Clock } from "./types/options.js";',
    'export type { Pod };',
    'export { scheduleAll };',
    '',
  ]);
});

test('other names stay as they are', () => {
  const declarations = [
    'import { Code as PluginCode, Node } from "./types/plugin.js";',
    'declare const NodeList: Node[];',
    'export { NodeList, type PluginCode as Code };',
    '',
  ];
  expect(withReExports(declarations.join('\n')).split('\n')).toEqual([
    ...declarations.slice(0, 2),
    'export type { PluginCode as Code };',
    'export { NodeList };',
    '',
  ]);
  expect(withReExports('declare const one: 1;\n')).toBe('declare const one: 1;\n');
});
