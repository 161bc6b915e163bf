import { type Deployment, POD_TEMPLATE_HASH_KEY } from '../../api/deployment.ts';
import type { ReplicaSet } from '../../api/workloads.ts';
import { controllerReference } from '../pod-creation.ts';
import { templateHash } from '../revisions/template-hash.ts';
import { newReplicasOf, setAnnotations, sizeAnnotations } from './replica-sets.ts';

/** A new ReplicaSet of the present template, as large as the others (`sets`) leave room for. */
export function newSetOf(deployment: Deployment, sets: readonly ReplicaSet[], revision: number): ReplicaSet {
  const { metadata: { name = '', namespace } = {}, spec = {}, status } = deployment;
  const hash = templateHash(spec.template, status?.collisionCount);
  const labels = { ...spec.template?.metadata?.labels, [POD_TEMPLATE_HASH_KEY]: hash };
  const { selector, template, minReadySeconds = 0 } = spec;
  const planned: ReplicaSet = {
    metadata: {
      ...{ name: `${name}-${hash}`, namespace, labels },
      ownerReferences: [controllerReference('apps/v1', 'Deployment', deployment)],
    },
    spec: {
      ...{ replicas: 0, minReadySeconds },
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [POD_TEMPLATE_HASH_KEY]: hash } },
      template: { ...template, metadata: { ...template?.metadata, labels } },
    },
  };
  const replicas = newReplicasOf(deployment, [...sets, planned], planned);
  const annotations = { ...setAnnotations(deployment, planned, revision), ...sizeAnnotations(deployment) };
  return { ...planned, metadata: { ...planned.metadata, annotations }, spec: { ...planned.spec, replicas } };
}
