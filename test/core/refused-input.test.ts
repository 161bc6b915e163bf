import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node } from '../../src/api/node.ts';
import type { Pod } from '../../src/api/pod.ts';
import { checkConfiguration, type EngineName, loadConfiguration, Scheduler, SchedulerError } from '../../src/index.ts';
import { NODE_NAMES, named } from '../builders/arbitrary-cluster.ts';
import { arbitraryDeviceObject } from '../builders/arbitrary-devices.ts';
import { type AnyObject, arbitraryObject } from '../builders/arbitrary-objects.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { runs } from '../builders/runs.ts';
import { arbitraryScript, type Script } from './arbitrary-script.ts';
import { ClusterLife, probesOf } from './event-script.ts';
import { expectSame } from './expect-alike.ts';
import { arbitraryBadValue, spoiled } from './spoil.ts';

const numRuns = runs(60);
const ENGINES: readonly EngineName[] = ['reference', 'scalar', 'simd'];

const METHODS = [
  ...([
    'addNode',
    'updateNode',
    'removeNode',
    'addPod',
    'updatePod',
    'removePod',
    'setObject',
    'removeObject',
  ] as const),
  ...(['schedule', 'scheduleBatch', 'explain', 'scheduleAsync', 'explainAsync', 'bindByExtender'] as const),
  ...(['load', 'attach', 'nodes', 'node', 'pods', 'pod', 'object', 'has', 'usage', 'changes'] as const),
  ...(['fork', 'snapshot', 'restore', 'constructor', 'loadConfiguration', 'checkConfiguration'] as const),
] as const;

/** A call of a method with an argument that has something bad in it. */
interface BadCall {
  readonly method: (typeof METHODS)[number];
  readonly place: number;
  readonly bad: unknown;
  readonly which: number;
  readonly object: AnyObject;
}

const arbitraryCall: fc.Arbitrary<BadCall> = fc.record({
  method: fc.constantFrom(...METHODS),
  place: fc.nat(400),
  bad: arbitraryBadValue,
  which: fc.nat(11),
  object: fc.oneof(
    { weight: 3, arbitrary: arbitraryObject(NODE_NAMES.slice(0, 6)) },
    { weight: 1, arbitrary: arbitraryDeviceObject(NODE_NAMES.slice(0, 6)) },
  ),
});

/** Calls a method of a scheduler, and returns its result. */
function call(scheduler: Scheduler, { nodes }: Script, pods: readonly Pod[], bad: BadCall): unknown {
  const spoil = <T>(value: T): T => spoiled(value, bad.place, bad.bad);
  const node: Node = named(nodes[bad.which % Math.max(1, nodes.length)] ?? makeNode('n0'), `n${bad.which}`);
  const pod = pods[bad.which % pods.length] ?? makePod('p');
  switch (bad.method) {
    case 'addNode':
      return scheduler.addNode(spoil(named(node, `new${bad.which}`)));
    case 'updateNode':
      return scheduler.updateNode(spoil(node));
    case 'removeNode':
      return scheduler.removeNode(bad.bad as string);
    case 'addPod':
      return scheduler.addPod(spoil({ ...pod, metadata: { ...pod.metadata, name: `new${bad.which}` } }));
    case 'updatePod':
      return scheduler.updatePod(spoil(pod));
    case 'removePod':
      return scheduler.removePod(bad.place % 2 ? 'default' : (bad.bad as string), bad.bad as string);
    case 'setObject': {
      const { kind, object } = bad.object;
      if (bad.place % 7 === 0) return scheduler.setObject(bad.bad as 'Service', object as object);
      return scheduler.setObject(kind, spoil(object as never));
    }
    case 'removeObject':
      return scheduler.removeObject(
        bad.object.kind,
        bad.bad as string,
        bad.place % 2 ? (bad.bad as string) : 'default',
      );
    case 'schedule':
      return scheduler.schedule(spoil(pod));
    case 'scheduleBatch':
      return [...scheduler.scheduleBatch(spoil(pods.slice(0, 3)))];
    case 'explain':
      return scheduler.explain(spoil(pod));
    case 'load': {
      const items = [
        { kind: 'Node', ...node },
        { kind: 'Pod', ...pod },
        { kind: bad.object.kind, ...bad.object.object },
      ];
      return scheduler.load(spoil({ kind: 'List', items }));
    }
    default:
      return callMore(scheduler, pod, bad);
  }
}

