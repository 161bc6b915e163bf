import { describe, expect, it } from 'vitest';
import { liveDeployment, liveJob, makeSimkubeTrace, simkubeEvent } from '../builders/make-simkube-trace.ts';
import { berth } from './run-berth.ts';

const trace = (...more: readonly object[]) =>
  makeSimkubeTrace([
    simkubeEvent(0, [liveDeployment('web', 2)]),
    simkubeEvent(60, [liveDeployment('web', 5), liveJob('import')]),
    simkubeEvent(600, [], [liveDeployment('web', 5)]),
    ...more,
  ]);
const SIMULATE = ['simulate', '--trace', 't', '--nodes', '2', '--shape', 'cpu=4'];

describe('berth simulate --trace, of SimKube', () => {
  it('plays what users did, with controllers, on the nodes beside it', async () => {
    const { code, out, logged } = await berth([...SIMULATE, '-o', 'json'], { t: trace() });
    expect([code, logged.filter((line) => !line.startsWith('simulated'))]).toEqual([0, []]);
    const summary = JSON.parse(out);
    expect(summary).toMatchObject({ end: 'settled', pods: { created: 6, scheduled: 6 }, jobs: { complete: 1 } });
    expect(Math.floor(summary.simulatedSeconds)).toBe(600);
    expect(summary.placements).toBeUndefined();
  });

  it('checks its manifests as --validate and --strict say', async () => {
    const misspelt = (version: string) =>
      trace(simkubeEvent(700, [{ ...liveJob('a', { complete: 1 }), ...{ apiVersion: version } }]));
    const strict = async (flag: readonly string[], version: string) =>
      (await berth([...SIMULATE, ...flag], { t: misspelt(version) })).logged[0];
    expect(await strict(['--validate', 'strict'], 'batch/v1')).toContain('unknown field "spec.complete"');
    expect(await strict(['--strict'], 'batch/v2')).toContain('unknown kind Job of batch/v2');
  });

  it('is recorded and replayed', async () => {
    const { written } = await berth([...SIMULATE, '--record', 'r'], { t: trace() });
    const { code, logged } = await berth(['simulate', '--replay', 'r'], {
      r: Buffer.from(written['r'] ?? '', 'latin1'),
    });
    expect([code, logged.at(-1)]).toEqual([0, expect.stringMatching(/^r: \d+ lines as recorded$/)]);
  });

  it.each([
    [[...SIMULATE, '--attempts', 'queue'], { t: trace() }, 't: says nothing of attempts: --attempts has no effect'],
    [SIMULATE, { t: trace().subarray(0, 99) }, 't: is cut off: byte 99 is not the last one'],
    [
      SIMULATE,
      { t: trace(simkubeEvent(700, [liveJob('a', { completions: -1 })])) },
      't: events[3].applied_objs[0]: Job shop/a: spec.completions: ',
    ],
    [
      SIMULATE,
      { t: '{"format":"berth-cluster-recording","version":1}' },
      't: has all that happened in a cluster: --nodes',
    ],
  ])('refuses %j', async (argv, files: Record<string, string | Uint8Array>, message) => {
    const { code, logged } = await berth(argv, files);
    expect(code).toBe(1);
    expect(logged).toEqual([expect.stringContaining(`error: ${message}`)]);
  });
});
