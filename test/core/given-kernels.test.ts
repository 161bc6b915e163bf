import { describe, expect, it } from 'vitest';
import { Scheduler } from '../../src/core/scheduler.ts';
import type { SchedulerOptions } from '../../src/core/scheduler-options.ts';
import { readKernels } from '../../src/kernels/load.ts';
import { loadKernels } from '../../src/kernels/load-kernels.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

/** The nodes of pods of changing sizes on nodes of changing sizes, with a zone to spread over. */
function placements(options: SchedulerOptions): (string | null)[] {
  using scheduler = new Scheduler(options);
  for (let i = 0; i < 300; i++) scheduler.addNode(makeNode(`n${i}`, { cpu: 2 + (i % 7), zone: `z${i % 3}` }));
  const topologySpreadConstraints = [
    { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
  ];
  const pods = Array.from({ length: 1000 }, (_, i) => {
    const { spec, ...rest } = makePod(`p${i}`, { requests: { cpu: `${100 + (i % 11) * 100}m` } });
    return { ...rest, spec: i % 5 === 0 ? { ...spec, topologySpreadConstraints } : (spec ?? {}) };
  });
  const results = scheduler.scheduleBatch(pods);
  return pods.map((_, i) => results.nodeName(i));
}

describe.each(['simd', 'scalar'] as const)('given %s kernels', (engine) => {
  const expected = placements({ engine });

  it('decide the same over memory that is not shared', async () => {
    expect(placements({ engine, kernels: await loadKernels({ engine }) })).toEqual(expected);
    expect(expected.filter((node) => node !== null).length).toBeGreaterThan(500);
  });

  it('are taken as bytes, as a buffer and as a module', () => {
    const bytes = readKernels(engine);
    for (const kernels of [bytes, bytes.buffer, new WebAssembly.Module(bytes)]) {
      expect(placements({ engine, kernels })).toEqual(expected);
    }
  });
});

it.each([[null], [42], ['kernels.wasm'], [{}], [new Uint8Array(8)]])(
  'kernels that are none are refused: %j',
  (kernels) => {
    expect(() => new Scheduler({ kernels: kernels as object })).toThrow(
      expect.objectContaining({
        code: 'Invalid',
        message: expect.stringMatching(/^option kernels: this is not a kernel module/),
      }),
    );
  },
);
