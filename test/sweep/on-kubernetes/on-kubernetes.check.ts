import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RealClock } from '../../../src/lib/clock.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { berth, NODES, pod } from '../../cli/run-berth.ts';
import { runBuilt } from '../../cli/run-built.ts';
import { LocalCluster } from './local-cluster.ts';
import { MISSING_IMAGE } from './local-runtime.ts';
import { ObjectServer } from './object-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-on-kubernetes-'));
const at = (name: string) => join(folder, name);
const cluster = new LocalCluster(folder);

beforeAll(async () => {
  await cluster.start(3);
  writeFileSync(at('kubeconfig'), cluster.kubeconfig);
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

const SWEEP = ['sweep', '--kind', 'hetero,basic', '--nodes', '500', '--pods', '3000', '--tie-break', 'random'];
const onCluster = (seeds: string, name: string, ...more: string[]) => [
  ...[...SWEEP, '--seeds', seeds, '--on', 'kubernetes', '--kubeconfig', at('kubeconfig'), '--shards', '6'],
  ...['--parallelism', '3', '-o', at(name), ...more],
];

/** Waits for something that may take a while on a busy machine. */
async function until(what: () => boolean): Promise<void> {
  for (let turn = 0; !what(); turn++) {
    if (turn === TURNS_MAX) throw new Error(`waited in vain: ${what}`);
    await cluster.sleep(TURN_MILLIS);
  }
}

const TURN_MILLIS = 20;
const TURNS_MAX = 4000;

describe('a sweep on a cluster', () => {
  it('gives the file of one machine, although shards are killed, a node is lost and the API is restarted', async () => {
    const seeds = '1..30';
    const whole = await runBuilt([...SWEEP, '--seeds', seeds, '-o', at('whole.ndjson')]);
    expect(whole.err).toMatch(/60 of 60 runs/);
    const argv = onCluster(seeds, 'merged.ndjson', '--image', 'berth');
    const running = berth(argv);
    const { runtime } = cluster;
    await until(() => runtime.running.length >= 2);
    const [first] = runtime.running;
    runtime.kill(first?.uid ?? '');
    await until(() => runtime.running.every(({ uid }) => uid !== first?.uid));
    await cluster.restartApi();
    await until(() => (runtime.starts.get(first?.index ?? '') ?? 0) > 1);
    const [second] = runtime.running;
    cluster.loseNode(second?.node ?? '');
    const { code, logged, written } = await running;
    expect(code, logged.join('\n')).toBe(0);
    expect(logged.at(-1)).toBe('60 rows of 6 files');
    expect(written[at('merged.ndjson')]).toBe(readFileSync(at('whole.ndjson'), 'utf8'));
    expect(runtime.starts.get(first?.index ?? '')).toBeGreaterThan(1);
    expect(runtime.starts.get(second?.index ?? '')).toBeGreaterThan(1);
    expect(logged.join('\n')).toMatch(/ended with exit code 137/);
    await until(() => cluster.jobs.length === 0);
  });

  it('leaves its shards under a URL, with a plan that one ConfigMap does not hold', async () => {
    // Random labels cannot be compressed, and are no part of what is decided.
    const prng = new Prng(1);
    const noise = Array.from({ length: 150_000 }, () => prng.below(2 ** 32).toString(36)).join('');
    writeFileSync(at('large.yaml'), `# ${noise}\n${NODES}${pod('a', '1')}`);
    const large = (name: string, ...more: string[]) => [
      ...['sweep', '-f', at('large.yaml'), '--tie-break', 'random', '--seeds', '1..6', '-o', at(name), ...more],
    ];
    const server = new ObjectServer(() => true);
    const url = await server.start();
    try {
      await runBuilt(large('large-whole.ndjson'));
      const results = ['--results', `${url}/bucket`, '--shards', '3', '--image', 'berth'];
      const argv = large('large.ndjson', '--on', 'kubernetes', '--kubeconfig', at('kubeconfig'), ...results);
      server.busyRequests = 2;
      const files = { [at('large.yaml')]: readFileSync(at('large.yaml'), 'utf8') };
      const { code, logged, written } = await berth(argv, files);
      expect(code, logged.join('\n')).toBe(0);
      expect(server.objects.size).toBe(3);
      expect(written[at('large.ndjson')]).toBe(readFileSync(at('large-whole.ndjson'), 'utf8'));
      expect(await cluster.configMaps()).toEqual([]);
      // What is left under the URL need not be run again: no process is started.
      const starts = new Map(cluster.runtime.starts);
      const again = await berth([...argv, '--resume'], files);
      expect(again.logged, again.logged.join('\n')).toEqual(['6 rows of 3 files']);
      expect(cluster.runtime.starts).toEqual(starts);
    } finally {
      server.close();
    }
  });

  it('leaves its shards on a volume, where another Job merges them', async () => {
    cluster.makeVolume('scratch');
    const argv = onCluster('1..3', 'volume.ndjson', '--image', 'berth', '--results', 'pvc://scratch/sweeps');
    const { code, logged } = await berth(argv);
    expect(code, logged.join('\n')).toBe(0);
    expect(logged.at(-1)).toBe('6 rows of 6 files: sweeps/volume.ndjson of volume claim default/scratch');
    await runBuilt([...SWEEP, '--seeds', '1..3', '-o', at('beside.ndjson')]);
    const merged = readFileSync(join(folder, 'pods', 'scratch', 'sweeps', 'volume.ndjson'), 'utf8');
    expect(merged).toBe(readFileSync(at('beside.ndjson'), 'utf8'));
    await until(() => cluster.jobs.length === 0);
  });

  it('asks the API for little: two watches, and one log a shard', async () => {
    cluster.requests.clear();
    let podBytes = 0;
    const log = (line: string): void => {
      const bytes = cluster.pods().map((each) => JSON.stringify(each).length);
      podBytes = Math.max(podBytes, ...bytes);
      if (/error/.test(line)) throw new Error(line);
    };
    expect((await berth(onCluster('1..3', 'counted.ndjson', '--image', 'berth'), {}, { log })).code).toBe(0);
    const { 'GET events': events = 0, ...requests } = Object.fromEntries(cluster.requests);
    expect(requests).toEqual({
      // It finds out first that the cluster answers, and that it may do the ten things that a sweep does.
      ...{ 'GET version': 1, 'POST selfsubjectaccessreviews': 10 },
      ...{ 'GET jobs/NAME': 1, 'POST configmaps': 1, 'POST jobs': 1, 'DELETE configmaps': 1, 'DELETE jobs/NAME': 1 },
      ...{ 'GET pods': 1, 'GET jobs': 1, 'WATCH pods': 1, 'WATCH jobs': 1, 'GET pods/log': 6 },
    });
    expect(events).toBeGreaterThan(0);
    // A plan for many shards counts with this size.
    expect(podBytes).toBeGreaterThan(1000);
    expect(podBytes).toBeLessThan(5000);
    await until(() => cluster.jobs.length === 0);
  });

  it('is collected with --resume after Ctrl-C, which leaves the Job', async () => {
    let interrupt = (): void => {};
    const onInterrupt = (listener: () => void) => {
      interrupt = listener;
      return () => {};
    };
    const seeds = '1..3';
    const running = berth(onCluster(seeds, 'resumed.ndjson', '--image', 'berth'), {}, { onInterrupt });
    await until(() => cluster.jobs.length === 1);
    interrupt();
    const stopped = await running;
    expect(stopped.code).toBe(130);
    expect(stopped.logged.at(-1)).toMatch(/^interrupted: the Job goes on; --resume collects it into /);
    const refused = await berth(onCluster(seeds, 'resumed.ndjson', '--image', 'berth'));
    expect(refused.logged.at(-1)).toMatch(/exists already; --resume goes on with it/);
    const { code, logged, written } = await berth(onCluster(seeds, 'resumed.ndjson', '--image', 'berth', '--resume'));
    expect(code, logged.join('\n')).toBe(0);
    expect(logged[0]).toMatch(/is there already: 6 shards$/);
    await runBuilt([...SWEEP, '--seeds', seeds, '-o', at('small.ndjson')]);
    expect(written[at('resumed.ndjson')]).toBe(readFileSync(at('small.ndjson'), 'utf8'));
  });

  it('says within seconds that an image cannot be pulled, and that the Job was deleted', async () => {
    const clock = new RealClock();
    const lines: { readonly line: string; readonly millis: number }[] = [];
    const log = (line: string): void => {
      lines.push({ line, millis: clock.nowMillis() });
    };
    const running = berth(onCluster('1..4', 'never.ndjson', '--image', MISSING_IMAGE), {}, { log });
    const reported = () => lines.find(({ line }) => line.includes('ErrImagePull'));
    await until(() => reported() !== undefined);
    expect(reported()?.line).toContain(`of image ${MISSING_IMAGE}: failed to resolve reference: no such host`);
    const deletedMillis = clock.nowMillis();
    cluster.deleteJob(cluster.jobs[0] ?? '');
    expect((await running).code).toBe(1);
    const last = lines.at(-1);
    expect(last?.line).toMatch(/^error: the Job was deleted by somebody; last: pod .*ErrImagePull/);
    expect((last?.millis ?? 0) - deletedMillis).toBeLessThan(10_000);
  });
});
