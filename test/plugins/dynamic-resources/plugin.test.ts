import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import type { ResourceClaim } from '../../../src/api/resource-claims.ts';
import { type EngineName, Scheduler, type SchedulerOptions } from '../../../src/index.ts';
import {
  DRIVER,
  makeDeviceClaim,
  makeDeviceClass,
  makeSlice,
  podWithDevices,
  withDevices,
} from '../../builders/make-devices.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const clock = { nowMillis: () => Date.UTC(2026, 0, 1) };

/** Nodes `a` and `b` with two devices each. */
function start(claims: readonly ResourceClaim[], options: SchedulerOptions = {}): Scheduler {
  const scheduler = new Scheduler({ clock, ...options });
  scheduler.setObject('DeviceClass', makeDeviceClass());
  for (const name of ['a', 'b']) {
    scheduler.addNode(makeNode(name));
    scheduler.setObject('ResourceSlice', makeSlice(name, ['d0', 'd1']));
  }
  for (const claim of claims) scheduler.setObject('ResourceClaim', claim);
  return scheduler;
}

function text(scheduler: Scheduler, pod: Pod): string {
  const result = scheduler.schedule(pod);
  if (result.status === 'scheduled') return result.node;
  return 'message' in result ? result.message : `${result.status}: ${'reasons' in result ? result.reasons.join() : ''}`;
}

describe.each<EngineName>(['reference', 'scalar', 'simd'])('DynamicResources, engine %s', (engine) => {
  it('gives every claim its own devices until there are none left', () => {
    const scheduler = start(
      ['x', 'y', 'z'].map((name) => makeDeviceClaim(name, [2])),
      { engine },
    );
    expect([text(scheduler, podWithDevices('p', ['x'])), text(scheduler, podWithDevices('q', ['y']))].sort()).toEqual([
      'a',
      'b',
    ]);
    expect(text(scheduler, podWithDevices('r', ['z']))).toBe(
      '0/2 nodes are available: 2 cannot allocate all claims. still not schedulable, ' +
        'preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    );
    expect(scheduler.schedule(makePod('plain')).status).toBe('scheduled');
  });

  it('lets pods share a claim where its devices are', () => {
    const scheduler = start([makeDeviceClaim('x', [1])], { engine });
    const node = text(scheduler, podWithDevices('p', ['x']));
    expect(text(scheduler, podWithDevices('q', ['x']))).toBe(node);
    const claim = scheduler.object('ResourceClaim', 'x', 'default');
    expect(claim?.status?.reservedFor?.map(({ name }) => name)).toEqual(['p', 'q']);
    expect(claim?.metadata?.finalizers).toEqual(['resource.kubernetes.io/delete-protection']);
    expect(claim?.status?.allocation).toMatchObject({
      allocationTimestamp: '2026-01-01T00:00:00Z',
      devices: { results: [{ request: 'r0', pool: node, device: 'd0' }] },
      nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ values: [node] }] }] },
    });
  });

  it('waits for claims and classes that do not exist, and explains it', () => {
    const request = { name: 'r', exactly: { deviceClassName: 'nosuch' } };
    const scheduler = start([makeDeviceClaim('x', [request])], { engine });
    expect(text(scheduler, podWithDevices('p', ['missing']))).toBe(
      'gated: could not find ResourceClaim "default/missing"',
    );
    expect(text(scheduler, podWithDevices('q', ['x']))).toContain('request r: device class nosuch does not exist');
  });

  it('gives up a claim that no node can use, but not when it explains', () => {
    const used = withDevices(makeDeviceClaim('x', [1]), 'gone', ['d0']);
    const nodeSelector = {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['gone'] }] }],
    };
    const claim = { ...used, status: { ...used.status, allocation: { ...used.status?.allocation, nodeSelector } } };
    const scheduler = start([claim], { engine });
    const pod = podWithDevices('p', ['x']);
    expect(scheduler.explain(pod).message).toContain('deallocation of ResourceClaim completed');
    expect(scheduler.object('ResourceClaim', 'x', 'default')).toBe(claim);
    expect(text(scheduler, pod)).toContain('2 resourceclaim not available on the node');
    expect(text(scheduler, pod)).toMatch(/^[ab]$/);
  });

  it('gives up the first claim that no node can use, beside claims that every node could', () => {
    const at = (name: string) => {
      const terms = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['gone'] }] }];
      const used = withDevices(makeDeviceClaim(name, [1]), 'gone', [name]);
      const nodeSelector = { nodeSelectorTerms: terms };
      return { ...used, status: { ...used.status, allocation: { ...used.status?.allocation, nodeSelector } } };
    };
    const { nodeSelector: _, ...anywhere } = at('free').status.allocation;
    const free = { ...at('free'), status: { allocation: anywhere } };
    const scheduler = start([makeDeviceClaim('new', [1]), free, at('x'), at('y')], { engine });
    const names = ['new', 'free', 'x', 'y'];
    const left = () =>
      names.filter((name) => scheduler.object('ResourceClaim', name, 'default')?.status?.allocation !== undefined);
    const lists = [left()];
    for (const _round of ['x', 'y']) {
      expect(text(scheduler, podWithDevices('p', names))).toContain('deallocation of ResourceClaim completed');
      lists.push(left());
    }
    expect(lists).toEqual([['free', 'x', 'y'], ['free', 'y'], ['free']]);
  });
});

