import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { berth } from '../cli/run-berth.ts';

const FILE = 'training-gang.yaml';
const files = { [FILE]: readFileSync(new URL(`../../examples/${FILE}`, import.meta.url), 'utf8') };
const GATES = ['--feature-gates', 'GenericWorkload=true,GangScheduling=true'];

it('one gang gets all devices, the other none', async () => {
  const { out } = await berth(['schedule', '-f', FILE, '-o', 'json', ...GATES], files);
  const { placements } = JSON.parse(out) as { placements: readonly { name: string; status: string }[] };
  const placed = placements.filter(({ status }) => status === 'scheduled').map(({ name }) => name.split('-')[0]);
  expect(placed).toEqual(['bert', 'bert', 'bert', 'bert']);
});

it('the second gang starts when the first has ended', async () => {
  const { code, out } = await berth(['simulate', '-f', FILE, '-o', 'json', ...GATES], files);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ pods: { succeeded: 8, failed: 0 }, jobs: { complete: 2 } });
});
