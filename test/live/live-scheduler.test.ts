import { describe, expect, it, vi } from 'vitest';
import { Shadow } from '../../src/live/shadow.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { LiveRig } from './live-rig.ts';

const WAIT = { timeout: 10_000, interval: 20 };

describe('a scheduler of a served cluster', () => {
  it('binds pods, and records events', async () => {
    await using rig = await LiveRig.open();
    await rig.scheduler();
    await rig.createPods(20);
    await vi.waitFor(() => expect(rig.boundCount()).toBe(20), WAIT);
    const { store } = rig.served.cluster;
    await vi.waitFor(() => expect(store.list('events').items.length).toBe(20), WAIT);
    expect(rig.reported).toEqual([]);
  });

  it('says in the status why a pod does not fit, and binds it when a node comes', async () => {
    await using rig = await LiveRig.open({ nodes: 1, shapes: ['cpu=1'] });
    await rig.scheduler({}, {});
    await rig.createPods(2);
    const conditions = () => rig.pods().flatMap(({ status }) => status?.conditions ?? []);
    await vi.waitFor(
      () =>
        expect(conditions().map(({ message }) => message)).toContainEqual(
          expect.stringContaining('0/1 nodes are available: 1 Insufficient cpu'),
        ),
      WAIT,
    );
    const [node] = rig.served.cluster.store.list('nodes').items;
    const { name: _, uid: _uid, resourceVersion: _version, ...metadata } = node?.metadata ?? {};
    await rig.served.create({ ...node, metadata: { ...metadata, name: 'later' } });
    await vi.waitFor(() => expect(rig.boundCount()).toBe(2), WAIT);
  });

  it('evicts pods of lower priority, one after the other', async () => {
    await using rig = await LiveRig.open({ nodes: 1, shapes: ['cpu=2'], agents: true });
    const priorityClass = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'high' },
      value: 10,
    };
    await rig.served.create(priorityClass);
    await rig.scheduler();
    await rig.createPods(2, () => ({ spec: { terminationGracePeriodSeconds: 0 } as never }));
    await vi.waitFor(() => expect(rig.boundCount()).toBe(2), WAIT);
    const containers = [{ name: 'c', image: 'x', resources: { requests: { cpu: '2' } } }];
    const spec = { containers, priorityClassName: 'high' };
    await rig.served.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'high' }, spec } as never);
    await vi.waitFor(
      () =>
        expect(rig.pods().map(({ metadata, spec }) => [metadata?.name, !!spec?.nodeName])).toEqual([['high', true]]),
      WAIT,
    );
    expect(rig.reported).toEqual([]);
  });

  it('loses nothing when its connections are cut again and again', async () => {
    await using rig = await LiveRig.open({ nodes: 10 });
    await using proxy = await CuttingProxy.before(Number(new URL(rig.served.url).port));
    const kubeconfig = proxy.writeKubeconfig(rig.served.kubeconfig, `${rig.served.writeKubeconfig()}-proxy`);
    await rig.scheduler({}, { kubeconfig });
    const boundNodes = new Map<string, string>();
    const watch = rig.served.cluster.store.watch('pods', { resourceVersion: '0' });
    for (let i = 0; i < 5; i++) {
      await rig.createPods(10, (j) => ({ metadata: { name: `p${i}-${j}` } }));
      proxy.cut();
    }
    await vi.waitFor(() => expect(rig.boundCount()).toBe(50), { ...WAIT, timeout: 60_000 });
    for (let event = watch.next(); event !== undefined; event = watch.next()) {
      if (!('object' in event) || !event.object.spec?.nodeName) continue;
      const { name = '' } = event.object.metadata ?? {};
      expect(boundNodes.get(name) ?? event.object.spec.nodeName).toBe(event.object.spec.nodeName);
      boundNodes.set(name, event.object.spec.nodeName);
    }
    watch.stop();
    expect(boundNodes.size).toBe(50);
    expect(proxy.cutCount).toBe(5);
  }, 90_000);
});

describe('a scheduler that writes nothing', () => {
  it("agrees with the cluster's own scheduler about every pod", async () => {
    await using rig = await LiveRig.open({
      nodes: 8,
      shapes: ['cpu=16', 'cpu=8'],
      scheduler: { tieBreak: 'upstream' },
    });
    const differences: unknown[] = [];
    const shadow = new Shadow(
      () => true,
      (difference) => differences.push(difference),
    );
    const live = await rig.scheduler({ tieBreak: 'upstream' }, {}, { ...shadow, pods: shadow });
    await vi.waitFor(() => expect(live.isReady).toBe(true), WAIT);
    await rig.createPods(60);
    const { store } = rig.served.cluster;
    await vi.waitFor(() => expect(shadow.summary).toEqual({ agreed: 60, differed: 0, undecided: 0 }), WAIT);
    expect(differences).toEqual([]);
    expect(store.list('leases').items.filter(({ metadata }) => metadata?.namespace === 'kube-system')).toEqual([]);
  });
});