describe.each<EngineName>(['reference', 'simd'])('alternatives, engine %s', (engine) => {
  it('count where claims get devices, and then those of claims that have some, too', () => {
    const request = (deviceClassName: string) => {
      const firstAvailable = ['nosuch', deviceClassName].map((name) => ({ name, deviceClassName: name }));
      return { name: 'r', firstAvailable };
    };
    const had = makeDeviceClaim('had', [request('gpu')]);
    const device = { request: 'r/gpu', driver: DRIVER, pool: 'elsewhere', device: 'd' };
    const held = { ...had, status: { allocation: { devices: { results: [device] } } } };
    const scheduler = start([held, makeDeviceClaim('new', [request('gpu')])], { engine });
    scheduler.setObject('DeviceClass', makeDeviceClass('nosuch', 'false'));
    const pointsOf = (claims: readonly string[]) => {
      const { nodes } = scheduler.explain(podWithDevices('p', claims));
      return nodes.map((node) => node.scores.find(({ plugin }) => plugin === 'DynamicResources')?.raw);
    };
    expect([pointsOf(['had']), pointsOf(['new']), pointsOf(['had', 'new'])]).toEqual([
      [0, 0],
      [7, 7],
      [14, 14],
    ]);
  });
});

describe('feature gates', () => {
  it('are options by upstream names', () => {
    const either = { name: 'r', firstAvailable: [{ name: 'one', deviceClassName: 'gpu' }] };
    const scheduler = start([makeDeviceClaim('x', [either])], { featureGates: { DRAPrioritizedList: false } });
    expect(text(scheduler, podWithDevices('p', ['x']))).toContain(
      'resource claim default/x, request r: has subrequests, but the DRAPrioritizedList feature is disabled',
    );
    expect(() => start([], { featureGates: { NoSuch: true } as never })).toThrow('there is no such gate');
    expect(() => start([], { featureGates: { DRAPrioritizedList: 1 } as never })).toThrow('neither true nor false');
  });
});

describe('a search that takes too long', () => {
  it('takes any time without the gate DRASchedulerFilterTimeout', () => {
    let nowMillis = 0;
    const ticking = { nowMillis: () => (nowMillis += 100_000) };
    const devices = Array.from({ length: 8 }, (_, i) => ({ name: `d${i}`, attributes: { pair: { int: i % 6 } } }));
    const distinct = { distinctAttribute: 'gpu.example.com/pair' };
    const claim = makeDeviceClaim('x', [1, 1, 1, 1, 1, 1, 1], { constraints: [distinct] });
    const answer = (DRASchedulerFilterTimeout: boolean): string => {
      const scheduler = start([claim], { clock: ticking, featureGates: { DRASchedulerFilterTimeout } });
      for (const name of ['a', 'b']) scheduler.setObject('ResourceSlice', makeSlice(name, devices));
      return text(scheduler, podWithDevices('p', ['x']));
    };
    expect(answer(true)).toContain('2 timed out trying to allocate devices');
    expect(answer(false)).toContain('2 cannot allocate all claims');
  });

  it('ends at the time-out of the filter, node by node', () => {
    // Every look at the clock takes a second. No pair of devices has equal attributes, so that all pairs are tried.
    let nowMillis = 0;
    const ticking = { nowMillis: () => (nowMillis += 1000) };
    const devices = Array.from({ length: 24 }, (_, i) => ({ name: `d${i}`, attributes: { pair: { int: i % 6 } } }));
    const constraints = [{ matchAttribute: 'gpu.example.com/pair' }];
    const scheduler = start([makeDeviceClaim('x', [4, 4, 4, 4, 4, 4, 4, 4], { constraints })], { clock: ticking });
    for (const name of ['a', 'b']) scheduler.setObject('ResourceSlice', makeSlice(name, devices));
    expect(text(scheduler, podWithDevices('p', ['x']))).toContain('2 cannot allocate all claims');
    const distinct = { distinctAttribute: 'gpu.example.com/pair' };
    const hard = makeDeviceClaim('y', [1, 1, 1, 1, 1, 1, 1, 1, 1, 1], { constraints: [distinct] });
    scheduler.setObject('ResourceClaim', hard);
    expect(text(scheduler, podWithDevices('q', ['y']))).toContain('2 timed out trying to allocate devices');
  });
});
