import { parseDistribution } from '../../../src/lib/distribution.ts';
import type { PlannedFault } from '../../../src/simulation/faults/fault-file.ts';
import type { FaultSettings } from '../../../src/simulation/faults/fault-kinds.ts';
import type { Dice } from './dice.ts';
import type { Act } from './script.ts';

interface FaultDraw {
  readonly settings?: FaultSettings;
  /** 0: it is over at once. */
  readonly forSeconds?: number;
}

const KINDS: Readonly<Record<string, (dice: Dice, node: string) => FaultDraw>> = {
  nodeCrash: (dice, node) => ({ settings: { node }, forSeconds: dice.between(1, 120) }),
  networkPartition: (dice, node) => ({ settings: { node }, forSeconds: dice.between(1, 120) }),
  slowRelist: (dice, node) => ({
    settings: { node, delay: `${dice.between(1, 300)}s` },
    forSeconds: dice.between(1, 240),
  }),
  failingRelist: (dice, node) => ({ settings: { node }, forSeconds: dice.between(1, 240) }),
  runtimeErrors: (dice, node) => ({
    settings: { node, operation: dice.pick(['status', 'sandbox', 'pull', 'prepare', 'start'] as const) },
    forSeconds: dice.between(1, 60),
  }),
  slowClaims: (dice, node) => ({
    settings: { node, delay: `${dice.between(10, 30_000)}ms` },
    forSeconds: dice.between(1, 120),
  }),
  lostWatch: (dice) => ({
    settings: dice.oneIn(2) ? {} : { resource: dice.pick(['pods', 'jobs', 'nodes'] as const) },
  }),
  storeConflicts: (dice) => ({
    settings: { share: dice.pick([0.05, 0.3, 0.8]) },
    forSeconds: dice.between(1, 60),
  }),
  storeTimeouts: (dice) => ({
    settings: { share: dice.pick([0.05, 0.2, 0.6]) },
    forSeconds: dice.between(1, 40),
  }),
  lateWatches: (dice) => ({
    settings: { delay: `${dice.between(10, 8000)}ms` },
    forSeconds: dice.between(1, 90),
  }),
  slowControllers: (dice) => ({
    settings: { delay: `${dice.between(10, 6000)}ms` },
    forSeconds: dice.between(1, 90),
  }),
  clockJump: (dice) => ({ settings: { by: `${dice.pick([500, 5000, 30_000, 400_000])}ms` } }),
  controllerRestart: () => ({}),
};

/** A fault of any kind, which ends; `nodeNames`: where it may be. */
export function drawFault(dice: Dice, nodeNames: readonly string[]): Act {
  const kind = dice.pick(Object.keys(KINDS));
  const { settings = {}, forSeconds = 0 } = KINDS[kind]?.(dice, dice.pick(nodeNames)) ?? {};
  const length = forSeconds === 0 ? undefined : parseDistribution(`${forSeconds}s`);
  const fault: PlannedFault = { kind, settings, times: { atMillis: [] }, length };
  return { do: 'fault', fault, forSeconds };
}
