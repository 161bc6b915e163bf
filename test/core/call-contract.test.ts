import { describe, expect, test } from 'vitest';
import {
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
function withMethods(methods: object): Scheduler {
  const plugins = { Seats: () => ({ name: 'Seats', ...methods }) as UserPlugin };
  const document = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [{ plugins: { multiPoint: { enabled: [{ name: 'Seats' }] } } }],
  };
  return new Scheduler({ plugins, configuration: loadConfiguration(document, { plugins }) });
}

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

describe('options', () => {
  test.each<[string, unknown, string]>([
    ['no object', null, 'option: must be an object'],
    ['an unknown name', { tiebreak: 'first' }, 'option "tiebreak": there is no such option'],
    ['an unreadable value', { engine: Symbol('x') }, 'option engine: '],
    ['a wrong configuration', { configuration: {} }, 'option configuration: must be what loadConfiguration returns'],
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
