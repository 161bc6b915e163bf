/** Pods with bound claims, which are placed in runs with other pods. */
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { TopologyRun } from '../../src/engine/topology-run/topology-run.ts';
import { type Pod, type PodSpec, Scheduler, type SchedulerOptions } from '../../src/index.ts';
import { Prng } from '../../src/lib/prng.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { claimVolume, makeClaim, makeStorageClass, makeVolume } from '../builders/make-storage.ts';
import { runs } from '../builders/runs.ts';

const numRuns = runs(20);

const LITTLE_ROOM = { objects: 3, bytes: Number.POSITIVE_INFINITY };
const ENGINES = ['reference', 'simd', 'scalar'] as const;
const ZONE = 'topology.kubernetes.io/zone';
const ZONES = ['a', 'b', 'c'];

const enqueue = vi.spyOn(TopologyRun.prototype, 'enqueue');
afterAll(() => enqueue.mockRestore());

const options: fc.Arbitrary<SchedulerOptions> = fc.constantFrom(
  { tieBreak: 'first', percentageOfNodesToScore: 100 },
  { tieBreak: 'first', percentageOfNodesToScore: 100 },
  { tieBreak: 'upstream', percentageOfNodesToScore: 100 },
  { tieBreak: 'upstream', percentageOfNodesToScore: 80 },
);

const app = fc.record({
  /** Claims of each pod; those of `odd` apps are bound by the scheduler, or used by one pod alone. */
  claims: fc.constantFrom(0, 1, 1, 1, 2),
  odd: fc.constantFrom('', '', '', '', 'unbound', 'exclusive'),
  rule: fc.constantFrom('none', 'none', 'none', 'spread', 'apart', 'port', 'prefer'),
  cpuMilli: fc.constantFrom(100, 300, 900),
  /** In which way the volumes of the app name their zones. */
  by: fc.constantFrom('affinity', 'label', 'nothing'),
});

const script = fc.record({
  options,
  nodeCount: fc.constantFrom(16, 30, 30, 120),
  tainted: fc.boolean(),
  /** The lowest number of volumes that a driver can attach to a node, and how many more some nodes take. */
  fewest: fc.constantFrom(2, 6, 20),
  more: fc.nat(4),
  apps: fc.array(app, { minLength: 2, maxLength: 3 }),
  bursts: fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 24 })), { minLength: 6, maxLength: 12, size: 'max' }),
  batches: fc.constantFrom(1, 3, 8),
  changes: fc.boolean(),
  /** With little room the engines give up what they know every few shapes of pods. */
  hasRoom: fc.boolean(),
  seed: fc.nat(1000),
});

function specOf(rule: string, name: string): Partial<PodSpec> {
  const labelSelector = { matchLabels: { app: name } };
  const term = { labelSelector, topologyKey: 'kubernetes.io/hostname' };
  const soft = { ...term, maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' as const };
  const preferred = [{ weight: 50, podAffinityTerm: term }];
  if (rule === 'spread') return { topologySpreadConstraints: [soft, { ...soft, topologyKey: ZONE }] };
  if (rule === 'apart')
    return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
  if (rule === 'prefer') {
    return { affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } } };
  }
  return {};
}

type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

const ALLOCATABLE = { cpu: '4', memory: '8Gi', pods: '20' };

function addNodes(scheduler: Scheduler, { nodeCount, tainted, fewest, more }: Script, prng: Prng): void {
  for (let i = 0; i < nodeCount; i++) {
    const labels = { [ZONE]: ZONES[prng.below(3)] as string };
    const taints = tainted && i % 3 === 0 ? [{ key: 'spot', effect: 'PreferNoSchedule' as const }] : [];
    scheduler.addNode(makeNode(`n${i}`, { labels, taints, allocatable: ALLOCATABLE }));
    const allocatable = { count: fewest + prng.below(more + 1) };
    const drivers = [{ name: 'csi.example', nodeID: `n${i}`, topologyKeys: [], allocatable }];
    if (i % 7 > 0) scheduler.setObject('CSINode', { metadata: { name: `n${i}` }, spec: { drivers } });
  }
}

