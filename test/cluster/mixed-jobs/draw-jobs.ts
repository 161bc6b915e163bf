import type { JobSpec } from '../../../src/api/job.ts';
import type { PodSpec } from '../../../src/api/pod.ts';
import type { Prng } from '../../../src/lib/prng.ts';
import { type MixedJob, NOTHING_SPECIAL, type Script } from './script.ts';

interface Drawn {
  readonly spec: JobSpec;
  readonly script?: Partial<Script>;
  readonly podSpec?: PodSpec;
}

type Draw = (between: (first: number, last: number) => number) => Drawn;

const INDEXED = { completionMode: 'Indexed' };
const ENDLESS_SECONDS = 100_000;

function onExitCode(code: number, action: string) {
  return { rules: [{ action, onExitCodes: { operator: 'In', values: [code] } }] };
}

/** Kinds of Jobs, each about one part of the specification; `between` draws whole numbers, both ends included. */
const KINDS: Readonly<Record<string, Draw>> = {
  'completions reached': (between) => ({ spec: { completions: between(0, 5), parallelism: between(1, 3) } }),
  'one pod': () => ({ spec: {} }),
  'work queue': (between) => ({
    spec: { parallelism: between(1, 4) },
    script: { failures: between(0, 2) },
  }),
  'failures within the limit, or beyond': (between) => ({
    spec: { completions: between(1, 3), parallelism: between(1, 3), backoffLimit: between(0, 4) },
    script: { failures: between(0, 6) },
  }),
  'containers restarted in place': (between) => ({
    spec: { backoffLimit: between(0, 4) },
    script: { failures: between(0, 5) },
    podSpec: { restartPolicy: 'OnFailure' },
  }),
  indexed: (between) => {
    const completions = between(1, 5);
    const failuresByIndex = Array.from({ length: completions }, () => between(0, 1) * between(0, 2));
    const spec = { ...INDEXED, completions, parallelism: between(1, 5), backoffLimit: between(0, 6) };
    return { spec, script: { failuresByIndex } };
  },
  'limits per index': (between) => {
    const completions = between(1, 4);
    const failuresByIndex = Array.from({ length: completions }, () => between(0, 1) * between(0, 3));
    const spec = { ...INDEXED, completions, parallelism: between(1, 4), backoffLimitPerIndex: between(0, 2) };
    return { spec, script: { failuresByIndex } };
  },
  'too many failed indexes': (between) => {
    const completions = between(2, 4);
    const failuresByIndex = Array.from({ length: completions }, () => between(0, 1) * 100);
    const limits = { backoffLimitPerIndex: between(0, 2), maxFailedIndexes: between(0, completions) };
    return { spec: { ...INDEXED, completions, parallelism: completions, ...limits }, script: { failuresByIndex } };
  },
  'an exit code fails its index': (between) => {
    const completions = between(2, 4);
    const failuresByIndex = Array.from({ length: completions }, () => between(0, 2));
    const podFailurePolicy = onExitCode(42, 'FailIndex');
    const spec = { ...INDEXED, completions, parallelism: between(1, 4), backoffLimitPerIndex: 2, podFailurePolicy };
    return { spec, script: { failuresByIndex, exitCode: 42 } };
  },
  'an exit code fails the Job, or is ignored': (between) => ({
    spec: {
      ...{ completions: between(1, 4), parallelism: between(1, 3), backoffLimit: 1 },
      podFailurePolicy: onExitCode(42, ['FailJob', 'Ignore', 'Count'][between(0, 2)] as string),
    },
    script: { failures: between(0, 4), exitCode: 42 },
  }),
  'deadline exceeded, or kept': (between) => {
    const isKept = between(0, 1) === 1;
    return {
      spec: {
        ...{ completions: between(1, 4), parallelism: between(1, 4) },
        activeDeadlineSeconds: isKept ? 1000 : between(1, 40),
        podReplacementPolicy: ['TerminatingOrFailed', 'Failed'][between(0, 1)],
      },
      script: { runSeconds: isKept ? between(1, 20) : ENDLESS_SECONDS, stopSeconds: between(0, 1) * between(0, 40) },
    };
  },
  'suspended for good': (between) => {
    const changes = between(0, 1) === 0 ? [] : [{ afterSeconds: between(1, 9), spec: { suspend: true } }];
    const spec = { completions: between(1, 3), parallelism: between(1, 3), suspend: changes.length === 0 };
    return { spec, script: { runSeconds: 10, stopSeconds: between(0, 5), changes } };
  },
  'suspended and resumed': (between) => {
    const first = { afterSeconds: between(1, 9), spec: { suspend: true } };
    const second = { afterSeconds: between(10, 60), spec: { suspend: false } };
    const isSuspended = between(0, 1) === 1;
    const spec = { completions: between(1, 3), parallelism: between(1, 3), suspend: isSuspended };
    // None ends before it is suspended, and stopped ones are gone before the Job goes on.
    return { spec, script: { runSeconds: 10, changes: isSuspended ? [second] : [first, second] } };
  },
  'success policy': (between) => {
    const completions = between(2, 4);
    const good = between(1, completions - 1);
    const indexes = Array.from({ length: completions }, (_, index) => index);
    const rule =
      between(0, 1) === 0 ? { succeededCount: good } : { succeededIndexes: indexes.slice(0, good).join(',') };
    return {
      spec: { ...INDEXED, completions, parallelism: completions, successPolicy: { rules: [rule] } },
      script: { endlessIndexes: indexes.slice(good), stopSeconds: between(0, 40) },
    };
  },
  'scaled while it runs': (between) => {
    const [before, after] = [between(1, 4), between(1, 4)];
    const changes = [{ afterSeconds: between(1, 8), spec: { completions: after, parallelism: after } }];
    return { spec: { ...INDEXED, completions: before, parallelism: before }, script: { runSeconds: 10, changes } };
  },
};

/** Jobs of all kinds in turn; some of each are to be deleted a while after they finished. */
export function drawJobs(count: number, prng: Prng): readonly MixedJob[] {
  const kinds = Object.entries(KINDS);
  const between = (first: number, last: number): number => first + prng.below(last - first + 1);
  return Array.from({ length: count }, (_, number) => {
    const [kind, draw] = kinds[number % kinds.length] as (typeof kinds)[number];
    const { spec, script, podSpec } = draw(between);
    const ttlSecondsAfterFinished = between(0, 3) === 0 ? between(0, 100) : undefined;
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'app:1' }], ...podSpec } };
    return {
      ...{ kind, name: `job-${number}`, submitSeconds: between(0, 600) },
      spec: { ...spec, template, ttlSecondsAfterFinished },
      script: { ...NOTHING_SPECIAL, ...script },
    };
  });
}
