import type { ResourceList } from '../../api/quantity.ts';

/** A number, text or flag that a workload gives a name. */
export type ParamValue = number | string | boolean;

/** `$name`, read from the workload's parameters. */
type ParamName = string;

/** How many; a parameter goes first. */
interface Counted {
  readonly count?: number | undefined;
  readonly countParam?: ParamName | undefined;
}

/** What a template may read beside `.Index` and `.Count`; texts that begin with `$` are parameters. */
interface Templated {
  readonly templateParams?: ReadonlyMap<string, ParamValue> | undefined;
}

export interface NodeAllocatableStrategy {
  readonly nodeAllocatable?: ResourceList | undefined;
  /** By CSI driver: how many volumes it attaches to a node. */
  readonly csiNodeAllocatable?: ReadonlyMap<string, { readonly count?: number | undefined }> | undefined;
  /** In-tree volume plugins that CSI drivers stand in for. */
  readonly migratedPlugins?: readonly string[] | undefined;
}

export interface LabelNodeStrategy {
  readonly labelKey: string;
  /** In turn. */
  readonly labelValues: readonly string[];
}

export interface CreateNodes extends Counted, Templated {
  readonly opcode: 'createNodes';
  readonly nodeTemplatePath?: string | undefined;
  /** At most one of the three; the first that is there counts. */
  readonly nodeAllocatableStrategy?: NodeAllocatableStrategy | undefined;
  readonly labelNodePrepareStrategy?: LabelNodeStrategy | undefined;
  readonly uniqueNodeLabelStrategy?: { readonly labelKey: string } | undefined;
}

export interface CreateNamespaces extends Counted {
  readonly opcode: 'createNamespaces';
  /** Names are `<prefix>-<number>`, from 0. */
  readonly prefix: string;
  readonly namespaceTemplatePath?: string | undefined;
}

export interface CreatePods extends Counted, Templated {
  readonly opcode: 'createPods';
  readonly countMultiplierParam?: ParamName | undefined;
  /** Each pod is deleted when it is scheduled, and another created, for so long. */
  readonly steadyState?: boolean | undefined;
  readonly steadyStateParam?: ParamName | undefined;
  readonly durationMillis?: number | undefined;
  readonly durationParam?: ParamName | undefined;
  readonly collectMetrics?: boolean | undefined;
  /** Absent: `namespace-<index of the operation>`. */
  readonly namespace?: string | undefined;
  readonly podTemplatePath?: string | undefined;
  readonly skipWaitToCompletion?: boolean | undefined;
  readonly persistentVolumeTemplatePath?: string | undefined;
  readonly persistentVolumeClaimTemplatePath?: string | undefined;
  /** So many pods in a row share the value of the label `signature`; absent: pods have no such label. */
  readonly signatureBatchSize?: number | undefined;
  readonly signatureBatchSizeParam?: ParamName | undefined;
}

export interface CreatePodSets extends Counted {
  readonly opcode: 'createPodSets';
  /** Sets are in the namespaces `<namespacePrefix>-<number>`, from 0. */
  readonly namespacePrefix: string;
  readonly createPodsOp: CreatePods;
}

export interface DeletePods {
  readonly opcode: 'deletePods';
  readonly namespace: string;
  readonly labelSelector: Readonly<Record<string, string>>;
  readonly skipWaitToCompletion: boolean;
  /** 0: all at once. */
  readonly deletePodsPerSecond: number;
}

export interface Churn {
  readonly opcode: 'churn';
  /** `recreate`: `number` rounds create an object of each template, the next so many delete them again. */
  readonly mode: 'create' | 'recreate';
  /** Of `create`: when to stop; 0: never. */
  readonly number: number;
  readonly intervalMillis: number;
  readonly namespace?: string | undefined;
  readonly templatePaths: readonly string[];
}

export interface Barrier {
  readonly opcode: 'barrier';
  /** None: all with pods that nobody has waited for. */
  readonly namespaces: readonly string[];
  readonly labelSelector: Readonly<Record<string, string>>;
  readonly stageRequirement: 'Scheduled' | 'Attempted';
}

export interface Sleep {
  readonly opcode: 'sleep';
  readonly durationMillis?: number | undefined;
  readonly durationParam?: ParamName | undefined;
}

export interface StartCollectingMetrics {
  readonly opcode: 'startCollectingMetrics';
  /** Follows the workload's name in results. */
  readonly name: string;
  readonly namespaces: readonly string[];
  readonly labelSelector: Readonly<Record<string, string>>;
}

export interface StopCollectingMetrics {
  readonly opcode: 'stopCollectingMetrics';
}

export interface CreateAny extends Counted, Templated {
  readonly opcode: 'createAny';
  readonly namespace?: string | undefined;
  readonly templatePath: string;
}

export interface UpdateAny extends Counted, Templated {
  readonly opcode: 'updateAny';
  readonly namespace?: string | undefined;
  readonly templatePath: string;
  /** 0: all at once. */
  readonly updatePerSecond: number;
  readonly subresources: readonly string[];
}

/** An operation that Berth does not have. */
export interface UnknownOperation {
  readonly opcode: 'unknown';
  /** As it is written. */
  readonly name: string;
}

/** One step of a workload template, as it is written: parameters are still names. Executed one after the other. */
export type Operation =
  | CreateNodes
  | CreateNamespaces
  | CreatePods
  | CreatePodSets
  | DeletePods
  | Churn
  | Barrier
  | Sleep
  | StartCollectingMetrics
  | StopCollectingMetrics
  | CreateAny
  | UpdateAny
  | UnknownOperation;
