import { describe, expect, test } from 'vitest';
import {
  type EngineName,
  loadConfiguration,
  type Pod,
  Scheduler,
  SchedulerError,
  type SchedulerOptions,
  type UserPlugin,
} from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

/** A scheduler with one more plugin, which has these methods. */
function withMethods(methods: object, engine: EngineName = 'simd'): Scheduler {
  const plugins = { Seats: () => ({ name: 'Seats', ...methods }) as UserPlugin };
  const document = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [{ plugins: { multiPoint: { enabled: [{ name: 'Seats' }] } } }],
  };
  return new Scheduler({ engine, plugins, configuration: loadConfiguration(document, { plugins }) });
}

const DOCUMENT = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };
/** A copy by way of JSON, with big integers as texts. */
const asJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each)));

const ROOM = { allocatable: { cpu: '4', memory: '8Gi', pods: 10 } };

describe('a plugin in the way', () => {
  test.each<[string, object, object]>([
    [
      'rejects',
      { code: 'Unschedulable', reasons: ['no seat'] },
      { status: 'unschedulable', message: '0/1 nodes are available: 1 no seat.' },
    ],
    ['fails', { code: 'Error', reasons: ['no seat'] }, { status: 'error' }],
  ])('by Reserve, which %s, leaves nothing charged', (_, status, result) => {
    const calls: string[] = [];
    const methods = {
      reserve: () => status,
      unreserve: () => {
        calls.push('unreserve');
      },
    };
    const scheduler = withMethods(methods);
    scheduler.addNode(makeNode('n', ROOM));
    expect(scheduler.schedule(makePod('p'))).toMatchObject(result);
    expect([...scheduler.scheduleBatch([makePod('q')])]).toMatchObject([result]);
    expect([calls, scheduler.pods()]).toEqual([['unreserve', 'unreserve'], []]);
  });

  test('of one pod of a batch loses nothing that was placed', () => {
    const explosive = (): never => {
      throw new Error('this is a mistake of the scheduler');
    };
    const scheduler = new Scheduler({
      tracer: {
        rare: () => null,
        work: () => {},
        eachPod: true,
        begin: (pod: Pod) => (pod.metadata?.name === 'bad' ? explosive() : null),
      } as never,
    });
    scheduler.addNode(makeNode('n', ROOM));
    const results = scheduler.scheduleBatch(['a', 'bad', 'b'].map((name) => makePod(name)));
    expect([...results].map(({ status }) => status)).toEqual(['scheduled', 'error', 'scheduled']);
    expect(scheduler.pods().length).toBe(2);
  });
});

describe.each<EngineName>(['reference', 'scalar', 'simd'])('within a decision, engine %s', (engine) => {
  const CALLS: readonly [string, (scheduler: Scheduler) => unknown][] = [
    ['addNode', (scheduler) => scheduler.addNode(makeNode('new', ROOM))],
    ['updateNode', (scheduler) => scheduler.updateNode(makeNode('a', ROOM))],
    ['removeNode', (scheduler) => scheduler.removeNode('a')],
    ['addPod', (scheduler) => scheduler.addPod(makePod('new', { nodeName: 'a' }))],
    ['updatePod', (scheduler) => scheduler.updatePod(makePod('p'))],
    ['removePod', (scheduler) => scheduler.removePod('default', 'p')],
    ['setObject', (scheduler) => scheduler.setObject('Namespace', { metadata: { name: 'x' } })],
    ['removeObject', (scheduler) => scheduler.removeObject('Namespace', 'known')],
    ['load', (scheduler) => scheduler.load([{ kind: 'Node', ...makeNode('new', ROOM) }])],
    ['schedule', (scheduler) => scheduler.schedule(makePod('inner'))],
    ['scheduleBatch', (scheduler) => scheduler.scheduleBatch([makePod('inner')])],
    ['explain', (scheduler) => scheduler.explain(makePod('inner'))],
    ['fork', (scheduler) => scheduler.fork()],
    ['snapshot', (scheduler) => scheduler.snapshot()],
  ];
  const HOOKS = ['preFilter', 'filter', 'score', 'reserve'] as const;

  test.each(CALLS)('a plugin cannot call %s, and its error does no harm', (_, call) => {
    for (const hook of HOOKS) {
      const refusals: unknown[] = [];
      let scheduler: Scheduler | null = null;
      const misbehave = (): unknown => {
        try {
          if (scheduler !== null) call(scheduler);
        } catch (error) {
          refusals.push(error);
        }
        return hook === 'score' ? 1 : null;
      };
      const methods = { [hook]: misbehave, ...(hook === 'reserve' && { unreserve: () => {} }) };
      const newScheduler = (isBad: boolean): Scheduler => {
        const made = withMethods(isBad ? methods : { ...methods, [hook]: () => (hook === 'score' ? 1 : null) }, engine);
        for (const name of ['a', 'b']) made.addNode(makeNode(name, ROOM));
        made.setObject('Namespace', { metadata: { name: 'known' } });
        return made;
      };
      const control = newScheduler(false);
      scheduler = newScheduler(true);
      const pods = ['p', 'q', 'r'].map((name) => makePod(name, { requests: { cpu: 1 } }));
      expect(pods.slice(0, 1).map((pod) => scheduler?.schedule(pod))).toEqual([control.schedule(pods[0] as Pod)]);
      expect([...scheduler.scheduleBatch(pods.slice(1))]).toEqual([...control.scheduleBatch(pods.slice(1))]);
      expect(refusals.length).toBeGreaterThan(0);
      for (const error of refusals) expect(error).toMatchObject({ name: 'SchedulerError', code: 'Conflict' });
      expect(scheduler.nodes()).toEqual(control.nodes());
      expect(scheduler.pods()).toEqual(control.pods());
    }
  });
});

