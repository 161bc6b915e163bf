import { isDeepStrictEqual } from 'node:util';
import type { ApiMetadata, ApiObject, JsonObject } from '../../kinds/object/json.ts';
import { allocateAddresses } from '../services/service-addresses.ts';
import { DRY_RUN_POOL, LedgerPool, type ServicePool } from '../services/service-pool.ts';
import type { KindStrategy, StrategyContext } from './kind-strategy.ts';
import { POD_STRATEGY } from './pod-strategy.ts';

/** What strategies of single kinds do beyond what follows from their resource. */
export const SPECIAL_STRATEGIES: Readonly<Record<string, Partial<KindStrategy>>> = {
  'CustomResourceDefinition.apiextensions.k8s.io': {
    prepareCreate(object) {
      const versions = ((object['spec'] as JsonObject)['versions'] ?? []) as JsonObject[];
      const storedVersions = versions.filter(({ storage }) => storage === true).map(({ name }) => name as string);
      object['status'] = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions };
    },
    prepareUpdate(object, old) {
      const versions = ((object['spec'] as JsonObject)['versions'] ?? []) as JsonObject[];
      const status = (old['status'] ?? {}) as JsonObject;
      const stored = (status['storedVersions'] ?? []) as string[];
      const name = versions.find(({ storage }) => storage === true)?.['name'] as string | undefined;
      const isKnown = name === undefined || stored.includes(name);
      object['status'] = isKnown ? status : { ...status, storedVersions: [...stored, name] };
    },
  },
  Namespace: {
    prepareCreate(object) {
      const spec = (object['spec'] ?? {}) as JsonObject;
      const finalizers = (spec['finalizers'] ?? []) as string[];
      object['spec'] = {
        ...spec,
        finalizers: finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'],
      };
      object['status'] = { phase: 'Active' };
      labelNamespace(object);
    },
    prepareUpdate(object, old) {
      labelNamespace(object);
      object['spec'] = { ...(object['spec'] as JsonObject), finalizers: (old['spec'] as JsonObject)['finalizers'] };
    },
  },
  Pod: POD_STRATEGY,
  Node: {
    // A node registers with its status.
    prepareCreate() {},
  },
  PersistentVolumeClaim: {
    prepareCreate(object) {
      object['status'] = { phase: 'Pending' };
      addFinalizer(object, 'kubernetes.io/pvc-protection');
    },
  },
  PersistentVolume: {
    prepareCreate(object, { now }) {
      object['status'] = { phase: 'Pending', lastPhaseTransitionTime: now };
      addFinalizer(object, 'kubernetes.io/pv-protection');
    },
  },
  // The generation of a priority class stays; that of a driver is counted from its first change.
  'PriorityClass.scheduling.k8s.io': {
    prepareCreate({ metadata = {} }) {
      metadata.generation = 1;
    },
  },
  'CSIDriver.storage.k8s.io': {
    prepareUpdate(object, old) {
      if (isDeepStrictEqual(object['spec'], old['spec'])) return;
      (object.metadata as ApiMetadata).generation = (old.metadata?.generation ?? 0) + 1;
    },
  },
  'Deployment.apps': { generationReads: ['annotations'] },
  'EndpointSlice.discovery.k8s.io': { generationReads: ['labels'] },
  'DaemonSet.apps': {
    prepareCreate(object) {
      delete object['status'];
      noteTemplateGeneration(object, 1);
    },
    prepareUpdate(object, old) {
      const generation = templateGeneration(old);
      const isSame = isDeepStrictEqual(templateOf(object), templateOf(old));
      noteTemplateGeneration(object, isSame ? generation : generation + 1);
    },
    prepareStatusUpdate(object, old) {
      noteTemplateGeneration(object, templateGeneration(old));
    },
  },
  Service: {
    prepareCreate(object, context) {
      delete object['status'];
      allocateAddresses(poolOf(context, undefined), object, undefined);
    },
    prepareUpdate(object, old, context) {
      allocateAddresses(poolOf(context, old), object, old);
    },
  },
  'ResourceSlice.resource.k8s.io': {
    prepareCreate(object, { now }) {
      setTaintTimes(object, now);
    },
    prepareUpdate(object, _old, { now }) {
      setTaintTimes(object, now);
    },
  },
  'Job.batch': {
    prepareCreate(object) {
      delete object['status'];
      labelJob(object);
    },
  },
};

function poolOf({ ledger, isDryRun }: StrategyContext, old: ApiObject | undefined): ServicePool {
  return isDryRun ? DRY_RUN_POOL : new LedgerPool(ledger, old?.metadata?.uid);
}

/** A taint of a device says when it was added. */
function setTaintTimes(slice: ApiObject, now: string): void {
  const { devices } = (slice['spec'] ?? {}) as { devices?: JsonObject[] };
  for (const { taints } of devices ?? []) {
    for (const taint of (taints ?? []) as JsonObject[]) taint['timeAdded'] ??= now;
  }
}

const NAME_LABEL = 'kubernetes.io/metadata.name';

/** A namespace bears its name as a label, so that selectors can name it. */
function labelNamespace({ metadata = {} }: ApiObject): void {
  metadata.labels = { ...metadata.labels, [NAME_LABEL]: metadata.name ?? '' };
}

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

function templateOf(object: ApiObject): unknown {
  return (object['spec'] as JsonObject | undefined)?.['template'];
}

function templateGeneration({ metadata }: ApiObject): number {
  return Number(metadata?.annotations?.[TEMPLATE_GENERATION] ?? 0);
}

function noteTemplateGeneration({ metadata = {} }: ApiObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

function addFinalizer(object: ApiObject, finalizer: string): void {
  const metadata = object.metadata as ApiMetadata;
  const { finalizers = [] } = metadata;
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
}

const JOB_PREFIX = 'batch.kubernetes.io/';

/** Gives a job the selector and the labels by which its pods are found, unless its author does. */
function labelJob(object: ApiObject): void {
  const { uid = '', name = '' } = object.metadata ?? {};
  const spec = (object['spec'] ?? {}) as JsonObject;
  if (spec['manualSelector'] === true) return;
  const template = (spec['template'] ?? {}) as JsonObject;
  const metadata = (template['metadata'] ?? {}) as ApiMetadata;
  const labels: Record<string, string> = { ...metadata.labels };
  // Upstream's default shares the labels of the template with a job that has none of its own.
  if (Object.keys(labels).length > 0 && Object.keys(object.metadata?.labels ?? {}).length === 0) {
    (object.metadata as ApiMetadata).labels = labels;
  }
  const own: [string, string][] = [
    ['controller-uid', uid],
    ['job-name', name],
    [`${JOB_PREFIX}controller-uid`, uid],
    [`${JOB_PREFIX}job-name`, name],
  ];
  for (const [key, value] of own) labels[key] ??= value;
  const selector = (spec['selector'] ?? {}) as JsonObject;
  const matchLabels = { ...(selector['matchLabels'] as JsonObject | undefined) };
  matchLabels[`${JOB_PREFIX}controller-uid`] ??= uid;
  spec['template'] = { ...template, metadata: { ...metadata, labels } };
  spec['selector'] = { ...selector, matchLabels };
}
