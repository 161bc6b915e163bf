import { timeAtMillis } from '../api/time.ts';
import type { ApiObject } from '../kinds/object/json.ts';
import type { ApiModules } from './context/context.ts';

const PRIORITIES = [
  {
    name: 'system-cluster-critical',
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
  {
    name: 'system-node-critical',
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
];

/** Adds what every API server has from its start. */
export function addSystemObjects(modules: ApiModules): void {
  completeNamespaces(modules);
  addPriorityClasses(modules);
}

/** Gives namespaces that were made inside of this process what those of clients have. */
function completeNamespaces({ registry, storages }: ApiModules): void {
  const served = registry.find('', 'v1', 'namespaces');
  if (served === undefined) return;
  const storage = storages.of(served);
  for (const namespace of [...storage.from(undefined)]) {
    const { name = '', labels, deletionTimestamp } = namespace.metadata ?? {};
    const { finalizers } = (namespace['spec'] ?? {}) as { readonly finalizers?: unknown };
    // A namespace that was restored has its label and finalizers already, or is being deleted.
    const isNamed = (labels as Readonly<Record<string, string>> | undefined)?.['kubernetes.io/metadata.name'] === name;
    if (isNamed && (finalizers !== undefined || deletionTimestamp !== undefined)) continue;
    const metadata = { ...namespace.metadata, labels: { ...labels, 'kubernetes.io/metadata.name': name } };
    const next = { ...namespace, metadata, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } };
    storage.replace(next, namespace);
  }
}

function addPriorityClasses({ registry, storages, names, clock }: ApiModules): void {
  const served = registry.find('scheduling.k8s.io', 'v1', 'priorityclasses');
  if (served === undefined) return;
  const storage = storages.of(served);
  for (const { name, value, description } of PRIORITIES) {
    if (storage.get('', name) !== undefined) continue;
    const creationTimestamp = timeAtMillis(clock.nowMillis());
    const object: ApiObject = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name, uid: names.uid(), generation: 1, creationTimestamp },
      value,
      description,
    };
    served.schema.setDefaults(object);
    storage.insert(object);
  }
}
