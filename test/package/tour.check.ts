import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ROOT, runNode } from './place.ts';

/** The columns of the tour that are the same on every machine: kind, nodes, pods, engine, placed, decisions. */
function decided(text: string): string[] {
  const rows = text.split('\n').filter((line) => line.startsWith('│') && !line.startsWith('│ kind'));
  return rows
    .map((row) => row.split('│').map((cell) => cell.trim()))
    .map((cells) => [...cells.slice(1, 6), cells.at(-2)].join(' '));
}

it('the tour that npm start makes decides as docs/benchmarks.md shows', () => {
  const page = readFileSync(`${ROOT}docs/benchmarks.md`, 'utf8');
  const [, shown = ''] = page.split('`npm start` compares the engines');
  const [, table = ''] = shown.split('```\n');
  const simd = decided(table).filter((row) => / simd /.test(row));
  expect(simd.length).toBeGreaterThan(5);
  // Its engines agree, which is its own check; the reference takes most of the minute.
  const { status, output, errors } = runNode(
    [`${ROOT}dist/cli/main.js`, 'bench', '--tour', '--engine', 'simd', '--repeat', '1'],
    ROOT,
  );
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  expect(decided(output)).toEqual(simd);
});
