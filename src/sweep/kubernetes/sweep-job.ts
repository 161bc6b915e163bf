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
  /** Where a pod writes its shard: `-` for its log, or a URL or a file with `{shard}` for the number. */
  readonly results: string;
  /** The volume claim at `RESULTS_FOLDER`; absent: none. */
  readonly claim?: string | undefined;
  /** The Secret whose keys are variables of the pods' environment; absent: none. */
  readonly secret?: string | undefined;
}

/** The label by which a Job, its pods and its plan are found; its value is the name of the Job. */
export const SWEEP_LABEL = 'berth.dev/sweep';
/** The annotation with the shards of a Job, in the order of its indexes. */
export const SHARDS_ANNOTATION = 'berth.dev/shards';
export const INDEX_ANNOTATION = 'batch.kubernetes.io/job-completion-index';
export const CONTAINER = 'sweep';
const PLAN_FOLDER = '/berth';
/** Where pods see the volume for results. */
export const RESULTS_FOLDER = '/results';
const PLAN_FILE = 'plan.gz';
/** A ConfigMap holds a mebibyte, of which its names take a little. A larger plan has several of them. */
const PART_BYTES_MAX = 2 ** 20 - 4096;
/** Every node that runs pods of the Job reads all of them. */
const PARTS_MAX = 16;

/**
 * The objects of a Job that runs shards: ConfigMaps with the plan and all its input, and an Indexed Job whose pods
 * write their shard to their log. A pod that was evicted, or whose node was lost, does not count as a failure; one
 * that ended with an error of its own would end so again.
 *
 * @throws CodedError `PlanTooLarge`
 */
export function sweepJobObjects(options: SweepJobOptions, plan: Uint8Array): readonly KubernetesObject[] {
  const count = Math.max(1, Math.ceil(plan.length / PART_BYTES_MAX));
  if (count > PARTS_MAX) {
    const size = `${(plan.length / 2 ** 20).toFixed(1)} MiB`;
    const most = `${PARTS_MAX} ConfigMaps of 1 MiB hold; put files that all runs read into the image`;
    throw new CodedError('PlanTooLarge', `the input of the sweep is ${size} compressed, more than ${most}`);
  }
  const { name, namespace, shards, wanted, workers, results } = options;
  const labels = { [SWEEP_LABEL]: name };
  const parts = Array.from({ length: count }, (_, i) => {
    const [suffix, file] = count === 1 ? ['', PLAN_FILE] : [`-${i + 1}`, `${PLAN_FILE}.${i + 1}`];
    const bytes = plan.subarray(i * PART_BYTES_MAX, (i + 1) * PART_BYTES_MAX);
    return { name: `${name}${suffix}`, file, bytes };
  });
  const configMaps = parts.map(({ name: partName, file, bytes }) => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: partName, namespace, labels } },
    binaryData: { [file]: Buffer.from(bytes).toString('base64') },
  }));
  const planFiles = parts.map(({ file }) => `${PLAN_FOLDER}/${file}`);
  const args = ['sweep', '--plan', ...planFiles, '--shards', `${shards}`, '--shard-list', wanted];
  // A pod that is started once more need not run again what its predecessor has written.
  const output = ['-o', results, ...(results === '-' ? [] : ['--resume'])];
  const sources = parts.map((part) => ({ configMap: { name: part.name } }));
  const planVolume = { name: 'plan', ...(count === 1 ? { configMap: { name } } : { projected: { sources } }) };
  return [...configMaps, jobOf(options, [...args, '--workers', `${workers}`, ...output], planVolume)];
}

/** A Job that merges all shards on the volume into a file beside their folder. */
export function mergeJobObject(options: SweepJobOptions, shards: string, output: string): KubernetesObject {
  const name = `${options.name}-merge`;
  return jobOf({ ...options, name, wanted: '1', wantedCount: 1 }, ['sweep', 'merge', shards, '-o', output], null);
}

function jobOf(options: SweepJobOptions, args: readonly string[], planVolume: object | null): KubernetesObject {
  const { name, namespace, wanted, wantedCount, parallelism, backoffLimitPerIndex } = options;
  const labels = { [SWEEP_LABEL]: name };
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
      template: { metadata: { labels }, spec: podSpec(options, args, planVolume) },
    },
  };
  return job;
}

function podSpec(options: SweepJobOptions, args: readonly string[], planVolume: object | null): object {
  const { image, requests, nodeSelector, claim, secret } = options;
  const { memory } = requests;
  const resources = { requests, ...(memory !== undefined && { limits: { memory } }) };
  const resultsVolume = { name: 'results', persistentVolumeClaim: { claimName: claim } };
  const planMount = { name: 'plan', mountPath: PLAN_FOLDER, readOnly: true };
  return {
    restartPolicy: 'Never',
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    volumes: [...(planVolume === null ? [] : [planVolume]), ...(claim === undefined ? [] : [resultsVolume])],
    containers: [
      {
        ...{ name: CONTAINER, image, args, resources },
        ...(secret !== undefined && { envFrom: [{ secretRef: { name: secret } }] }),
        volumeMounts: [
          ...(planVolume === null ? [] : [planMount]),
          ...(claim === undefined ? [] : [{ name: 'results', mountPath: RESULTS_FOLDER }]),
        ],
        // An error is the last line that a pod writes to its standard error.
        terminationMessagePolicy: 'FallbackToLogsOnError',
      },
    ],
  };
}
