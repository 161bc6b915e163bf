import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Pod } from '../../src/api/pod.ts';
import { type EngineName, Scheduler } from '../../src/index.ts';

const FILE = new URL('../../examples/gpu-cluster.yaml', import.meta.url);
const OBJECTS = parseAllDocuments(readFileSync(FILE, 'utf8')).map((document) => document.toJS() as { kind: string });

describe('examples/gpu-cluster.yaml', () => {
  it.each<EngineName>(['reference', 'scalar', 'simd'])('uses up the partitions of the card, engine %s', (engine) => {
    const scheduler = new Scheduler({ engine, clock: { nowMillis: () => 0 } });
    scheduler.load(OBJECTS.filter(({ kind }) => kind !== 'Pod'));
    const pods = OBJECTS.filter(({ kind }) => kind === 'Pod') as Pod[];
    const nodes = pods.map((pod) => {
      const result = scheduler.schedule(pod);
      return [pod.metadata?.name, result.status === 'scheduled' ? result.node : result.status];
    });
    expect(nodes).toEqual([
      ['inference', 'cut'],
      ['inference-metrics', 'cut'],
      ['notebook', 'cut'],
      ['training', 'whole'],
      ['late', 'unschedulable'],
    ]);
    const devices = (claim: string) =>
      scheduler
        .object('ResourceClaim', claim, 'default')
        ?.status?.allocation?.devices?.results?.map((result) => [...[result.request, result.device]]);
    expect(devices('half')).toEqual([['gpu', 'half-0']]);
    expect(devices('half-or-quarter')).toEqual([['gpu/half', 'half-1']]);
  });
});
