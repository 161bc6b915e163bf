import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { recordLife } from '../../bench/record-hour/record-life.ts';
import { replayed } from '../../bench/record-hour/replay-life.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-recorded-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MILLIS = 600_000;

it(
  'a recording of berth serve under load is played with every pod on its node',
  async () => {
    const { file, taken } = await recordLife({ seed: 5, minutes: 0.5, nodes: 30, pauseMillis: 150, folder });
    expect([...taken.keys()]).toEqual(expect.arrayContaining(['job', 'pod', 'scale', 'cordon', 'remove node']));
    const { placements } = await replayed(file);
    expect(placements.differences).toEqual([]);
    expect(placements.same).toBeGreaterThan(100);
  },
  MILLIS,
);
