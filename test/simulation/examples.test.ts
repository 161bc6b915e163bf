import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadText } from './simulate-text.ts';

const textOf = (name: string) => readFileSync(new URL(`../../examples/simulation/${name}`, import.meta.url), 'utf8');

describe('the examples', () => {
  it('can be read', async () => {
    const files = { 'objects.yaml': textOf('pi.yaml'), w: textOf('workload.yaml'), f: textOf('faults.yaml') };
    const { input, warnings } = await loadText(files, { workload: 'w', faults: 'f', nodes: 1 });
    expect(warnings).toEqual([]);
    expect(input.objects.map(({ resource }) => resource)).toEqual(['nodes', 'jobs']);
    expect(input.sources).toHaveLength(2);
    expect(input.faults).toHaveLength(8);
    const rollout = await loadText({ w: textOf('rollout.yaml') }, { workload: 'w', nodes: 3 });
    expect(rollout.input.changes).toHaveLength(3);
  });
});
