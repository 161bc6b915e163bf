import type { ResourceList } from '../../api/quantity.ts';

/** The value of a workload's parameter. */
export type ParamValue = number | string | boolean;

/** A reference to a parameter of the workload, such as `$name`. */
type ParamName = string;

/** A number of objects; the parameter takes precedence. */
interface Counted {
  readonly count?: number | undefined;
  readonly countParam?: ParamName | undefined;
}

/** Values that a template may read besides `.Index` and `.Count`; texts that begin with `$` refer to parameters. */
interface Templated {
  readonly templateParams?: ReadonlyMap<string, ParamValue> | undefined;
}

export interface NodeAllocatableStrategy {
  readonly nodeAllocatable?: ResourceList | undefined;
  /** How many volumes each CSI driver can attach to a node. */
  readonly csiNodeAllocatable?: ReadonlyMap<string, { readonly count?: number | undefined }> | undefined;
  /** In-tree volume plugins that have been migrated to CSI drivers. */
  readonly migratedPlugins?: readonly string[] | undefined;
}

export interface LabelNodeStrategy {
  readonly labelKey: string;
  /** The values, which nodes get in turn. */
  readonly labelValues: readonly string[];
}

export interface CreateNodes extends Counted, Templated {
  readonly opcode: 'createNodes';
  readonly nodeTemplatePath?: string | undefined;
  /** At most one of the three strategies is used: the first that is set. */
  readonly nodeAllocatableStrategy?: NodeAllocatableStrategy | undefined;
  readonly labelNodePrepareStrategy?: LabelNodeStrategy | undefined;
  readonly uniqueNodeLabelStrategy?: { readonly labelKey: string } | undefined;
}

export interface CreateNamespaces extends Counted {
  readonly opcode: 'createNamespaces';
  /** The prefix of the names `<prefix>-<number>`, numbered from 0. */
  readonly prefix: string;
  readonly namespaceTemplatePath?: string | undefined;
}

export interface CreatePods extends Counted, Templated {
  readonly opcode: 'createPods';
  readonly countMultiplierParam?: ParamName | undefined;
  /** Whether each pod is deleted when it is scheduled, and replaced by a new one, for the whole duration. */
  readonly steadyState?: boolean | undefined;
  readonly steadyStateParam?: ParamName | undefined;
  readonly durationMillis?: number | undefined;
  readonly durationParam?: ParamName | undefined;
  readonly collectMetrics?: boolean | undefined;
  /** The namespace; absent: `namespace-<index of the operation>`. */
  readonly namespace?: string | undefined;
  readonly podTemplatePath?: string | undefined;
  readonly skipWaitToCompletion?: boolean | undefined;
  readonly persistentVolumeTemplatePath?: string | undefined;
  readonly persistentVolumeClaimTemplatePath?: string | undefined;
  /** This many consecutive pods share the value of the label `signature`; absent: pods have no such label. */
  readonly signatureBatchSize?: number | undefined;
  readonly signatureBatchSizeParam?: ParamName | undefined;
}

export interface CreatePodSets extends Counted {
  readonly opcode: 'createPodSets';
  /** The prefix of the namespaces `<namespacePrefix>-<number>`, numbered from 0, one for each set. */
  readonly namespacePrefix: string;
  readonly createPodsOp: CreatePods;
}

export interface DeletePods {
  readonly opcode: 'deletePods';
  readonly namespace: string;
  readonly labelSelector: Readonly<Record<string, string>>;
  readonly skipWaitToCompletion: boolean;
  /** The rate; 0: all at once. */
  readonly deletePodsPerSecond: number;
}

export interface Churn {
  readonly opcode: 'churn';
  /**
   * With `recreate`, `number` rounds create an object of each template, and the next `number` rounds delete these
   * objects.
   */
  readonly mode: 'create' | 'recreate';
  /** With `create`, the number of rounds; 0: without end. */
  readonly number: number;
  readonly intervalMillis: number;
  readonly namespace?: string | undefined;
  readonly templatePaths: readonly string[];
}

export interface Barrier {
  readonly opcode: 'barrier';
  /** The namespaces; empty: all that have pods that no operation has waited for. */
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
  /** A name that is appended to the workload's name in results. */
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
  /** The rate; 0: all at once. */
  readonly updatePerSecond: number;
  readonly subresources: readonly string[];
}

/** An operation that Berth does not support. */
export interface UnknownOperation {
  readonly opcode: 'unknown';
  /** The opcode in the file. */
  readonly name: string;
}

/**
 * One step of a workload template, as it is written: parameters are still names. Steps are executed one after the
 * other.
 */
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