describe('an object that cannot be read', () => {
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error('a trap\nof two lines');
      },
    },
  ) as never;

  test.each<[string, (scheduler: Scheduler) => unknown]>([
    ['addNode', (scheduler) => scheduler.addNode(trap)],
    ['updateNode', (scheduler) => scheduler.updateNode(trap)],
    ['addPod', (scheduler) => scheduler.addPod(trap)],
    ['updatePod', (scheduler) => scheduler.updatePod(trap)],
    ['setObject', (scheduler) => scheduler.setObject('Service', trap)],
    ['load', (scheduler) => scheduler.load(trap)],
    ['schedule', (scheduler) => scheduler.schedule(trap)],
    ['scheduleBatch', (scheduler) => scheduler.scheduleBatch([makePod('good'), trap])],
    ['explain', (scheduler) => scheduler.explain(trap)],
    ['a pod of which only a part', (scheduler) => scheduler.schedule({ ...makePod('p'), spec: trap })],
  ])('is refused by %s', (_, act) => {
    const scheduler = new Scheduler();
    scheduler.addNode(makeNode('n', ROOM));
    expect(() => act(scheduler)).toThrow(
      expect.objectContaining({ code: 'Invalid', message: expect.not.stringMatching(/\n/) }),
    );
    expect(() => act(scheduler)).toThrow('a trap');
    expect([scheduler.nodes().length, scheduler.pods()]).toEqual([1, []]);
  });
});

describe('options', () => {
  test.each<[string, unknown, string]>([
    ['no object', null, 'option: must be an object'],
    ['an unknown name', { tiebreak: 'first' }, 'option "tiebreak": there is no such option'],
    ['an unreadable value', { engine: Symbol('x') }, 'option engine: '],
    ['a wrong configuration', { configuration: {} }, 'option configuration: must be what loadConfiguration returns'],
    [
      'a configuration that was copied as JSON',
      { configuration: asJson(loadConfiguration(DOCUMENT)) },
      'option configuration: must be what loadConfiguration returns',
    ],
    [
      'an extender that is nothing',
      { configuration: { ...loadConfiguration(DOCUMENT), extenders: [null] } },
      'must be',
    ],
    ['a list of limits', { limits: [] }, 'option limits: '],
    ['a tracer without methods', { tracer: { begin: () => null } }, 'option tracer: it has no method rare'],
    ['a transport without methods', { extenderTransport: {} }, 'option extenderTransport: it has no method send'],
    ['a list of plugins', { plugins: [] }, 'option plugins: must be an object'],
    ['a plugin that nobody can make', { plugins: 7 }, 'option plugins: must be an object'],
  ])('%s is refused', (_, options, message) => {
    let found: unknown;
    try {
      new Scheduler(options as SchedulerOptions);
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(SchedulerError);
    expect(found).toMatchObject({ name: 'SchedulerError', code: 'Invalid', message: expect.stringContaining(message) });
  });
});

describe('objects that were handed in', () => {
  test('are frozen if the caller wants that', () => {
    const scheduler = new Scheduler({ freeze: true });
    const node = makeNode('n', ROOM);
    scheduler.addNode(node);
    expect(() => {
      (node.metadata as { name: string }).name = 'other';
    }).toThrow(TypeError);
    const pod = makePod('p');
    scheduler.schedule(pod);
    expect(Object.isFrozen(pod.spec?.containers?.[0])).toBe(true);
  });

  test('of all kinds are checked', () => {
    const labels = { 'topology.kubernetes.io/zone': 3 } as unknown as Record<string, string>;
    const volume = { metadata: { name: 'v', labels }, spec: {} };
    expect(() => new Scheduler().setObject('PersistentVolume', volume)).toThrow('metadata.labels');
  });
});

test('columns of a plugin are copies: whatever it writes into them, the cluster stays as it is', () => {
  const scheduler = withMethods({
    filterReads: 'node',
    scoreReads: 'node',
    dependsOn: () => null,
    columnStatuses: () => [{ code: 'Unschedulable', reasons: ['x'] }],
    filter: () => null,
    filterColumns: (_pod: unknown, nodes: { resource(name: string): Record<string, Float64Array> }) => {
      for (const name of ['cpu', 'memory', 'pods'])
        for (const column of Object.values(nodes.resource(name))) column.fill(0);
    },
  });
  scheduler.addNode(makeNode('n', ROOM));
  expect(scheduler.schedule(makePod('p', { requests: { cpu: 1 } }))).toMatchObject({ status: 'scheduled' });
  expect(scheduler.schedule(makePod('q', { requests: { cpu: 3 } }))).toMatchObject({ status: 'scheduled' });
  expect(scheduler.schedule(makePod('r', { requests: { cpu: 1 } }))).toMatchObject({ status: 'unschedulable' });
});

describe('loadConfiguration', () => {
  const document = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };

  test('throws what is wrong with the document', () => {
    expect(loadConfiguration(document).profiles.length).toBe(1);
    expect(() => loadConfiguration({ ...document, parallelism: -1 })).toThrow(
      expect.objectContaining({ code: 'Invalid', message: expect.stringContaining('parallelism') }),
    );
  });

  test.each<[unknown, unknown]>([
    [7, undefined],
    [null, undefined],
    [document, { plugin: {} }],
    [document, { plugins: 7 }],
    ['a: [', undefined],
  ])('refuses %o with %o', (source, options) => {
    expect(() => loadConfiguration(source as string, options as never)).toThrow(SchedulerError);
  });
});
