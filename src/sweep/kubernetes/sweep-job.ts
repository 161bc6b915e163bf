import type { KubernetesObject } from '../../api/meta.ts';
import { CodedError } from '../../lib/errors.ts';

/** How the pods of a sweep's Job are made. */
export interface SweepJobOptions {
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  /** The number of shards of the sweep. */
  readonly shards: number;
  /** The shards that this Job runs, as a list such as `1..8,11`. */
  readonly wanted: string;
  readonly wantedCount: number;
  /** How many pods run at a time. */
  readonly parallelism: number;
  /** What each pod requests; it gets no more memory than that. */
  readonly requests: Readonly<Record<string, string>>;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** How often a shard is tried again, not counting pods that lost their node. */
  readonly backoffLimitPerIndex: number;
  /** Threads of a pod. */
  readonly workers: number;
}

/** The label by which a Job, its pods and its plan are found; its value is the name of the Job. */
export const SWEEP_LABEL = 'berth.dev/sweep';
/** The annotation with the shards of a Job, in the order of its indexes. */
export const SHARDS_ANNOTATION = 'berth.dev/shards';
export const INDEX_ANNOTATION = 'batch.kubernetes.io/job-completion-index';
export const CONTAINER = 'sweep';
const PLAN_FOLDER = '/berth';
const PLAN_FILE = 'plan.gz';
/** A ConfigMap holds a mebibyte, of which its names take a little. */
const PLAN_BYTES_MAX = 2 ** 20 - 4096;

/**
 * The objects of a Job that runs shards: a ConfigMap with the plan and all its input, and an Indexed Job whose pods
 * write their shard to their log. A pod that was evicted, or whose node was lost, does not count as a failure; one
 * that ended with an error of its own would end so again.
 *
 * @throws CodedError `PlanTooLarge`
 */
export function sweepJobObjects(options: SweepJobOptions, plan: Uint8Array): readonly KubernetesObject[] {
  if (plan.length > PLAN_BYTES_MAX) {
    const size = `${(plan.length / 2 ** 20).toFixed(1)} MiB`;
    throw new CodedError('PlanTooLarge', `the input of the sweep is ${size} compressed, and a ConfigMap holds 1 MiB`);
  }
  const { name, namespace, wanted, wantedCount, parallelism, backoffLimitPerIndex } = options;
  const labels = { [SWEEP_LABEL]: name };
  const configMap = {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels } },
    binaryData: { [PLAN_FILE]: Buffer.from(plan).toString('base64') },
  };
  const job = {
    ...{ apiVersion: 'batch/v1', kind: 'Job' },
    metadata: { name, namespace, labels, annotations: { [SHARDS_ANNOTATION]: wanted } },
    spec: {
      ...{ completionMode: 'Indexed', completions: wantedCount, parallelism: Math.min(parallelism, wantedCount) },
      backoffLimitPerIndex,
      podFailurePolicy: {
        rules: [
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
          { action: 'FailIndex', onExitCodes: { containerName: CONTAINER, operator: 'In', values: [1] } },
        ],
      },
      template: { metadata: { labels }, spec: podSpec(options) },
    },
  };
  return [configMap, job];
}

function podSpec({ name, image, shards, wanted, requests, nodeSelector, workers }: SweepJobOptions): object {
  const args = ['sweep', '--plan', `${PLAN_FOLDER}/${PLAN_FILE}`, '--shards', `${shards}`, '--shard-list', wanted];
  const { memory } = requests;
  const resources = { requests, ...(memory !== undefined && { limits: { memory } }) };
  return {
    restartPolicy: 'Never',
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    volumes: [{ name: 'plan', configMap: { name } }],
    containers: [
      {
        ...{ name: CONTAINER, image, args: [...args, '--workers', `${workers}`, '-o', '-'], resources },
        volumeMounts: [{ name: 'plan', mountPath: PLAN_FOLDER, readOnly: true }],
        // An error is the last line that a pod writes to its standard error.
        terminationMessagePolicy: 'FallbackToLogsOnError',
      },
    ],
  };
}
