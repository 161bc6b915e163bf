import { writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { type Fault, FaultProxy, type FaultRule } from './fault-proxy.ts';
import { LiveRig } from './live-rig.ts';

const WAIT = { timeout: 60_000, interval: 20 };
const PODS = 20;
const NODES = 4;
const CPUS = 8;
const BINDING = /\/binding$/;

/** Follows every write of a pod: what was bound stays where it is, and no node has more than it offers. */
function watchPlacements(rig: LiveRig): () => number {
  const { store } = rig.served.cluster;
  const nodes = new Map<string, string>();
  const watch = store.watch('pods', { resourceVersion: '0' });
  const follow = (): void => {
    for (let event = watch.next(); event !== undefined; event = watch.next()) {
      if (!('object' in event) || event.type === 'DELETED') continue;
      const { metadata, spec } = event.object as Pod;
      const before = nodes.get(metadata?.uid ?? '');
      expect(before ?? spec?.nodeName, `${metadata?.name} is bound once`).toBe(spec?.nodeName);
      if (spec?.nodeName) nodes.set(metadata?.uid ?? '', spec.nodeName);
    }
  };
  return () => {
    follow();
    const counts = new Map<string, number>();
    for (const node of nodes.values()) counts.set(node, (counts.get(node) ?? 0) + 1);
    for (const [node, count] of counts) expect(count, `${node} has room`).toBeLessThanOrEqual(CPUS);
    return nodes.size;
  };
}

/** Schedules pods through a proxy, and expects that all are bound, once each. */
async function survives(rule: FaultRule, during: (proxy: FaultProxy, i: number) => void = () => {}): Promise<LiveRig> {
  const rig = await LiveRig.open({ nodes: NODES, shapes: [`cpu=${CPUS}`] });
  await using proxy = await FaultProxy.before(rig.served);
  const boundCount = watchPlacements(rig);
  await rig.scheduler({}, { kubeconfig: proxy.writeKubeconfig(`${rig.served.writeKubeconfig()}-proxy`) });
  proxy.rule = rule;
  await rig.createPods(PODS / 2);
  during(proxy, 0);
  await vi.waitFor(() => expect(boundCount()).toBeGreaterThan(0), WAIT);
  await rig.createPods(PODS / 2, (i) => ({ metadata: { name: `q${i}` } }));
  during(proxy, 1);
  await vi.waitFor(() => expect(boundCount()).toBe(PODS), WAIT);
  await rig[Symbol.asyncDispose]();
  return rig;
}

/** The fault strikes the first requests for a path. */
function first(count: number, path: RegExp, fault: Fault): FaultRule & { struck: number } {
  const rule = Object.assign(
    (asked: { readonly path: string; readonly method: string }) => {
      if (!path.test(asked.path) || asked.method === 'GET' || rule.struck >= count) return undefined;
      rule.struck++;
      return fault;
    },
    { struck: 0 },
  );
  return rule;
}

describe('a scheduler whose server fails', () => {
  it.each([
    { name: 'bindings answered with 429', fault: { status: 429, headers: { 'retry-after': '0' } } },
    { name: 'bindings answered with 503 and Retry-After', fault: { status: 503, headers: { 'retry-after': '0' } } },
    { name: 'bindings refused with 409', fault: { status: 409 } },
    { name: 'bindings refused with 500', fault: { status: 500 } },
    { name: 'bindings that are done and answered with 500', fault: { lost: 500 } },
    { name: 'bindings that are done, without an answer', fault: { lost: true } },
    { name: 'slow answers', fault: { delayMillis: 300 } },
  ] as const)('loses nothing and binds nothing twice: $name', async ({ fault }) => {
    const rule = first(6, BINDING, fault);
    await survives(rule);
    expect(rule.struck).toBe(6);
  });

  it('lists anew when its versions are gone', async () => {
    let left = 0;
    const rig = await survives(
      ({ path }) => (path.includes('watch=true') && left-- > 0 ? { status: 410 } : undefined),
      (proxy, i) => {
        left = i === 0 ? 10 : 0;
        proxy.cutWatches();
      },
    );
    expect(rig.boundCount()).toBe(PODS);
  });

  it('is not misled by events that come again, and out of order, when watches begin anew', async () => {
    await survives(
      () => undefined,
      (proxy) => {
        proxy.repeatsEvents = true;
        proxy.cutWatches();
      },
    );
  });
});

describe('credentials that expire', () => {
  it.each(['tokenFile', 'exec'] as const)('are read again: %s', async (kind) => {
    await using rig = await LiveRig.open({ nodes: NODES });
    await using proxy = await FaultProxy.before(rig.served);
    const tokenFile = `${rig.served.writeKubeconfig()}-token`;
    const write = (): void => writeFileSync(tokenFile, proxy.token, { mode: 0o600 });
    write();
    const print = `console.log(JSON.stringify({apiVersion:'client.authentication.k8s.io/v1',kind:'ExecCredential',
      status:{expirationTimestamp:'2099-01-01T00:00:00Z',token:require('fs').readFileSync('${tokenFile}','utf8')}}))`;
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: ['-e', print] };
    const user = kind === 'exec' ? `exec: ${JSON.stringify(exec)}` : `tokenFile: ${tokenFile}`;
    const kubeconfig = proxy.writeKubeconfig(`${tokenFile}-kubeconfig`, (text) => text.replace(/token: .*/, user));
    await rig.scheduler({}, { kubeconfig });
    await rig.createPods(5);
    await vi.waitFor(() => expect(rig.boundCount()).toBe(5), WAIT);
    proxy.token = 'second';
    write();
    proxy.cutWatches();
    await rig.createPods(5, (i) => ({ metadata: { name: `later${i}` } }));
    await vi.waitFor(() => expect(rig.boundCount()).toBe(10), WAIT);
  });
});

describe('two replicas', () => {
  it('hand the lease on when the leader cannot reach the server, and bind nothing twice', async () => {
    await using rig = await LiveRig.open({ nodes: NODES, shapes: [`cpu=${CPUS}`] });
    await using proxy = await FaultProxy.before(rig.served);
    const boundCount = watchPlacements(rig);
    const leaderElection = {
      ...{ leaderElect: true, resourceNamespace: 'kube-system', resourceName: 'berth', resourceLock: 'leases' },
      ...{ leaseDurationNanoseconds: 2_000_000_000n, renewDeadlineNanoseconds: 1_000_000_000n },
      retryPeriodNanoseconds: 200_000_000n,
    };
    const kubeconfig = proxy.writeKubeconfig(`${rig.served.writeKubeconfig()}-proxy`);
    const a = await rig.scheduler({ leaderElection }, { kubeconfig, identity: 'a' });
    await vi.waitFor(() => expect(a.isActive).toBe(true), WAIT);
    await rig.createPods(10);
    await vi.waitFor(() => expect(boundCount()).toBe(10), WAIT);
    const b = await rig.scheduler({ leaderElection }, { identity: 'b' });
    expect(b.isActive).toBe(false);
    proxy.rule = () => ({ hangs: true });
    await rig.createPods(10, (i) => ({ metadata: { name: `later${i}` } }));
    await vi.waitFor(() => expect(boundCount()).toBe(20), WAIT);
    expect(b.isActive).toBe(true);
    expect(a.isActive).toBe(false);
    expect(rig.reported).toContain('a lost the lease');
    proxy.rule = () => undefined;
    proxy.cutWatches();
  });
});
