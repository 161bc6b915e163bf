import {
  COMPLETION_INDEX_KEY,
  INDEX_FAILURE_COUNT_KEY,
  INDEX_IGNORED_FAILURE_COUNT_KEY,
  JOB_TRACKING_FINALIZER,
  type Job,
} from '../../api/job.ts';
import type { ObjectMeta } from '../../api/meta.ts';
import type { Container, EnvVar, Pod, PodSpec } from '../../api/pod.ts';
import { mapKeeping, withMembers } from '../../lib/map-keeping.ts';
import { controllerReference, GENERATE_NAME_MAX } from '../pod-creation.ts';
import { failuresWith } from './index-failures.ts';
import type { JobPlan } from './job-plan.ts';

const INDEX_ENV_NAME = 'JOB_COMPLETION_INDEX';
/** The variable by which containers learn their index, taken from a label of the pod. */
const INDEX_ENV: EnvVar = {
  name: INDEX_ENV_NAME,
  valueFrom: { fieldRef: { fieldPath: `metadata.labels['${COMPLETION_INDEX_KEY}']` } },
};

/** Makes the pods of one Job; their common parts are made once and shared. */
export class NewPods {
  readonly #job: Job;
  readonly #plan: JobPlan;
  readonly #metadata: ObjectMeta;
  readonly #spec: PodSpec;

  constructor(job: Job, plan: JobPlan) {
    const { name = '', namespace } = job.metadata ?? {};
    const { metadata: { labels, annotations, finalizers = [] } = {}, spec = {} } = job.spec?.template ?? {};
    this.#job = job;
    this.#plan = plan;
    this.#metadata = {
      generateName: `${name}-`,
      namespace,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      finalizers: finalizers.includes(JOB_TRACKING_FINALIZER) ? finalizers : [...finalizers, JOB_TRACKING_FINALIZER],
      ownerReferences: [controllerReference('batch/v1', 'Job', job)],
    };
    this.#spec = plan.indexes === undefined ? spec : withIndexEnv(spec);
  }

  withoutIndex(): Pod {
    return { metadata: this.#metadata, spec: this.#spec };
  }

  /** `replaced`: the failed pod that the new one replaces, if failures are counted per index. */
  withIndex(index: number, replaced: Pod | undefined): Pod {
    const { name = '' } = this.#job.metadata ?? {};
    const { namespace, labels, annotations, finalizers, ownerReferences } = this.#metadata;
    const indexText = String(index);
    const metadata: ObjectMeta = {
      generateName: generateNameOf(name, indexText),
      namespace,
      labels: { ...labels, [COMPLETION_INDEX_KEY]: indexText },
      annotations: {
        ...annotations,
        [COMPLETION_INDEX_KEY]: indexText,
        ...(this.#plan.backoffLimitPerIndex !== undefined && this.#failureCounts(replaced)),
      },
      finalizers,
      ownerReferences,
    };
    return { metadata, spec: { ...this.#spec, hostname: `${name}-${indexText}` } };
  }

  #failureCounts(replaced: Pod | undefined): Record<string, string> {
    const { counted, ignored } = failuresWith(replaced, this.#plan);
    return {
      [INDEX_FAILURE_COUNT_KEY]: String(counted),
      ...(ignored > 0 && { [INDEX_IGNORED_FAILURE_COUNT_KEY]: String(ignored) }),
    };
  }
}

/** The prefix of the pod's name. If it would be too long, the Job's name is cut, never the index. */
function generateNameOf(jobName: string, index: string): string {
  const suffix = `-${index}-`;
  return jobName.slice(0, GENERATE_NAME_MAX - suffix.length) + suffix;
}

function withIndexEnv(spec: PodSpec): PodSpec {
  const containers = mapKeeping(spec.containers, withEnv);
  const initContainers = mapKeeping(spec.initContainers, withEnv);
  return withMembers(spec, { containers, initContainers });
}

/** Adds the variable, unless the container defines it itself. */
function withEnv(container: Container): Container {
  const { env = [] } = container;
  return env.some(({ name }) => name === INDEX_ENV_NAME) ? container : { ...container, env: [...env, INDEX_ENV] };
}
