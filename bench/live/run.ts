import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Pod } from '../../src/api/pod.ts';
import { RealClock } from '../../src/lib/clock.ts';
import { RealEventLoop } from '../../src/lib/event-loop.ts';
import { percentiles } from '../../src/lib/percentile.ts';
import { connect } from '../../src/live/connect.ts';
import { LiveScheduler, type SilentWatcher } from '../../src/live/live-scheduler.ts';
import { Shadow } from '../../src/live/shadow.ts';
import type { KubeConnection } from '../../src/remote/connection/kube-connection.ts';
import { loadKubeconfig } from '../../src/remote/connection/kubeconfig.ts';
import type { ServerRequest } from './server.ts';

/**
 * Figures of a live scheduler, against `berth serve` in a process of its own: `npm run bench:live -- [NAME...]`. The
 * times and the memory are those of the scheduler's process.
 */
const clock = new RealClock();
const POLL_MILLIS = 20;
const loop = new RealEventLoop(report);

function report(error: unknown, activity = 'a task'): void {
  process.stdout.write(`  reported: ${activity}: ${error instanceof Error ? error.message : error}\n`);
}

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise<void>((resolve) => void loop.after(POLL_MILLIS, resolve));
}

interface Rig {
  readonly live: LiveScheduler;
  readonly users: KubeConnection;
}

/** Runs a scheduler against a fresh server. */
async function withServer(
  request: ServerRequest,
  silent: SilentWatcher | null,
  work: (rig: Rig) => Promise<void>,
): Promise<void> {
  const { server, kubeconfig } = await started(request);
  const open = async () => connect(await loadKubeconfig({ kubeconfig }), loop, { qps: 0 });
  const [connection, users] = [await open(), await open()];
  const modules = { connection, loop, reportError: report, identity: 'bench', lost: () => {} };
  const live = new LiveScheduler(modules, { tieBreak: 'upstream' }, silent);
  await work({ live, users });
  await live.stop();
  await users.close();
  server.kill();
}

async function started(request: ServerRequest): Promise<{ server: ChildProcess; kubeconfig: string }> {
  const argv = ['--import', 'tsx', join(import.meta.dirname, 'server.ts'), JSON.stringify(request)];
  const server = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const kubeconfig = await new Promise<string>((resolve) => {
    server.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  return { server, kubeconfig };
}

const REQUESTS = ['100m', '250m', '500m', '1'];

async function createPods(users: KubeConnection, count: number, atOnce: number, prefix = 'p'): Promise<void> {
  let next = 0;
  const creator = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) {
      const requests = { cpu: REQUESTS[i % REQUESTS.length], memory: `${128 * (1 + (i % 3))}Mi` };
      const body = {
        ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: `${prefix}-${i}`, labels: { app: `a${i % 7}` } } },
        spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests } }] },
      };
      await users.request({ method: 'POST', path: '/api/v1/namespaces/default/pods', body });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, creator));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const FIGURES: Readonly<Record<string, () => Promise<void>>> = {
  /** How long the caches take to fill, and what they need. */
  sync: () =>
    withServer({ nodes: 10_000, boundPods: 100_000 }, null, async ({ live }) => {
      const start = clock.nowMillis();
      const cpu = process.cpuUsage();
      live.start();
      await until(() => live.isReady);
      const seconds = (clock.nowMillis() - start) / 1000;
      const cpuSeconds = process.cpuUsage(cpu).user / 1e6;
      const gib = process.resourceUsage().maxRSS / 2 ** 20;
      print(`sync: 10,000 nodes and 100,000 pods in ${seconds.toFixed(1)} s (CPU ${cpuSeconds.toFixed(1)} s)`);
      print(`      most memory ${gib.toFixed(2)} GiB`);
    }),

  /** The time from the watch event of a pod to the decision about it, one pod at a time. */
  latency: async () => {
    const seen = new Map<string, number>();
    const millis: number[] = [];
    const watcher: SilentWatcher = {
      bound: ({ metadata }) => void millis.push(clock.nowMillis() - (seen.get(metadata?.name ?? '') ?? Number.NaN)),
      statusPatched: () => {},
      deleted: () => {},
      pods: {
        onAdd: ({ metadata }: Pod) => void seen.set(metadata?.name ?? '', clock.nowMillis()),
        onUpdate: () => {},
        onDelete: () => {},
      },
    };
    await withServer({ nodes: 5000, boundPods: 0 }, watcher, async ({ live, users }) => {
      live.start();
      await until(() => live.isReady);
      await createPods(users, 200, 1, 'warm');
      await until(() => millis.length === 200);
      millis.length = 0;
      await createPods(users, 1000, 1);
      await until(() => millis.length === 1000);
      const { p50, p99 } = percentiles(Float64Array.from(millis).sort());
      print(
        `latency: decided after the watch event at 5,000 nodes: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
      );
    });
  },

  /** The CPU time of the scheduler's process for a pod: watching, deciding, binding, events. */
  cpu: () =>
    withServer({ nodes: 5000, boundPods: 0 }, null, async ({ live, users }) => {
      live.start();
      await until(() => live.isReady);
      await createPods(users, 500, 16, 'warm');
      const done = (count: number): Promise<void> => until(async () => (await boundBy(live)) >= count);
      await done(500);
      const cpu = process.cpuUsage();
      const start = clock.nowMillis();
      await createPods(users, 5000, 16);
      await done(5500);
      const { user, system } = process.cpuUsage(cpu);
      const perSecond = 5000 / ((clock.nowMillis() - start) / 1000);
      print(`cpu: ${((user + system) / 5000 / 1000).toFixed(2)} ms a pod at 5,000 nodes, creating the pods included`);
      print(`     ${perSecond.toFixed(0)} pods/s created and bound`);
    }),

  /** Whether it decides as the server's own scheduler. */
  shadow: async () => {
    const shadow = new Shadow(
      () => true,
      ({ pod, here, there, reason }) => print(`  ${pod}: here ${here ?? `none (${reason})`}, there ${there}`),
    );
    const watcher = { ...shadow, pods: shadow } as SilentWatcher;
    await withServer({ nodes: 1000, boundPods: 0, ownScheduler: 'upstream' }, watcher, async ({ live, users }) => {
      live.start();
      await until(() => live.isReady);
      await createPods(users, 10_000, 4);
      const total = () => shadow.summary.agreed + shadow.summary.differed + shadow.summary.undecided;
      await until(() => total() === 10_000);
      const { agreed, differed, undecided } = shadow.summary;
      print(`shadow: of 10,000 decisions ${agreed} agreed, ${differed} differed, ${undecided} came too late`);
    });
  },
};

async function boundBy({ metrics }: LiveScheduler): Promise<number> {
  const text = await metrics.registry.getSingleMetricAsString('scheduler_schedule_attempts_total');
  return Number(/result="scheduled".* (\d+)$/m.exec(text)?.[1] ?? 0);
}

const names = process.argv.slice(2);
for (const name of names.length === 0 ? Object.keys(FIGURES) : names) await FIGURES[name]?.();
loop.close();
