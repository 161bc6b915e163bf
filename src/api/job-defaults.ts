/**
 * Changes that the API server makes to a Job: the defaults (pkg/apis/batch/v1/defaults.go), and the preparation of new
 * and updated Jobs (pkg/registry/batch/job/strategy.go). Nothing is mutated.
 */
import { mapKeeping, withMembers } from '../lib/map-keeping.ts';
import type { Job, JobSpec, PodFailurePolicy, PodFailurePolicyRule } from './job.ts';
import type { Labels, ObjectMeta } from './meta.ts';
import { defaultPodTemplate } from './pod-template.ts';
import { semanticallyEqual } from './semantic-equality.ts';

const DEFAULT_NAMESPACE = 'default';
const DEFAULT_BACKOFF_LIMIT = 6;
/** The default limit of the whole Job when there is a limit for each index. */
const NO_BACKOFF_LIMIT = 2 ** 31 - 1;

/** The label by which a generated selector finds the pods of its Job. */
export const CONTROLLER_UID_KEY = 'batch.kubernetes.io/controller-uid';
/** The label by which users find the pods of a Job. */
export const JOB_NAME_KEY = 'batch.kubernetes.io/job-name';
/** The label keys, with the older ones without a prefix first. */
const JOB_NAME_KEYS = ['job-name', JOB_NAME_KEY];
const CONTROLLER_UID_KEYS = ['controller-uid', CONTROLLER_UID_KEY];

/** @throws CodedError `InvalidQuantity`, only for a template with pod-level resources */
export function defaultJob(job: Job): Job {
  const { metadata = {}, spec = {} } = job;
  const template = defaultPodTemplate(spec.template ?? {});
  return {
    ...job,
    metadata: { ...metadata, namespace: metadata.namespace || DEFAULT_NAMESPACE },
    spec: defaultSpec({ ...spec, template }),
  };
}

function defaultSpec(spec: JobSpec): JobSpec {
  const { completions, parallelism, backoffLimitPerIndex, podFailurePolicy } = spec;
  const isSinglePod = completions === undefined && parallelism === undefined;
  return {
    ...spec,
    parallelism: parallelism ?? 1,
    ...(isSinglePod && { completions: 1 }),
    backoffLimit: spec.backoffLimit ?? (backoffLimitPerIndex === undefined ? DEFAULT_BACKOFF_LIMIT : NO_BACKOFF_LIMIT),
    completionMode: spec.completionMode ?? 'NonIndexed',
    suspend: spec.suspend ?? false,
    manualSelector: spec.manualSelector ?? false,
    podReplacementPolicy: spec.podReplacementPolicy ?? (podFailurePolicy ? 'Failed' : 'TerminatingOrFailed'),
    ...(podFailurePolicy && { podFailurePolicy: defaultPodFailurePolicy(podFailurePolicy) }),
  };
}

function defaultPodFailurePolicy(policy: PodFailurePolicy): PodFailurePolicy {
  return policy.rules === undefined ? policy : { ...policy, rules: policy.rules.map(defaultRule) };
}

function defaultRule(rule: PodFailurePolicyRule): PodFailurePolicyRule {
  const onPodConditions = mapKeeping(rule.onPodConditions, (pattern) =>
    pattern.status ? pattern : { ...pattern, status: 'True' },
  );
  return withMembers(rule, { onPodConditions });
}

/** The defaulted Job as it is stored on creation; it must have its name and uid. */
export function prepareNewJob(job: Job): Job {
  const prepared = { ...job, metadata: { ...job.metadata, generation: 1 }, status: {} };
  const selecting = job.spec?.manualSelector === true ? prepared : withGeneratedSelector(prepared);
  // If only the template has labels, they are also the Job's, and then so are the generated ones.
  const takesLabels = hasLabels(job.spec?.template?.metadata) && !hasLabels(job.metadata);
  if (!takesLabels) return selecting;
  return { ...selecting, metadata: { ...selecting.metadata, labels: selecting.spec?.template?.metadata?.labels } };
}

/** The defaulted Job as it is stored in place of `stored`, whose status stays. */
export function prepareJobUpdate(job: Job, stored: Job): Job {
  const generation = stored.metadata?.generation ?? 0;
  const changes = semanticallyEqual(job.spec, stored.spec) ? 0 : 1;
  return {
    ...job,
    metadata: { ...job.metadata, generation: generation + changes },
    ...(stored.status && { status: stored.status }),
  };
}

/** Makes the Job select its own pods only, by its uid, which its pods get as a label. */
function withGeneratedSelector(job: Job): Job {
  const { metadata = {}, spec = {} } = job;
  const { name = '', uid = '' } = metadata;
  const given = spec.template?.metadata?.labels;
  const labels: Labels = { ...labelled(JOB_NAME_KEYS, name), ...labelled(CONTROLLER_UID_KEYS, uid), ...given };
  const matchLabels = { [CONTROLLER_UID_KEY]: uid, ...spec.selector?.matchLabels };
  return {
    ...job,
    spec: {
      ...spec,
      selector: { ...spec.selector, matchLabels },
      template: { ...spec.template, metadata: { ...spec.template?.metadata, labels } },
    },
  };
}

function hasLabels(metadata: ObjectMeta | undefined): boolean {
  return Object.keys(metadata?.labels ?? {}).length > 0;
}

function labelled(keys: readonly string[], value: string): Labels {
  return Object.fromEntries(keys.map((key) => [key, value]));
}
