import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { KERNEL_TABLE, type KernelEntry, OPCODES } from '../../src/kernels/kernel-table.ts';
import { type KernelKind, readKernels } from '../../src/kernels/load.ts';
import { INSTRUCTION_BYTES, Program } from '../../src/kernels/program.ts';
import { assemblyFiles, exportedFunction, opcodesOf, readAssembly } from './assembly-source.ts';
import { wasmSignatures } from './wasm-signatures.ts';

const entries = Object.entries<KernelEntry>(KERNEL_TABLE);
const GUARDED = new URL('../../build/guarded/', import.meta.url);
const builds: readonly (readonly [string, KernelKind, URL | undefined])[] = [
  ['scalar', 'scalar', undefined],
  ['simd', 'simd', undefined],
  ['guarded scalar', 'scalar', GUARDED],
  ['guarded simd', 'simd', GUARDED],
];

/** The entry of each kernel in the table, in the form of `shape`. */
function expected<T>(shape: (entry: KernelEntry) => T): Record<string, T> {
  return Object.fromEntries(entries.map(([name, entry]) => [name, shape(entry)]));
}

describe('the table of kernels', () => {
  test.each(builds)('lists what the %s module exports, with the same types', (_, kind, folder) => {
    const wasmType = (type: string): string => (type === 'pointer' ? 'i32' : type);
    expect(wasmSignatures(readKernels(kind, folder))).toEqual(
      expected((entry) => ({
        parameters: Object.values(entry.arguments).map(wasmType),
        results: entry.result === null ? [] : [entry.result],
      })),
    );
  });

  it('names arguments as the interface does', () => {
    const source = readFileSync(new URL('../../src/kernels/abi.ts', import.meta.url), 'utf8');
    const body = source.slice(source.indexOf('export interface Kernels {'));
    const methods = [...body.matchAll(/^ {2}(\w+)\(([^)]*)\): (void|number);$/gm)];
    const declared = methods.map(([, name = '', list = '', result]) => {
      const names = [...list.matchAll(/(\w+): number/g)].map(([, argument]) => argument);
      return [name, { names, result: result === 'void' ? null : 'i32' }] as const;
    });
    expect(Object.fromEntries(declared)).toEqual(
      expected((entry) => ({ names: Object.keys(entry.arguments), result: entry.result })),
    );
  });

  it('names arguments as the AssemblyScript functions do, in the same order', () => {
    const order = (of: object): string => JSON.stringify(of);
    const functions = entries.map(([name]) => {
      const found = exportedFunction(name);
      return [name, found === null ? null : `${order(found.parameters)} ${found.result}`] as const;
    });
    expect(Object.fromEntries(functions)).toEqual(
      expected((entry) => `${order(entry.arguments)} ${entry.result ?? 'void'}`),
    );
  });
});

/** Arguments of the kernel that an instruction carries: not the range, nor the register that takes a `best`. */
function wordsOf({ arguments: all, register }: KernelEntry): [name: string, type: string][] {
  return Object.entries(all).filter(
    ([name]) => !['from', 'to', ...(register === 'best' || register === 'histogram' ? ['out'] : [])].includes(name),
  );
}

describe('instructions', () => {
  const instructions = entries.filter(([, { opcode }]) => opcode !== undefined);

  it('have the opcodes that the interpreter has', () => {
    const names = opcodesOf(readAssembly('pool/instruction.ts'));
    expect(Object.fromEntries(names.map((name, opcode) => [name, opcode]))).toEqual(OPCODES);
  });

  it('have room for their words, end with the range, and have no doubles', () => {
    for (const [name, entry] of instructions) {
      const words = wordsOf(entry);
      expect(Object.keys(entry.arguments).slice(-2), name).toEqual(['from', 'to']);
      expect(
        words.map(([, type]) => type),
        name,
      ).not.toContain('f64');
      expect(8 + 4 * words.length, name).toBeLessThanOrEqual(INSTRUCTION_BYTES);
    }
  });

  it('are written by methods of Program, and have a register when their kernels answer', () => {
    const written = Object.getOwnPropertyNames(Program.prototype);
    expect(written).toEqual(expect.arrayContaining(instructions.map(([name]) => name)));
    for (const [name, { result, register }] of instructions) {
      expect(register !== undefined, name).toBe(result !== null || register === 'best');
    }
  });

  it('are run with the words in the order of the arguments', () => {
    const source = readAssembly('pool/execute.ts');
    const calls = instructions.map(([name]) => {
      const [, list = ''] =
        new RegExp(`case Op\\.${name}:[^:]*?\\b${name}\\((.*?), from, to\\)`, 's').exec(source) ?? [];
      const plain = list.replaceAll(/changetype<\w+>\((\w+)\)/g, '$1');
      return [
        name,
        plain.replaceAll(/(whole|pointer)\(at, (\d)\)/g, (_, kind, i) => `${kind[0] === 'w' ? 'n' : 'p'}${i}`),
      ];
    });
    const table = instructions.map(([name, entry]) => {
      const words = wordsOf(entry).map(([, type], i) => `${type === 'pointer' ? 'p' : 'n'}${i}`);
      const answer = { best: ['foundAt(r)'], histogram: ['r'], count: [], maximum: [] };
      return [name, [...words, ...(entry.register ? answer[entry.register] : [])].join(', ')];
    });
    expect(Object.fromEntries(calls)).toEqual(Object.fromEntries(table));
  });
});

test('scalar and SIMD are one source: no file exists for one build alone', () => {
  expect([...assemblyFiles().keys()].filter((path) => path.includes('.simd.'))).toEqual([]);
});
