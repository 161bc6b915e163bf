import { defaultNode } from '../../api/defaults.ts';
import type { Event } from '../../api/event.ts';
import type { Kind, Kinds } from '../../api/kinds.ts';
import type { Lease } from '../../api/lease.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import { defaultObject } from '../../api/object-defaults.ts';
import { type ResourceClaimTemplate, withTaintTimes } from '../../api/resource-claims.ts';
import { timeAtMillis } from '../../api/time.ts';
import type { Problem } from '../../api/validation/check.ts';
import { isChangedEventValid, validateEvent, validateLease } from '../../api/validation/event-and-lease.ts';
import { validateObject } from '../../api/validation/objects.ts';
import { isChangedClaimValid, validateClaimTemplate } from '../../api/validation/resource-claims.ts';
import { storedMetadata, storedMetadataWithFreeFinalizers } from '../../api/validation/stored-metadata.ts';
import { validateWorkload, type WorkloadKind } from '../../api/validation/workloads.ts';
import {
  defaultCronJob,
  defaultDaemonSet,
  defaultDeployment,
  defaultReplicaSet,
  defaultStatefulSet,
} from '../../api/workload-defaults.ts';
import type { Clock } from '../../lib/clock.ts';
import { RESOURCES, type Resource, type Resources } from '../objects/resources.ts';
import type { Admission } from './admission.ts';
import { ClaimStrategy } from './claim-strategy.ts';
import { JobStrategy } from './job-strategy.ts';
import { PlainStrategy, type PlainStrategyOptions } from './plain-strategy.ts';
import { PodStrategy } from './pod-strategy.ts';
import type { Strategy } from './strategy.ts';

export type Strategies = { readonly [R in Resource]: Strategy<Resources[R]> };

type WorkloadResource = 'deployments' | 'daemonsets' | 'cronjobs' | 'controllerrevisions';
/** Resources that no decision of the scheduler reads. */
type UnreadResource = 'events' | 'leases' | 'resourceclaimtemplates';
type PlainResource = Exclude<Resource, WorkloadResource | UnreadResource | 'pods' | 'jobs'>;
type PlainOptions<R extends Resource> = Omit<PlainStrategyOptions<Resources[R]>, 'check'>;

/** The status of a new budget: it allows no disruption until its controller has synced it. */
const NEW_BUDGET_STATUS = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };

/** Upstream: the `strategy.go` of each kind in pkg/registry. */
function plainOptions(admission: Admission, clock: Clock): { readonly [R in PlainResource]: PlainOptions<R> } {
  return {
    // A node keeps the status that it registers with.
    nodes: { newStatus: 'given', fill: defaultNode },
    namespaces: { newStatus: { phase: 'Active' } },
    services: { newStatus: {} },
    replicasets: {
      ...{ newStatus: { replicas: 0 }, hasGeneration: true, immutable: ['spec.selector'], fill: defaultReplicaSet },
    },
    statefulsets: {
      newStatus: { replicas: 0 },
      hasGeneration: true,
      immutable: ['selector', 'serviceName', 'podManagementPolicy', 'volumeClaimTemplates'].map(
        (name) => `spec.${name}`,
      ),
      fill: defaultStatefulSet,
    },
    replicationcontrollers: { newStatus: { replicas: 0 }, hasGeneration: true, propagationPolicy: 'Orphan' },
    persistentvolumes: {
      ...{ newStatus: { phase: 'Pending' }, hasPlainStatus: true },
      immutable: ['spec.csi', 'spec.volumeMode'],
    },
    persistentvolumeclaims: {
      ...{ newStatus: { phase: 'Pending' }, hasPlainStatus: true },
      admit: (claim) => admission.storageClass(claim),
      immutable: ['accessModes', 'selector', 'storageClassName', 'volumeMode', 'volumeName'].map(
        (name) => `spec.${name}`,
      ),
    },
    storageclasses: { immutable: ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode'] },
    csinodes: { requiresVersion: true },
    csidrivers: { requiresVersion: true },
    csistoragecapacities: { immutable: ['nodeTopology', 'storageClassName'], requiresVersion: true },
    volumeattachments: { newStatus: { attached: false }, immutable: ['spec'], requiresVersion: true },
    poddisruptionbudgets: { newStatus: NEW_BUDGET_STATUS, hasGeneration: true, requiresVersion: true },
    resourceclaims: { newStatus: {}, immutable: ['spec'], isChangedValid: isChangedClaimValid },
    resourceslices: {
      hasGeneration: true,
      fill: (slice) => withTaintTimes(slice, timeAtMillis(clock.nowMillis())),
    },
    deviceclasses: { hasGeneration: true },
    podgroups: {
      ...{ newStatus: {}, hasPlainStatus: true, hasGeneration: true, immutable: ['spec'] },
      admit: (group) => admission.podGroup(group),
    },
    workloads: { hasGeneration: true },
    priorityclasses: { immutable: ['value', 'preemptionPolicy'] },
  };
}

const NEW_DAEMON_STATUS = {
  currentNumberScheduled: 0,
  numberMisscheduled: 0,
  desiredNumberScheduled: 0,
  numberReady: 0,
};

export function newStrategies(admission: Admission, clock: Clock): Strategies {
  const options = plainOptions(admission, clock);
  const plain = (Object.keys(options) as PlainResource[]).map((resource) => [
    resource,
    plainStrategy(resource, options[resource] as PlainOptions<typeof resource>),
  ]);
  return {
    ...(Object.fromEntries(plain) as { readonly [R in PlainResource]: Strategy<Resources[R]> }),
    ...workloadStrategies(),
    pods: new PodStrategy(admission),
    jobs: new JobStrategy(),
    events: new PlainStrategy<Event>('events', {
      check: stored('events', validateEvent),
      isChangedValid: isChangedEventValid,
    }),
    resourceclaimtemplates: new PlainStrategy<ResourceClaimTemplate>('resourceclaimtemplates', {
      check: stored('resourceclaimtemplates', validateClaimTemplate),
      immutable: ['spec'],
    }),
    leases: new PlainStrategy<Lease>('leases', { check: stored('leases', validateLease), requiresVersion: true }),
  };
}

function workloadStrategies(): { readonly [R in WorkloadResource]: Strategy<Resources[R]> } {
  return {
    deployments: workloadStrategy<'deployments'>('deployments', { newStatus: {}, fill: defaultDeployment }),
    daemonsets: workloadStrategy<'daemonsets'>('daemonsets', {
      ...{ newStatus: NEW_DAEMON_STATUS, fill: defaultDaemonSet },
    }),
    cronjobs: workloadStrategy<'cronjobs'>('cronjobs', { newStatus: {}, fill: defaultCronJob, immutable: [] }),
    controllerrevisions: workloadStrategy<'controllerrevisions'>('controllerrevisions', { immutable: ['data'] }),
  };
}

function workloadStrategy<R extends WorkloadResource>(resource: R, options: Partial<PlainOptions<R>>) {
  const kind = RESOURCES[resource].kind as WorkloadKind;
  return new PlainStrategy<Resources[R]>(resource, {
    ...{ hasGeneration: options.newStatus !== undefined, immutable: ['spec.selector'] },
    ...options,
    check: stored(resource, (object) => validateWorkload(kind, object)),
  });
}

/** Resources whose finalizers upstream does not validate like those of the core group. */
const FREE_FINALIZERS: ReadonlySet<Resource> = new Set(['poddisruptionbudgets', 'events', 'leases']);

/** The check of a kind together with the checks of metadata that every stored object must pass. */
function stored(resource: Resource, check: (object: unknown) => Problem[]) {
  const metadata = FREE_FINALIZERS.has(resource) ? storedMetadataWithFreeFinalizers : storedMetadata;
  return (object: KubernetesObject): readonly Problem[] => {
    const problems = check(object);
    metadata(object.metadata, 'metadata', problems);
    return problems;
  };
}

function plainStrategy<R extends PlainResource>(resource: R, options: PlainOptions<R>): Strategy<Resources[R]> {
  const kind = RESOURCES[resource].kind as Exclude<Kind, 'Pod'>;
  const { fill } = options;
  const Made = (resource === 'resourceclaims' ? ClaimStrategy : PlainStrategy) as typeof PlainStrategy<Resources[R]>;
  return new Made(resource, {
    ...options,
    check: stored(resource, (object) => validateObject(kind, object)),
    fill: (object) => {
      const filled = kind === 'Node' ? object : (defaultObject(kind, object as Kinds[typeof kind]) as Resources[R]);
      return fill === undefined ? filled : fill(filled);
    },
  });
}