/** Changes what nodes look like to filters, so that kept answers are given up. */
function changeNodes(scheduler: Scheduler, { nodeCount }: Script, prng: Prng, step: number): void {
  const labels = { [ZONE]: ZONES[prng.below(3)] as string, ...(prng.below(2) === 0 && { rack: `r${step}` }) };
  scheduler.updateNode(makeNode(`n${prng.below(nodeCount)}`, { labels, allocatable: ALLOCATABLE }));
  scheduler.addNode(makeNode(`m${step}`, { labels: { [ZONE]: `d${step}` }, allocatable: ALLOCATABLE }));
}

function addClaim(scheduler: Scheduler, { odd, by }: Script['apps'][number], claim: string, zone: string): void {
  const labels = by === 'label' ? { [ZONE]: zone } : {};
  const terms = [{ matchExpressions: [{ key: ZONE, operator: 'In', values: [zone] }] }];
  const spec = by === 'affinity' ? { nodeAffinity: { required: { nodeSelectorTerms: terms } } } : {};
  const accessModes = [odd === 'exclusive' ? 'ReadWriteOncePod' : 'ReadWriteOnce'];
  const bound = odd === 'unbound' ? {} : { volume: `v-${claim}` };
  scheduler.setObject('PersistentVolume', makeVolume(`v-${claim}`, { labels, spec }));
  scheduler.setObject('PersistentVolumeClaim', makeClaim(claim, { spec: { accessModes }, ...bound }));
}

/** The pods of the script, whose claims are there. */
function podsOf(scheduler: Scheduler, { apps, bursts }: Script, prng: Prng): Pod[] {
  const pods: Pod[] = [];
  for (const [number, count] of bursts) {
    const app = apps[number % apps.length] as Script['apps'][number];
    const label = `app-${number % apps.length}`;
    for (let i = 0; i < count; i++) {
      const name = `p${pods.length}`;
      const names = Array.from({ length: app.claims }, (_, k) => `${name}-${k}`);
      for (const claim of names) addClaim(scheduler, app, claim, ZONES[prng.below(3)] as string);
      const ports = app.rule === 'port' ? { ports: [{ containerPort: 80, hostPort: 8080 }] } : {};
      const pod = makePod(name, { requests: { cpu: `${app.cpuMilli}m` }, ...ports });
      const spec = { ...(pod.spec as PodSpec), ...specOf(app.rule, label), volumes: names.map(claimVolume) };
      pods.push({ ...pod, metadata: { ...pod.metadata, labels: { app: label } }, spec });
    }
  }
  return pods;
}

function played(given: Script, engine: (typeof ENGINES)[number]): unknown[] {
  const prng = new Prng(given.seed);
  const scheduler = new Scheduler({ ...given.options, engine, ...(!given.hasRoom && { limits: LITTLE_ROOM }) });
  scheduler.setObject('StorageClass', makeStorageClass('wait', { provisioner: 'csi.example' }));
  addNodes(scheduler, given, prng);
  const pods = podsOf(scheduler, given, prng);
  const size = Math.ceil(pods.length / given.batches);
  const results: unknown[] = [];
  for (let from = 0; from < pods.length; from += size) {
    results.push(...scheduler.scheduleBatch(pods.slice(from, from + size)));
    if (given.changes) changeNodes(scheduler, given, prng, from);
  }
  return results;
}

test('they go where the reference engine places them', () => {
  fc.assert(
    fc.property(script, (given) => {
      const [expected, ...outcomes] = ENGINES.map((engine) => played(given, engine));
      for (const outcome of outcomes) expect(outcome).toEqual(expected);
    }),
    { numRuns },
  );
});

test('pods with claims are part of runs', () => {
  const masked = enqueue.mock.calls.filter(([, , , masks], i) => masks && enqueue.mock.results[i]?.value === true);
  expect(masked.length).toBeGreaterThan(50);
});
