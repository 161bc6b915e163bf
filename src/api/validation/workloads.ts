import { parseCronFields } from '../../lib/cron/cron-fields.ts';
import { isTimeZone } from '../../lib/cron/time-zone.ts';
import type { CronJob } from '../cron-job.ts';
import { percentOf } from '../int-or-percent.ts';
import { type Check, isMissing, isObject, type ObjectCheck, type Problem, problemsOf, quote, show } from './check.ts';
import { jobSpecShape } from './job.ts';
import { validateJobSpec } from './job-spec.ts';
import { objectMeta } from './metadata.ts';
import { dnsLabel } from './names.ts';
import { filledSelector, lastingPodTemplate, selectsItsPods } from './pod-template.ts';
import {
  all,
  arrayOf,
  boolean,
  INT32_MAX,
  INT32_MIN,
  integer,
  object,
  oneOf,
  present,
  required,
  string,
} from './shapes.ts';
import { persistentVolumeClaimSpec } from './storage.ts';

/** Checks of the objects that make pods (pkg/apis/apps/validation and pkg/apis/batch/validation). */

const count = integer(0, INT32_MAX);

/** Checks a number of pods, or a percentage. */
const countOrPercent: Check = (value, field, problems) => {
  if (isMissing(value)) return;
  if (typeof value === 'number') count(value, field, problems);
  else if (typeof value !== 'string') {
    problems.push({ field, reason: `must be a number or a percentage, not ${show(value)}` });
  } else if (percentOf(value) === undefined) {
    problems.push({ field, reason: `bad percentage ${quote(value)} (such as 25%)` });
  }
};

/** Checks a limit of unavailable pods, which is at most all of them. */
const shareOrCount: Check = (value, field, problems) => {
  countOrPercent(value, field, problems);
  if ((percentOf(value) ?? 0) > 100) problems.push({ field, reason: `must be at most 100%, not ${String(value)}` });
};

const isZero = (value: unknown): boolean => value === 0 || percentOf(value) === 0;

/** Refuses limits with which no update comes to an end. */
const notBothZero: ObjectCheck = ({ maxSurge, maxUnavailable }, field, problems) => {
  if (!isZero(maxSurge) || !isZero(maxUnavailable)) return;
  problems.push({ field: `${field}.maxUnavailable`, reason: 'must not be 0 when maxSurge is 0' });
};

function strategy(types: readonly string[], rollingUpdate: Check): Check {
  return object({ type: oneOf('strategy', ...types, ''), rollingUpdate }, onlyWhenRolling);
}

const onlyWhenRolling: ObjectCheck = ({ type, rollingUpdate }, field, problems) => {
  if (isMissing(rollingUpdate) || isMissing(type) || type === '' || type === 'RollingUpdate') return;
  problems.push({ field: `${field}.rollingUpdate`, reason: `must not be set when type is ${String(type)}` });
};

const limits = object({ maxSurge: countOrPercent, maxUnavailable: shareOrCount }, notBothZero);

const deadlineAfterReady: ObjectCheck = ({ progressDeadlineSeconds, minReadySeconds }, field, problems) => {
  if (typeof progressDeadlineSeconds !== 'number' || progressDeadlineSeconds > Number(minReadySeconds ?? 0)) return;
  problems.push({ field: `${field}.progressDeadlineSeconds`, reason: 'must be greater than minReadySeconds' });
};

const deploymentSpec = object(
  {
    replicas: count,
    selector: filledSelector,
    template: required(lastingPodTemplate),
    strategy: strategy(['RollingUpdate', 'Recreate'], limits),
    minReadySeconds: count,
    revisionHistoryLimit: count,
    paused: boolean,
    progressDeadlineSeconds: count,
  },
  selectsItsPods,
  deadlineAfterReady,
);

/** The check of a ReplicaSet; without a template it consists only of a selector, and gets no pods. */
export const replicaSetSpec = object(
  { replicas: count, selector: filledSelector, template: lastingPodTemplate, minReadySeconds: count },
  selectsItsPods,
);

/** Refuses a limit of 0, with which no update comes to an end. */
const notZero: Check = (value, field, problems) => {
  if (isZero(value)) problems.push({ field, reason: 'must not be 0' });
};

const retention = oneOf('retention policy', 'Retain', 'Delete', '');

