import { describe, expect, it } from 'vitest';
import { checkConfiguration } from '../../src/caller/load-configuration.ts';
import { API_VERSION } from '../../src/config/decode/group-version.ts';
import { storeApi } from '../../src/scheduler/store-api.ts';
import { conflict, internalError } from '../../src/store/objects/api-error.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { SchedulerRig } from './scheduler-rig.ts';

function configuration(more: object) {
  const loaded = checkConfiguration({ apiVersion: API_VERSION, kind: 'KubeSchedulerConfiguration', ...more });
  if (!loaded.ok) throw new Error(loaded.errors[0]?.message);
  return loaded.configuration;
}

function conditionOf(rig: SchedulerRig, name: string) {
  const found = rig.pod(name).status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return found && { status: found.status, reason: found.reason, message: found.message };
}

describe('a scheduler on a store', () => {
  it('binds pods, and says so', () => {
    const rig = new SchedulerRig();
    rig.store.create('nodes', makeNode('n'));
    rig.store.create('pods', makePod('p'));
    rig.runMillis(10);
    expect(rig.nodeOf('p')).toBe('n');
    expect(conditionOf(rig, 'p')).toMatchObject({ status: 'True' });
    expect(rig.events).toEqual([{ pod: 'p', reason: 'Scheduled', note: 'Successfully assigned default/p to n' }]);
  });

  it('knows of every write before its decision, however close', () => {
    const rig = new SchedulerRig();
    for (const name of ['a', 'b']) rig.store.create('nodes', makeNode(name));
    rig.runMillis(10);
    rig.store.create('pods', makePod('p'));
    while (rig.scheduler.queue.queuedPod(rig.pod('p').metadata?.uid ?? '') === undefined) rig.loop.step();
    rig.store.patch('nodes', '', 'a', { type: 'merge', body: { spec: { unschedulable: true } } });
    rig.runMillis(10);
    expect(rig.nodeOf('p')).toBe('b');
  });

  it('tries a held pod only when it is told to', () => {
    const rig = new SchedulerRig({}, () => ({ isHeld: (uid) => uid !== tried }));
    let tried = '';
    rig.store.create('nodes', makeNode('n'));
    rig.store.create('pods', makePod('p'));
    rig.runMillis(1000);
    expect(rig.nodeOf('p')).toBe('');
    tried = rig.pod('p').metadata?.uid ?? '';
    expect(rig.scheduler.scheduleOutOfTurn(tried)).toBe(true);
    expect(rig.nodeOf('p')).toBe('n');
    expect(rig.scheduler.scheduleOutOfTurn(tried)).toBe(false);
  });

  it('takes its own options beside those of a scheduler without a store, and refuses others', () => {
    const options = { assumedPodTtlMillis: 1000, queueingHints: false, seed: 1 };
    expect(() => new SchedulerRig(options)).not.toThrow();
    const misspelt = { ...options, queueingHint: true };
    expect(() => new SchedulerRig(misspelt)).toThrow('option "queueingHint": there is no such option');
  });

  it('finds what was there before it came', () => {
    const rig = new SchedulerRig();
    rig.scheduler.stop();
    rig.store.create('nodes', makeNode('n'));
    rig.store.create('pods', makePod('p'));
    rig.runMillis(10);
    expect(rig.nodeOf('p')).toBe('');
    rig.scheduler.start();
    rig.runMillis(200);
    expect(rig.nodeOf('p')).toBe('n');
  });

  it('leaves pods alone that name nobody of its profiles, and gives each profile its own plugins', () => {
    const packed = {
      schedulerName: 'packing',
      pluginConfig: [
        {
          name: 'NodeResourcesFit',
          args: { scoringStrategy: { type: 'MostAllocated', resources: [{ name: 'cpu', weight: 1 }] } },
        },
      ],
    };
    const profiles = [{ schedulerName: 'default-scheduler' }, packed];
    const rig = new SchedulerRig({ configuration: configuration({ profiles }) });
    for (const name of ['a', 'b']) rig.store.create('nodes', makeNode(name, { cpu: 8 }));
    rig.runMillis(10);
    const create = (name: string, schedulerName: string) => {
      rig.store.create('pods', makePod(name, { requests: { cpu: 2 }, spec: { schedulerName } }));
      rig.runMillis(10);
      return rig.nodeOf(name);
    };
    const first = create('p1', 'packing');
    expect(create('p2', 'packing')).toBe(first);
    expect(create('p3', 'default-scheduler')).not.toBe(first);
    expect(create('p4', 'somebody-else')).toBe('');
    expect(rig.events.map(({ pod }) => pod)).toEqual(['p1', 'p2', 'p3']);
  });

  it('waits as the configuration says before it tries again', () => {
    const bound: number[] = [];
    let refusals = 3;
    const rig = new SchedulerRig(
      { configuration: configuration({ podInitialBackoffSeconds: 4, podMaxBackoffSeconds: 6 }) },
      ({ loop, store }) => ({
        api: {
          ...storeApi(store),
          bindPod(pod, nodeName) {
            bound.push(loop.nowMillis());
            if (refusals-- > 0) throw conflict('pods', 'p', 'no');
            return storeApi(store).bindPod(pod, nodeName);
          },
        },
      }),
    );
    rig.store.create('nodes', makeNode('n'));
    rig.store.create('pods', makePod('p'));
    rig.runMillis(60_000);
    const waits = bound.slice(1).map((millis, i) => Math.floor((millis - (bound[i] ?? 0)) / 1000));
    // A wait ends with the whole second behind it.
    expect(waits).toEqual([5, 7, 7]);
    expect(rig.nodeOf('p')).toBe('n');
  });

  it('reports why a pod could not be bound, retries the report, and gives back what it took', () => {
    let patches = 0;
    const rig = new SchedulerRig({}, ({ store }) => ({
      api: {
        ...storeApi(store),
        bindPod: () => {
          throw internalError('etcd');
        },
        patchPodStatus(...args) {
          if (patches++ < 3) throw internalError('etcd');
          storeApi(store).patchPodStatus(...args);
        },
      },
    }));
    rig.store.create('nodes', makeNode('n'));
    rig.store.create('pods', makePod('p', { requests: { cpu: 3 } }));
    rig.runMillis(10);
    expect(conditionOf(rig, 'p')).toEqual({
      status: 'False',
      reason: 'SchedulerError',
      message: 'running Bind plugin "DefaultBinder": Internal error occurred: etcd',
    });
    expect(patches).toBe(4);
    expect(rig.scheduler.cache.podCount).toBe(0);
    expect(rig.scheduler.cache.cluster.node('n')?.requested.milliCPU).toBe(0);
  });

  it('forgets a bound pod that no watch ever shows, when assumed pods expire', () => {
    const rig = new SchedulerRig({ assumedPodTtlMillis: 30_000 }, ({ store }) => ({
      api: { ...storeApi(store), bindPod: () => undefined },
    }));
    rig.store.create('nodes', makeNode('n'));
    rig.store.create('pods', makePod('p'));
    rig.runMillis(10);
    expect(rig.scheduler.cache.assumedCount).toBe(1);
    rig.runMillis(29_000);
    expect(rig.scheduler.cache.assumedCount).toBe(1);
    rig.runMillis(2000);
    expect([rig.scheduler.cache.assumedCount, rig.scheduler.cache.podCount]).toEqual([0, 0]);
  });

  it('takes pods that have ended for gone', () => {
    const rig = new SchedulerRig();
    rig.store.create('nodes', makeNode('n', { cpu: 2 }));
    rig.store.create('pods', makePod('old', { requests: { cpu: 2 } }));
    rig.runMillis(10);
    rig.store.create('pods', makePod('new', { requests: { cpu: 2 } }));
    rig.runMillis(10);
    expect(rig.nodeOf('new')).toBe('');
    rig.store.updateStatus('pods', { ...rig.pod('old'), status: { ...rig.pod('old').status, phase: 'Succeeded' } });
    rig.runMillis(10);
    expect(rig.nodeOf('new')).toBe('n');
    rig.store.delete('pods', 'default', 'old');
    rig.runMillis(10);
    expect(rig.scheduler.cache.podCount).toBe(1);
  });

  it('evicts pods of lower priority, and binds to the room that they leave', () => {
    const rig = new SchedulerRig();
    rig.store.create('priorityclasses', { metadata: { name: 'high' }, value: 1000 });
    rig.store.create('nodes', makeNode('n', { cpu: 2 }));
    rig.store.create('pods', makePod('low', { requests: { cpu: 2 } }));
    rig.runMillis(10);
    rig.store.create('pods', makePod('high', { requests: { cpu: 1 }, spec: { priorityClassName: 'high' } }));
    rig.runMillis(10);
    expect(rig.pod('low').metadata?.deletionTimestamp).toBeDefined();
    expect(rig.pod('high').status?.nominatedNodeName).toBe('n');
    rig.store.delete('pods', 'default', 'low', { gracePeriodSeconds: 0 });
    rig.runMillis(10);
    expect(rig.nodeOf('high')).toBe('n');
    expect(rig.pod('high').status?.nominatedNodeName).toBeUndefined();
    expect(rig.events.map(({ pod, reason }) => `${pod} ${reason}`)).toEqual([
      'low Scheduled',
      'high FailedScheduling',
      'low Preempted',
      'high Scheduled',
    ]);
  });
});