/** A configuration document to be spoiled. */
const DOCUMENT = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  percentageOfNodesToScore: 50,
  profiles: [
    {
      schedulerName: 'a',
      plugins: { multiPoint: { enabled: [{ name: 'NodePorts', weight: 2 }], disabled: [{ name: '*' }] } },
      pluginConfig: [{ name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'MostAllocated' } } }],
    },
  ],
  extenders: [{ urlPrefix: 'http://localhost', filterVerb: 'filter', nodeCacheCapable: false }],
};

/** Calls that read or copy. What they return is left out where it is no plain data, or not the same for two calls. */
function callMore(scheduler: Scheduler, pod: Pod, { method, place, bad }: BadCall): unknown {
  const any = bad as never;
  const spoil = <T>(value: T): T => spoiled(value, place, bad);
  switch (method) {
    case 'attach': {
      const informer = { on: () => {}, off: () => {} };
      const { informers, options } = argumentsOf(
        spoil({ informers: { Node: informer, Pod: informer }, options: { onError: () => {} } }),
      );
      return void scheduler.attach(informers as never, options as never)();
    }
    case 'nodes':
      return scheduler.nodes();
    case 'node':
      return scheduler.node(any);
    case 'pods':
      return scheduler.pods();
    case 'pod':
      return place % 2 ? scheduler.pod('default', any) : scheduler.pod(any, 'p0');
    case 'object':
      return place % 2
        ? scheduler.object(any, 'c0')
        : scheduler.object('ResourceClaim', any, place % 3 ? any : 'default');
    case 'has':
      return place % 3 === 0 ? scheduler.has(any, 'n0') : scheduler.has(place % 3 === 1 ? 'Pod' : 'Node', any, any);
    case 'usage':
      return scheduler.usage();
    case 'changes':
      return void scheduler.changes(spoil({ limit: 3 })).return?.();
    case 'fork':
      return void scheduler.fork().schedule({ ...pod, metadata: { ...pod.metadata, name: 'only-in-the-fork' } });
    case 'snapshot':
      return Scheduler.restore(scheduler.snapshot(), { validate: false }).nodes().length;
    case 'restore': {
      const bytes = scheduler.snapshot();
      if (place % 3 === 0) return void Scheduler.restore(any);
      if (place % 3 === 1) return void Scheduler.restore(bytes, spoil({ seed: 1, tieBreak: 'first', engine: 'simd' }));
      bytes[place % bytes.length] = place;
      return void Scheduler.restore(bytes, { validate: false });
    }
    case 'constructor':
      return void new Scheduler(
        spoil({
          ...{ engine: 'simd', seed: 3, limits: { objects: 9, bytes: 9 }, workers: 1, index: true, plugins: {} },
          ...{ featureGates: { DRAExtendedResource: true }, clock: { nowMillis: () => 0 } },
        }),
      );
    case 'loadConfiguration':
      return loadConfiguration(spoil(DOCUMENT)).profiles.length;
    case 'checkConfiguration':
      return place % 2 ? checkConfiguration(spoil(DOCUMENT)).ok : checkConfiguration(any, any).ok;
    default:
      throw new Error(`${method} returns a promise`);
  }
}

/** Arguments by name, of which all may be missing. */
function argumentsOf<T extends object>(spoiltArguments: T): Partial<T> {
  return Object(spoiltArguments) as Partial<T>;
}

/** Calls a method that returns a promise. */
function callAsync(scheduler: Scheduler, given: Pod, { method, place, bad }: BadCall): Promise<unknown> {
  const { pod, nodeName, options } = argumentsOf(
    spoiled({ pod: given, nodeName: 'n0', options: { deadlineMillis: 60_000 } }, place, bad),
  );
  if (method === 'scheduleAsync') return scheduler.scheduleAsync(pod as Pod, options);
  if (method === 'explainAsync') return scheduler.explainAsync(pod as Pod, options);
  return scheduler.bindByExtender(pod as Pod, nodeName as string, options);
}

/** Makes a call of any method; the result is a promise only of those that return one. */
function make(scheduler: Scheduler, script: Script, pods: readonly Pod[], bad: BadCall): unknown {
  const isAsync = bad.method.endsWith('Async') || bad.method === 'bindByExtender';
  return isAsync
    ? callAsync(scheduler, pods[bad.which % pods.length] ?? makePod('p'), bad)
    : call(scheduler, script, pods, bad);
}

/** The message of a refusal, or null. An error that is thrown must be one that a caller can react to, on one line. */
function refusalOf(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return refusalBy(error);
  }
}

async function asyncRefusalOf(act: () => unknown): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    return refusalBy(error);
  }
}

