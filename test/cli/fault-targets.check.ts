import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { faults } from '../simulation/simulate-text.ts';
import { runBuilt } from './run-built.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-faults-'));
afterAll(() => rmSync(folder, { recursive: true }));

const simulate = (...argv: string[]) => runBuilt(['simulate', '--until', '30m', ...argv], { cwd: folder });
let files = 0;
const withFaults = (lines: string, ...argv: string[]) => {
  const name = `f${++files}.yaml`;
  writeFileSync(join(folder, name), faults(lines));
  return simulate('--nodes', '2', '--faults', name, ...argv);
};

describe('a fault without a target, as built', () => {
  it('is an error, whatever it strikes', async () => {
    writeFileSync(join(folder, 'pod.yaml'), 'kind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c}]}\n');
    const runs = await Promise.all([
      withFaults('  - {fault: nodeCrash, at: 1m, node: n9}'),
      withFaults('  - {fault: slowRelist, at: 1m, delay: 1s, nodes: {zone: q}}'),
      withFaults('  - {fault: workerDeath, at: 1m}'),
      withFaults('  - {fault: lostWatch, at: 1m, resource: podz}'),
      simulate('-f', 'pod.yaml', '--lose', 'zone=q'),
    ]);
    expect(runs.map(({ code, out }) => [code, out])).toEqual(runs.map(() => [1, '']));
    expect(runs.map(({ err }) => err)).toEqual([
      'error: f1.yaml: faults[0]: there is no node "n9" in the input\n',
      'error: f2.yaml: faults[0]: no node in the input has the label zone=q\n',
      'error: f3.yaml: faults[0]: there is no thread that could end (--workers 2 or more)\n',
      expect.stringMatching(/^error: f4\.yaml: faults\[0\]\.resource: unknown resource "podz" \(known: .*\)\n$/),
      'error: --lose zone=q: there is no node in the input\n',
    ]);
  });

  it('is counted when that turns out only in the run', async () => {
    const crash = '{fault: nodeCrash, node: node-00000, at: [1m, 2m]}';
    const watch = '{fault: lostWatch, resource: csistoragecapacities, at: 1m}';
    const { code, out, err } = await withFaults(`  - ${crash}\n  - ${watch}\n  - {fault: clockJump, by: 1m, at: 2h}`);
    expect(code).toBe(0);
    expect(out).toMatch(/^fault nodeCrash +1, 1 found nothing to strike$/m);
    expect(err).toMatch(/^warning: f5\.yaml: faults\[2\]: begins only after the time of --until\n/);
  });
});