/** The check of a StatefulSet; without a template it consists only of a selector, and gets no pods. */
export const statefulSetSpec = object(
  {
    replicas: count,
    selector: filledSelector,
    template: lastingPodTemplate,
    volumeClaimTemplates: arrayOf(
      object({ metadata: required(object({ name: required(dnsLabel) })), spec: persistentVolumeClaimSpec }),
    ),
    serviceName: string,
    podManagementPolicy: oneOf('podManagementPolicy', 'OrderedReady', 'Parallel', ''),
    updateStrategy: strategy(
      ['RollingUpdate', 'OnDelete'],
      object({ partition: count, maxUnavailable: all(shareOrCount, notZero) }),
    ),
    revisionHistoryLimit: count,
    minReadySeconds: count,
    persistentVolumeClaimRetentionPolicy: object({ whenDeleted: retention, whenScaled: retention }),
    ordinals: object({ start: count }),
  },
  selectsItsPods,
);

const daemonSetSpec = object(
  {
    selector: filledSelector,
    template: required(lastingPodTemplate),
    updateStrategy: strategy(['RollingUpdate', 'OnDelete'], all(limits, object({ maxSurge: shareOrCount }))),
    minReadySeconds: count,
    revisionHistoryLimit: count,
  },
  selectsItsPods,
);

const cronText: Check = (value, field, problems) => {
  if (typeof value !== 'string') string(value, field, problems);
  else if (value.startsWith('TZ=') || value.startsWith('CRON_TZ=')) {
    problems.push({ field, reason: 'must not name a time zone: spec.timeZone does' });
  } else {
    const parsed = parseCronFields(value);
    if ('error' in parsed) problems.push({ field, reason: `bad schedule ${quote(value)}: ${parsed.error}` });
  }
};

const zoneName: Check = (value, field, problems) => {
  if (isMissing(value)) return;
  if (typeof value !== 'string') string(value, field, problems);
  else if (!isTimeZone(value)) problems.push({ field, reason: `unknown time zone ${quote(value)}` });
};

/** The names of Jobs add eleven characters to that of their CronJob. */
const CRON_JOB_NAME_MAX = 52;

const shortName: Check = (value, field, problems) => {
  if (typeof value !== 'string' || value.length <= CRON_JOB_NAME_MAX) return;
  problems.push({ field, reason: `must be no more than ${CRON_JOB_NAME_MAX} characters` });
};

const cronJobSpec = object({
  schedule: required(cronText),
  timeZone: zoneName,
  startingDeadlineSeconds: count,
  concurrencyPolicy: oneOf('concurrencyPolicy', 'Allow', 'Forbid', 'Replace', ''),
  suspend: boolean,
  jobTemplate: required(object({ spec: required(jobSpecShape) })),
  successfulJobsHistoryLimit: count,
  failedJobsHistoryLimit: count,
});

const CHECKS = {
  Deployment: ['apps/v1', { metadata: objectMeta, spec: required(deploymentSpec) }],
  DaemonSet: ['apps/v1', { metadata: objectMeta, spec: required(daemonSetSpec) }],
  CronJob: ['batch/v1', { metadata: all(objectMeta, object({ name: shortName })), spec: required(cronJobSpec) }],
  ControllerRevision: ['apps/v1', { metadata: objectMeta, revision: required(integer(INT32_MIN, INT32_MAX)) }],
} as const satisfies Readonly<Record<string, readonly [string, Readonly<Record<string, Check>>]>>;

/** Kinds that scheduling itself does not read. */
export type WorkloadKind = keyof typeof CHECKS;

/** The problems of a decoded object of this kind; empty when it can be used. */
export function validateWorkload(kind: WorkloadKind, value: unknown): Problem[] {
  const [apiVersion, fields] = CHECKS[kind];
  const type = { apiVersion: oneOf('apiVersion', apiVersion), kind: oneOf('kind', kind) };
  const problems = problemsOf(present(object({ ...type, ...fields })), value);
  // The rules between fields assume that every field has the right shape.
  if (kind === 'CronJob' && problems.length === 0) validateJobTemplate(value as CronJob, problems);
  return problems;
}

/** Upstream: ValidateJobTemplateSpec in pkg/apis/batch/validation/validation.go. */
function validateJobTemplate({ spec }: CronJob, problems: Problem[]): void {
  const template = spec?.jobTemplate?.spec ?? {};
  if (template.manualSelector === true) {
    problems.push({ field: 'spec.jobTemplate.spec.manualSelector', reason: 'must not be set' });
  }
  if (isObject(template.selector)) {
    problems.push({ field: 'spec.jobTemplate.spec.selector', reason: 'must not be set: it is generated' });
    return;
  }
  // A Job's selector is generated when it is made; any will do for the other rules.
  const labelled = { ...template, selector: {} };
  validateJobSpec(labelled, 'spec.jobTemplate.spec', problems);
}
