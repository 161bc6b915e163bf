import type { JobSpec } from '../../../src/api/job.ts';
import type { Dice } from './dice.ts';
import { drawTemplate, type PodTraits } from './draw-objects.ts';
import type { Act } from './script.ts';

interface JobDraw {
  readonly spec: JobSpec;
  readonly behaviour?: Readonly<Record<string, string>>;
  readonly restartPolicy?: 'OnFailure' | 'Never';
  /** What happens to it later: seconds after it was submitted. */
  readonly later?: readonly { readonly afterSeconds: number; readonly spec: JobSpec }[];
}

const INDEXED = { completionMode: 'Indexed' };

const KINDS: readonly ((dice: Dice) => JobDraw)[] = [
  (dice) => ({ spec: { completions: dice.between(0, 5), parallelism: dice.between(1, 4) } }),
  (dice) => ({ spec: { parallelism: dice.between(1, 3) } }),
  (dice) => ({
    spec: { completions: dice.between(1, 3), parallelism: dice.between(1, 3), backoffLimit: dice.between(0, 3) },
    behaviour: { 'exit-codes.main': '1' },
  }),
  (dice) => ({
    spec: { completions: dice.between(1, 3), parallelism: dice.between(1, 3), backoffLimit: dice.between(0, 4) },
    behaviour: { 'exit-codes.main': dice.pick(['1,0', '1,1,0']) },
    restartPolicy: 'OnFailure',
  }),
  (dice) => ({ spec: { ...INDEXED, completions: dice.between(1, 6), parallelism: dice.between(1, 4) } }),
  (dice) => {
    const limits = { backoffLimitPerIndex: dice.between(0, 2), maxFailedIndexes: dice.between(0, 3) };
    const spec = { ...INDEXED, completions: dice.between(1, 4), parallelism: dice.between(1, 4) };
    const exitCode = dice.pick([0, 1, 42]);
    const rules = [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [42] } }];
    return {
      spec: { ...spec, ...limits, ...(dice.oneIn(2) && { podFailurePolicy: { rules } }) },
      behaviour: { 'exit-codes.main': `${exitCode}` },
    };
  },
  (dice) => ({
    spec: {
      ...{ completions: dice.between(1, 3), parallelism: dice.between(1, 3) },
      activeDeadlineSeconds: dice.between(1, 60),
      podReplacementPolicy: dice.pick(['TerminatingOrFailed', 'Failed']),
    },
    behaviour: { 'run-duration.main': dice.pick(['10s', 'forever']) },
  }),
  (dice) => ({
    spec: { completions: dice.between(1, 4), parallelism: dice.between(1, 4), suspend: dice.oneIn(2) },
    later: [
      { afterSeconds: dice.between(1, 20), spec: { suspend: true } },
      ...(dice.oneIn(4) ? [] : [{ afterSeconds: dice.between(21, 90), spec: { suspend: false } }]),
    ],
  }),
  (dice) => {
    const completions = dice.between(2, 4);
    const rules = [{ succeededCount: dice.between(1, completions - 1) }];
    return { spec: { ...INDEXED, completions, parallelism: completions, successPolicy: { rules } } };
  },
  (dice) => {
    const [before, after] = [dice.between(1, 4), dice.between(1, 4)];
    const later = [{ afterSeconds: dice.between(1, 30), spec: { completions: after, parallelism: after } }];
    return { spec: { ...INDEXED, completions: before, parallelism: before }, later };
  },
  (dice) => ({
    spec: { completions: dice.between(2, 6), parallelism: dice.between(1, 4) },
    later: [{ afterSeconds: dice.between(1, 40), spec: { parallelism: dice.between(0, 5) } }],
  }),
  (dice) => {
    const action = dice.pick(['FailJob', 'Ignore', 'Count']);
    const rules = [{ action, onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }];
    return {
      spec: {
        ...{ completions: dice.between(1, 4), parallelism: dice.between(1, 3), backoffLimit: dice.between(0, 3) },
        podFailurePolicy: { rules },
        podReplacementPolicy: 'Failed',
      },
    };
  },
];

/** A Job of any kind, and what its user does about it later; `atMillis`: of each of these, since it was submitted. */
export function drawJob(
  dice: Dice,
  name: string,
  traits: PodTraits,
): readonly { readonly afterMillis: number; readonly act: Act }[] {
  const { spec, behaviour = {}, restartPolicy = 'Never', later = [] } = dice.pick(KINDS)(dice);
  const runs = { 'run-duration.main': dice.pick(['1s', '10s', 'uniform(1s, 60s)', 'exponential(15s)']) };
  const template = drawTemplate(dice, { restartPolicy, behaviour: { ...runs, ...behaviour }, ...traits });
  const ttl = dice.oneIn(3) ? { ttlSecondsAfterFinished: dice.between(0, 100) } : {};
  const object = { metadata: { name, namespace: 'default' }, spec: { ...spec, ...ttl, template } };
  return [
    { afterMillis: 0, act: { do: 'submit', resource: 'jobs', object } },
    ...later.map(({ afterSeconds, spec: change }) => ({
      afterMillis: afterSeconds * 1000 + dice.between(0, 999),
      act: { do: 'patch' as const, resource: 'jobs' as const, name, body: { spec: change } },
    })),
    ...(dice.oneIn(6) ? [{ afterMillis: dice.between(1, 120_000), act: deletion(dice, name) }] : []),
  ];
}

function deletion(dice: Dice, name: string): Act {
  return {
    ...{ do: 'delete', resource: 'jobs', name },
    propagationPolicy: dice.pick(['Background', 'Foreground', 'Orphan']),
  };
}
