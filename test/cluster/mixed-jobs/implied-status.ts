import type { JobSpec } from '../../../src/api/job.ts';
import type { Script } from './script.ts';

/** What a Job comes to. */
export interface ImpliedStatus {
  readonly type: 'Complete' | 'Failed' | 'Suspended';
  readonly reason: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly completedIndexes: string;
  readonly failedIndexes: string;
}

/** A spec with the API's defaults, as far as they matter here. */
interface Wanted extends JobSpec {
  readonly parallelism: number;
  readonly backoffLimit: number;
}

/** What the specification implies, given what the Job's pods do. */
export function impliedStatus(submitted: JobSpec, script: Script): ImpliedStatus {
  const spec = wantedInTheEnd(submitted, script);
  if (spec.suspend) return status('Suspended', 'JobSuspended', 0, 0);
  if (spec.completions === 0) return status('Complete', 'CompletionsReached', 0, 0);
  const { parallelism, completions = parallelism, activeDeadlineSeconds = Number.POSITIVE_INFINITY } = spec;
  if (activeDeadlineSeconds <= script.runSeconds) {
    return status('Failed', 'DeadlineExceeded', 0, Math.min(parallelism, completions));
  }
  if (spec.template?.spec?.restartPolicy === 'OnFailure') return restarted(spec, script);
  if (spec.completionMode !== 'Indexed') return withoutIndexes(spec, script);
  return spec.backoffLimitPerIndex === undefined ? indexed(spec, script) : limitedByIndex(spec, script);
}

function wantedInTheEnd(submitted: JobSpec, { changes }: Script): Wanted {
  const spec = Object.assign({}, submitted, ...changes.map((change) => change.spec)) as JobSpec;
  const isSingle = spec.completions === undefined && spec.parallelism === undefined;
  const { completions = isSingle ? 1 : undefined, parallelism = 1, backoffLimit = 6 } = spec;
  return { ...spec, completions, parallelism, backoffLimit };
}

/** One pod, whose container is started again where it is. */
function restarted({ backoffLimit }: Wanted, { failures }: Script): ImpliedStatus {
  const isTooOften = failures > 0 && failures >= backoffLimit;
  return isTooOften ? status('Failed', 'BackoffLimitExceeded', 0, 1) : status('Complete', 'CompletionsReached', 1, 0);
}

function withoutIndexes(spec: Wanted, script: Script): ImpliedStatus {
  let [succeeded, failed, ignored] = [0, 0, 0];
  const action = actionOn(spec, script.exitCode);
  for (;;) {
    const wanted = spec.completions === undefined ? spec.parallelism : spec.completions - succeeded;
    const started = Math.min(wanted, spec.parallelism);
    const bad = Math.min(started, script.failures - failed - ignored);
    succeeded += started - bad;
    if (action === 'Ignore') ignored += bad;
    else failed += bad;
    if (action === 'FailJob' && bad > 0) return status('Failed', 'PodFailurePolicy', succeeded, failed);
    if (failed > spec.backoffLimit) return status('Failed', 'BackoffLimitExceeded', succeeded, failed);
    const isDone = spec.completions === undefined ? succeeded > 0 : succeeded === spec.completions;
    if (isDone) return status('Complete', 'CompletionsReached', succeeded, failed);
  }
}

function actionOn({ podFailurePolicy }: Wanted, exitCode: number): string | undefined {
  return podFailurePolicy?.rules?.find(({ onExitCodes }) => onExitCodes?.values.includes(exitCode))?.action;
}

/** Always those of the lowest indexes that are not done run. */
function indexed(spec: Wanted, { failuresByIndex, endlessIndexes }: Script): ImpliedStatus {
  const left = [...failuresByIndex];
  const completed: number[] = [];
  let failed = 0;
  for (;;) {
    const pending = range(spec.completions ?? 0).filter((index) => !completed.includes(index));
    for (const index of pending.slice(0, spec.parallelism)) {
      if (endlessIndexes.includes(index)) continue;
      const failuresLeft = left[index] ?? 0;
      if (failuresLeft === 0) completed.push(index);
      else {
        left[index] = failuresLeft - 1;
        failed++;
      }
    }
    const done = completed.sort((a, b) => a - b);
    if (failed > spec.backoffLimit) {
      return status('Failed', 'BackoffLimitExceeded', done.length, failed, done);
    }
    if (isPolicyMet(spec, done)) return status('Complete', 'SuccessPolicy', done.length, failed, done);
    if (done.length === spec.completions) {
      return status('Complete', 'CompletionsReached', done.length, failed, done);
    }
  }
}

/** Rules here either list single indexes, or say how many. */
function isPolicyMet({ successPolicy }: Wanted, completed: readonly number[]): boolean {
  return (successPolicy?.rules ?? []).some(({ succeededIndexes, succeededCount }) => {
    const listed = succeededIndexes?.split(',').map(Number);
    const met = listed === undefined ? completed : listed.filter((index) => completed.includes(index));
    return met.length >= (succeededCount ?? listed?.length ?? 0);
  });
}

/** Every index has its own tries. Only Jobs that run all indexes at a time may fail for too many failed ones. */
function limitedByIndex(spec: Wanted, script: Script): ImpliedStatus {
  const { backoffLimitPerIndex = 0, maxFailedIndexes = Number.POSITIVE_INFINITY } = spec;
  const tries = actionOn(spec, script.exitCode) === 'FailIndex' ? 1 : backoffLimitPerIndex + 1;
  const failuresOf = (index: number): number => Math.min(script.failuresByIndex[index] ?? 0, tries);
  const indexes = range(spec.completions ?? 0);
  const bad = indexes.filter((index) => failuresOf(index) === tries);
  const good = indexes.filter((index) => failuresOf(index) < tries);
  const failed = indexes.reduce((sum, index) => sum + failuresOf(index), 0);
  if (bad.length === 0) return status('Complete', 'CompletionsReached', good.length, failed, good);
  const reason = bad.length > maxFailedIndexes ? 'MaxFailedIndexesExceeded' : 'FailedIndexes';
  return status('Failed', reason, good.length, failed, good, bad);
}

function status(
  type: ImpliedStatus['type'],
  reason: string,
  succeeded: number,
  failed: number,
  completed: readonly number[] = [],
  failedIndexes: readonly number[] = [],
): ImpliedStatus {
  const texts = { completedIndexes: asText(completed), failedIndexes: asText(failedIndexes) };
  return { type, reason, succeeded, failed, ...texts };
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Formats indexes as the API does: runs of three and more as `first-last`. */
function asText(indexes: readonly number[]): string {
  const runs: number[][] = [];
  for (const index of indexes) {
    const last = runs.at(-1);
    if (last?.at(-1) === index - 1) last.push(index);
    else runs.push([index]);
  }
  return runs.map((run) => (run.length < 3 ? run.join(',') : `${run[0]}-${run.at(-1)}`)).join(',');
}
