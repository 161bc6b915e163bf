import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { berth } from '../cli/run-berth.ts';

const FILE = 'shared-channel.yaml';
const files = { [FILE]: readFileSync(new URL(`../../examples/${FILE}`, import.meta.url), 'utf8') };
const GATES = 'GenericWorkload=true,GangScheduling=true';

async function placed(gates: string): Promise<string[]> {
  const { out } = await berth(['schedule', '-f', FILE, '-o', 'json', '--feature-gates', gates], files);
  const { placements } = JSON.parse(out) as { placements: readonly { name: string; status: string }[] };
  const scheduled = placements.filter(({ status }) => status === 'scheduled');
  return scheduled.map(({ name }) => name.split('-')[0] ?? '').sort();
}

it('two gangs share a channel each, the third has none', async () => {
  expect(await placed(`${GATES},DRAWorkloadResourceClaims=true`)).toEqual(['green', 'green', 'red', 'red']);
});

it('without the gate every pod has a channel of its own, so that one gang gets all', async () => {
  expect(await placed(GATES)).toEqual(['red', 'red']);
});
