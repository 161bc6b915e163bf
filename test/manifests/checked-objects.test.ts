import { expect, test } from 'vitest';
import { ObjectChecks } from '../../src/caller/object-checks.ts';
import { expandWorkloads } from '../../src/expansion/expand-workloads.ts';
import { Prng } from '../../src/lib/prng.ts';
import { type Manifests, readManifests } from '../../src/manifests/read.ts';
import { type JsonObject, liveObjects } from '../dump/live-objects.ts';
import { textSource } from './text-source.ts';

const VALUES = [null, '', 'x', '-1', 0, -1, 1.5, true, [], {}, [null], [{}], { a: null }, ['x', 'x']] as const;

const OTHERS: JsonObject[] = [
  { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { selector: { app: 'a' } } },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c', annotations: { a: 'b' } },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'fast' },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  },
];

/** The class of some of the pods. */
const CLASS: JsonObject = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'high' },
  value: 100_000,
};

/** Replaces some member, at any depth. */
function change(value: JsonObject, prng: Prng): void {
  let at = value as Record<string, unknown>;
  for (;;) {
    const keys = Object.keys(at);
    const key = keys.length === 0 ? 'added' : (keys[prng.below(keys.length)] as string);
    const member = at[key];
    const isDeep = typeof member === 'object' && member !== null && prng.below(8) > 0;
    if (!isDeep) {
      at[key] = VALUES[prng.below(VALUES.length)];
      return;
    }
    at = member as Record<string, unknown>;
  }
}

async function read(object: JsonObject): Promise<Manifests | null> {
  try {
    const text = JSON.stringify({ kind: 'List', items: [CLASS, object] });
    return await readManifests(['a.json'], textSource({ 'a.json': text }), { expand: expandWorkloads });
  } catch {
    return null;
  }
}

test('what the readers of manifests accept is what a scheduler would keep as it is', async () => {
  const prng = new Prng(1);
  const objects = [...liveObjects({ nodes: 2, pods: 6, seed: 1 }), ...OTHERS];
  let readable = 0;
  for (let i = 0; i < 700; i++) {
    const object = structuredClone(objects[i % objects.length]) as JsonObject;
    for (let changes = prng.below(3); changes > 0; changes--) change(object, prng);
    const manifests = await read(object);
    if (manifests === null) continue;
    readable++;
    const checks = new ObjectChecks(true);
    const context = JSON.stringify(object);
    for (const node of manifests.nodes) expect(checks.checkNode(node), context).toBe(node);
    for (const pod of manifests.pods) expect(checks.checkPod(pod), context).toBe(pod);
    for (const { kind, object: other } of manifests.others)
      expect(checks.checkObject(kind, other), context).toBe(other);
  }
  expect(readable).toBeGreaterThan(200);
});
