import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Node } from '../../src/api/node.ts';
import type { Pod } from '../../src/api/pod.ts';
import {
  checkConfiguration,
  type ObjectKind,
  type ObjectKinds,
  type Scheduler,
  type SchedulerOptions,
} from '../../src/index.ts';
import type { ApiCase } from './api/api-case.ts';
import { type CelCase, type CelDevices, quoteLargeIntegers } from './cel/cel-case.ts';
import type { ConfigExpectation } from './check-config-validation.ts';
import type { ControlCase } from './control/control-case.ts';
import type { GangCase } from './dra/gang-case.ts';
import type { RecordedRequest } from './extender/recorded-requests.ts';
import type { ExtenderRules } from './extender/rules.ts';
import type { KubectlCase } from './kubectl/kubectl-case.ts';
import type { QueueCase } from './queue/queue-case.ts';
import type { ScriptCase } from './script/script-case.ts';

/** One recorded case; `expect` and the rest depend on `kind`. */
export interface RecordedCase {
  readonly kind: string;
  readonly name: string;
  readonly features: readonly string[];
  readonly objects: RecordedObjects;
  readonly pod?: Pod;
  readonly expect?: Expectation;
  /** Kind `log-table`. */
  readonly logBits?: readonly string[];
  /** Kinds `sequence` and `sampling`: pods to place one after another, as copies of templates. */
  readonly podTemplates?: readonly Pod[];
  readonly podRefs?: readonly number[];
  readonly nodeOrder?: readonly string[];
  readonly steps?: readonly RecordedStep[];
  readonly finalPodsPerNode?: Readonly<Record<string, number>>;
  readonly percentageOfNodesToScore?: number;
  readonly samplingSteps?: readonly RecordedSamplingStep[];
  readonly table?: readonly RecordedSearchSizes[];
  /** Kind `live`. */
  readonly pods?: readonly Pod[];
  readonly placements?: readonly string[];
  readonly config?: Readonly<Record<string, unknown>>;
  /** The gates that are not at their defaults. */
  readonly featureGates?: SchedulerOptions['featureGates'];
  /** Kind `config-validation`: text where JSON cannot say it. */
  readonly configText?: string;
  readonly expectConfig?: ConfigExpectation;
  /** The rules of the configured extenders, in their order. */
  readonly extenderRules?: readonly ExtenderRules[];
  readonly recordBodies?: boolean;
}

export interface RecordedStep {
  readonly pod: string;
  readonly node?: string;
  readonly score?: number;
  readonly feasible?: number;
  readonly ties?: number;
  readonly message?: string;
}

export interface RecordedSamplingStep extends Omit<RecordedStep, 'feasible'> {
  readonly numNodesToFind: number;
  readonly startIndex: number;
  readonly nextStartIndex: number;
  readonly feasibleIdx: readonly number[];
  readonly rejected: number;
}

interface RecordedSearchSizes {
  readonly percentageOfNodesToScore: number;
  readonly nodes: readonly number[];
  readonly numFeasibleNodesToFind: readonly number[];
}

/** Lists by the names that the API uses for them; nodes and pods apart, the rest goes in as it is. */
export type RecordedObjects = { readonly nodes?: readonly Node[]; readonly pods?: readonly Pod[] } & {
  readonly [List in keyof typeof OBJECT_KINDS]?: readonly ObjectKinds[(typeof OBJECT_KINDS)[List]][];
};

export const OBJECT_KINDS = {
  namespaces: 'Namespace',
  persistentVolumeClaims: 'PersistentVolumeClaim',
  persistentVolumes: 'PersistentVolume',
  storageClasses: 'StorageClass',
  csiNodes: 'CSINode',
  csiDrivers: 'CSIDriver',
  csiStorageCapacities: 'CSIStorageCapacity',
  volumeAttachments: 'VolumeAttachment',
  services: 'Service',
  replicationControllers: 'ReplicationController',
  replicaSets: 'ReplicaSet',
  statefulSets: 'StatefulSet',
  podDisruptionBudgets: 'PodDisruptionBudget',
  resourceClaims: 'ResourceClaim',
  resourceSlices: 'ResourceSlice',
  deviceClasses: 'DeviceClass',
  podGroups: 'PodGroup',
  workloads: 'Workload',
} as const satisfies Record<string, ObjectKind>;

