import { expect, it } from 'vitest';
import { compileLabelSelector, type Selector } from '../../../src/api/label-selector.ts';
import type { OwnerReference } from '../../../src/api/meta.ts';
import type { Pod } from '../../../src/api/pod.ts';
import type { ReplicaSet } from '../../../src/api/workloads.ts';
import { Indexer } from '../../../src/client/informer/indexer.ts';
import { POD_INDEXES } from '../../../src/controllers/job/pod-indexes.ts';
import { claimed } from '../../../src/controllers/owned-pods/claim.ts';

const set: ReplicaSet = { metadata: { name: 'web', namespace: 'default', uid: 'set-uid' }, spec: {} };
const owner: OwnerReference = { kind: 'ReplicaSet', name: 'web', uid: 'set-uid', controller: true };
const selector = compileLabelSelector({ matchLabels: { app: 'web' } }) as Selector;

function podOf(name: string, namespace: string, app: string, reference?: OwnerReference): Pod {
  const ownerReferences = reference && [reference];
  return { metadata: { name, namespace, labels: { app }, ...(ownerReferences && { ownerReferences }) }, spec: {} };
}

it('distinguishes pods that a set owns, may adopt and has to release from those that only name its uid', () => {
  const pods = new Indexer<Pod>();
  for (const [name, valuesOf] of Object.entries(POD_INDEXES)) pods.addIndex(name, valuesOf);
  pods.set(podOf('owned', 'default', 'web', owner));
  pods.set(podOf('orphan', 'default', 'web'));
  pods.set(podOf('stranger', 'default', 'db', owner));
  pods.set(podOf('far', 'other', 'web', owner));
  pods.set(podOf('far-stranger', 'other', 'db', owner));
  pods.set(podOf('of-a-job', 'default', 'web', { ...owner, kind: 'Job' }));
  pods.set(podOf('of-another', 'default', 'web', { ...owner, name: 'api' }));
  const { owned, orphans, strangers } = claimed(
    pods,
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', object: set },
    selector,
  );
  const namesOf = (list: readonly Pod[]) => list.map(({ metadata }) => metadata?.name);
  expect([owned, orphans, strangers].map(namesOf)).toEqual([['owned'], ['orphan'], ['stranger']]);
});