function refusalBy(error: unknown): string {
  if (!(error instanceof SchedulerError)) throw error;
  expect(['AlreadyExists', 'NotFound', 'Invalid', 'OutOfMemory', 'UnsupportedVersion']).toContain(error.code);
  expect(error.message).toMatch(/^[^\n]{4,1000}$/);
  return `${error.code}: ${error.message}`;
}

test('every public method of a scheduler is called with bad values', () => {
  const own = Object.entries(Object.getOwnPropertyDescriptors(Scheduler.prototype));
  const methods = own.flatMap(([name, { value }]) => (typeof value === 'function' ? [name] : []));
  // `close` takes no argument, and ends the life.
  expect(methods.filter((name) => name !== 'close' && !METHODS.some((method) => method === name))).toEqual([]);
});

describe.each([true, false])('validate: %s', (validate) => {
  test('whatever is refused leaves no trace, on any engine', async () => {
    let refused = 0;
    const refusedMethods = new Set<string>();
    const spoilLife = async (
      script: Script,
      calls: readonly BadCall[],
      engine: EngineName,
      index: boolean,
    ): Promise<void> => {
      const reported = new ClusterLife({ engine, index, validate }, script);
      const untold = new ClusterLife({ engine, index, validate }, script);
      const probes = probesOf(script);
      for (const [step, event] of script.events.entries()) {
        const bad = calls[step % calls.length] as BadCall;
        const label = `${engine}, step ${step}, ${bad.method}, then ${event.do}`;
        let accepted: unknown;
        const refusal = await asyncRefusalOf(async () => {
          accepted = await make(reported.scheduler, script, probes, bad);
        });
        // What fits by chance is done by both.
        if (refusal === null) expectSame(label, await make(untold.scheduler, script, probes, bad), accepted);
        else {
          refused++;
          refusedMethods.add(bad.method);
        }
        expectSame(label, untold.play(event), reported.play(event));
        const explained = ({ scheduler }: ClusterLife) =>
          probes.map((probe) => {
            const got: unknown[] = [];
            const refusal = refusalOf(() => got.push(scheduler.explain(probe)));
            return refusal ?? got[0];
          });
        expectSame(`${label}, explained`, explained(untold), explained(reported));
      }
    };
    await fc.assert(
      fc.asyncProperty(
        arbitraryScript,
        fc.array(arbitraryCall, { minLength: 24, maxLength: 24 }),
        fc.constantFrom(...ENGINES),
        fc.boolean(),
        spoilLife,
      ),
      // A life is long: to shrink it takes minutes, and its seed is printed.
      { numRuns, endOnFailure: true },
    );
    expect(refused).toBeGreaterThan(numRuns);
    // These take no argument, or one of which every value is an answer.
    const neverRefuse = ['nodes', 'pods', 'usage', 'fork', 'snapshot'];
    const wanted = METHODS.filter((method) => !neverRefuse.includes(method));
    if (numRuns >= 60) expect([...refusedMethods]).toEqual(expect.arrayContaining(wanted));
  });
});

const WAYS = ENGINES.flatMap((engine) => [true, false].map((validate) => ({ engine, validate })));
const NO_AMOUNT = 'must be a quantity such as "100m" or "2Gi", not nothing';

describe.each(WAYS)('engine $engine, validate: $validate', (options) => {
  const withStatus = (status: object) => ({ ...makeNode('n1'), status }) as Node;
  test.each<[string, object, string]>([
    ['undefined', { allocatable: { cpu: undefined } }, `Node n1: status.allocatable.cpu: ${NO_AMOUNT}`],
    ['null', { allocatable: { cpu: 4, 'a.com/x': null } }, `Node n1: status.allocatable[a.com/x]: ${NO_AMOUNT}`],
    ['malformed', { allocatable: { cpu: '9x' } }, 'Node n1: status.allocatable.cpu: malformed quantity "9x"'],
    ['NaN', { allocatable: { cpu: Number.NaN } }, 'Node n1: status.allocatable.cpu: malformed quantity NaN'],
    ['no list', { images: 3 }, 'Node n1: status.images: must be a list, not the number 3'],
    ['no text', { images: [{ names: [{}] }] }, 'Node n1: status.images[0].names[0]: must be a string, not an object'],
  ])('a node with a part that is %s is refused, and nothing of it stays', (_, status, message) => {
    const scheduler = new Scheduler(options);
    const images = { app: 5e8 };
    for (const name of ['n1', 'n2']) scheduler.addNode(makeNode(name, { zone: 'z1', images }));
    const before = scheduler.explain(makePod('p', { image: 'app' }));
    const bad = withStatus(status);
    expect(() => scheduler.updateNode(bad)).toThrow(message);
    const other = { ...bad, metadata: { name: 'n3', labels: { 'topology.kubernetes.io/zone': 'z2' } } };
    expect(() => scheduler.addNode(other)).toThrow(message.replace('n1', 'n3'));
    expect(scheduler.explain(makePod('p', { image: 'app' }))).toEqual(before);
    scheduler.addNode(makeNode('n3', { images }));
    expect(scheduler.explain(makePod('p')).nodeOrder).toHaveLength(3);
  });
});