interface RecordedStatus {
  readonly plugin: string;
  readonly code: string;
  readonly reasons: readonly string[];
}

interface RecordedCandidate {
  readonly node: string;
  readonly victims: readonly string[];
  readonly pdbViolations: number;
}

/** What PostFilter did; all but `status` may be missing. */
export interface RecordedPreemption {
  readonly status: string;
  /** Absent on success. */
  readonly message?: string;
  readonly numCandidates?: number;
  readonly potentialNodes?: readonly string[];
  readonly candidates?: readonly RecordedCandidate[];
  readonly nodeStatus?: Readonly<Record<string, RecordedStatus>>;
  /** What extenders left. */
  readonly extenderCandidates?: readonly RecordedCandidate[];
  readonly nominatedTies?: readonly string[];
  readonly nominatedNode?: string;
  readonly victims?: readonly string[];
}

type Scores = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What kube-scheduler answered; a field is absent where the recording says nothing. */
export interface Expectation {
  readonly status: string;
  readonly nodeOrder: readonly string[];
  readonly preEnqueueStatus?: RecordedStatus;
  readonly preFilterStatus?: RecordedStatus;
  readonly feasible?: readonly string[];
  readonly nodeStatus?: Readonly<Record<string, RecordedStatus>>;
  readonly scoringSkipped?: boolean;
  readonly rawScores?: Scores;
  readonly scores?: Scores;
  readonly total?: Readonly<Record<string, number>>;
  readonly best?: readonly string[];
  readonly message?: string;
  readonly filterMessage?: string;
  readonly preemption?: RecordedPreemption;
  /** What all PostFilter plugins did, in recordings with claims. */
  readonly postFilter?: { readonly code: string; readonly message?: string; readonly nominatedNode?: string };
  readonly extenderRequests?: readonly RecordedRequest[];
  readonly bind?: { readonly node: string; readonly by: string; readonly code: string; readonly message?: string };
}

export type AnyCase =
  | ApiCase
  | KubectlCase
  | RecordedCase
  | ControlCase
  | QueueCase
  | ScriptCase
  | GangCase
  | CelCase
  | CelDevices;

/** Reads a gzip NDJSON file: one case a line. */
export function readCases(path: string): AnyCase[] {
  const text = gunzipSync(readFileSync(path)).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line.includes('"kind":"cel') ? quoteLargeIntegers(line) : line) as AnyCase);
}

/** The time at which decisions were recorded. */
const RECORDED_CLOCK = { nowMillis: () => Date.UTC(2026, 0, 1) };

/** The scheduler option for a case that was recorded under a configuration of its own. */
export function configurationOf({ name, config, featureGates = {} }: RecordedCase): SchedulerOptions {
  // Some cases show what becomes of objects that an API server would have refused.
  const validate = !name.includes('unvalidated');
  if (config === undefined) return { validate, featureGates, clock: RECORDED_CLOCK };
  const loaded = checkConfiguration(config);
  if (!loaded.ok) throw new Error(`the case's configuration is refused: ${loaded.errors[0]?.message}`);
  return { validate, configuration: loaded.configuration };
}

/** Adds everything that the case lists to the scheduler. */
export function addObjects(scheduler: Scheduler, objects: RecordedObjects): void {
  for (const [list, kind] of Object.entries(OBJECT_KINDS)) {
    for (const object of objects[list as keyof typeof OBJECT_KINDS] ?? []) scheduler.setObject(kind, object as never);
  }
  for (const node of objects.nodes ?? []) scheduler.addNode(node);
  for (const pod of objects.pods ?? []) scheduler.addPod(pod);
}

/** Pod i of a sequence: a copy of its template with a name and uid of its own. */
export function* sequencePods({ podTemplates = [], podRefs = [] }: RecordedCase): Iterable<Pod> {
  for (const [i, ref] of podRefs.entries()) {
    const template = podTemplates[ref];
    const name = `p${String(i).padStart(5, '0')}`;
    yield { ...template, metadata: { ...template?.metadata, name, uid: name } };
  }
}