describe.each(WAYS)('engine $engine, validate: $validate', (options) => {
  const withSpec = (spec: object) =>
    ({ metadata: { name: 'p' }, spec: { containers: [{ name: 'a' }], ...spec } }) as Pod;
  test.each<[object, string]>([
    [{ nodeSelector: { disk: null } }, 'Pod default/p: spec.nodeSelector.disk: must be a string, not nothing'],
    [{ overhead: { cpu: undefined } }, `Pod default/p: spec.overhead.cpu: ${NO_AMOUNT}`],
    [{ priority: Number.NaN }, 'Pod default/p: spec.priority: must be an integer, not the number NaN'],
    [
      {
        affinity: {
          podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a', labelSelector: [] }] },
        },
      },
      'Pod default/p: spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: ',
    ],
    [{ tolerations: { key: 'a' } }, 'Pod default/p: spec.tolerations: must be a list, not an object'],
  ])('a pod with %j is refused by every method', (spec, message) => {
    const scheduler = new Scheduler(options);
    scheduler.addNode(makeNode('n1'));
    const pod = withSpec(spec);
    const acts = [
      () => scheduler.addPod(pod),
      () => scheduler.updatePod(pod),
      () => scheduler.schedule(pod),
      () => scheduler.scheduleBatch([makePod('good'), pod]),
      () => scheduler.explain(pod),
    ];
    // Twice: the first refusal must not make the spec a known one.
    for (const act of [...acts, ...acts]) expect(refusalOf(act)).toContain(`Invalid: ${message}`);
    expect(scheduler.schedule(makePod('good'))).toMatchObject({ status: 'scheduled' });
    expect(() => scheduler.removePod('default', 'p')).toThrow('pod default/p is not known');
  });
});

describe.each(WAYS)('engine $engine, validate: $validate', (options) => {
  test('a member that is null is missing', () => {
    const scheduler = new Scheduler(options);
    const { metadata, status } = makeNode('n1');
    scheduler.addNode({ metadata: { ...metadata, annotations: null }, spec: { taints: null }, status } as never);
    const spec = { containers: [{ name: 'a', ports: null, resources: null }], initContainers: null, affinity: null };
    const pod = (name: string) => ({ metadata: { name, labels: null }, spec, status: null }) as never;
    expect([...scheduler.scheduleBatch([pod('a'), pod('b')])]).toMatchObject([{ node: 'n1' }, { node: 'n1' }]);
    expect(scheduler.explain(pod('c')).feasible).toEqual(['n1']);
  });

  test('arguments that are no objects, names or lists', async () => {
    const scheduler = new Scheduler(options);
    const none = undefined as never;
    expect(refusalOf(() => scheduler.addNode(none))).toBe('Invalid: Node: is required');
    expect(refusalOf(() => scheduler.schedule(null as never))).toBe('Invalid: Pod: is required');
    expect(refusalOf(() => scheduler.explain('p' as never))).toContain('Invalid: Pod: must be an object');
    expect(refusalOf(() => scheduler.scheduleBatch(none))).toBe('Invalid: pods: must be a list, not nothing');
    expect(refusalOf(() => scheduler.removeNode(7 as never))).toBe('Invalid: name: must be a string, not the number 7');
    expect(refusalOf(() => scheduler.removePod(none, 'p'))).toBe('Invalid: namespace: must be a string, not nothing');
    expect(refusalOf(() => scheduler.setObject('Secret' as never, {} as never))).toContain(
      'kind: the string "Secret" is no kind',
    );
    expect(refusalOf(() => scheduler.setObject('Service', { spec: {} }))).toContain('Service: metadata: is required');
    await expect(scheduler.scheduleAsync(none)).rejects.toThrow('Pod: is required');
    await expect(scheduler.explainAsync(none)).rejects.toThrow('Pod: is required');
    await expect(scheduler.bindByExtender(makePod('p'), none)).rejects.toThrow('nodeName: must be a string');
    const looped: Record<string, unknown> = { containers: [{ name: 'a' }] };
    looped['self'] = looped;
    const pod = { metadata: { name: 'p' }, spec: looped };
    expect(refusalOf(() => scheduler.schedule(pod))).toContain('is nested too deeply, or contains itself');
  });
});
