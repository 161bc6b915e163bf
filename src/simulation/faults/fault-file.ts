import { type Check, isObject } from '../../api/validation/check.ts';
import { arrayOf, integer, nonEmpty, oneOf, required } from '../../api/validation/shapes.ts';
import { type Distribution, parseDistribution } from '../../lib/distribution.ts';
import type { FileSource } from '../../manifests/file-source.ts';
import {
  type Bounds,
  type BoundsFields,
  boundsOf,
  distribution,
  duration,
  durationMillis,
  manyOf,
  oneField,
  oneOrMany,
  readSettings,
  settings,
} from '../input/settings-file.ts';
import { FAULT_KINDS, type FaultSettings } from './fault-kinds.ts';

/** The times at which a fault begins, in milliseconds since the simulation began: fixed ones, or repeated ones. */
export type FaultTimes =
  | { readonly atMillis: readonly number[] }
  | (Bounds & {
      /** The time from one beginning to the next; the first is this long after `fromMillis`. */
      readonly gap: Distribution;
    });

/** A fault of a plan, and when it strikes. */
export interface PlannedFault {
  /** A key of `FAULT_KINDS`. */
  readonly kind: string;
  readonly settings: FaultSettings;
  readonly times: FaultTimes;
  /** How long the fault lasts; undefined: for ever, if it lasts at all. */
  readonly length: Distribution | undefined;
}

interface FaultEntry extends FaultSettings, BoundsFields {
  readonly fault: string;
  readonly at?: string | readonly string[];
  readonly every?: string;
  readonly for?: string;
}

const COUNT_MAX = 1_000_000;

function entryCheck(kind: string): Check {
  const { fields, checks = [], lasts = false } = FAULT_KINDS[kind] ?? {};
  const times = { at: oneOrMany(duration), every: distribution, from: duration, until: duration };
  return settings(
    {
      fault: required(oneOf('fault', kind)),
      ...times,
      count: integer(1, COUNT_MAX),
      ...(lasts && { for: distribution }),
      ...fields,
    },
    oneField('at', 'every'),
    onlyWithEvery,
    gapsTakeTime,
    ...checks,
  );
}

const onlyWithEvery: Check = (value, field, problems) => {
  if (!isObject(value) || value['every'] !== undefined) return;
  const name = ['from', 'until', 'count'].find((key) => value[key] !== undefined);
  if (name !== undefined) problems.push({ field: `${field}.${name}`, reason: 'belongs to every, not to at' });
};

/** Refuses faults without any time between them, which would all happen at the same moment. */
const gapsTakeTime: Check = (value, field, problems) => {
  const every = isObject(value) ? value['every'] : undefined;
  if (typeof every !== 'string' || !/^(?:fixed\()?\s*0[a-zµ]*\s*\)?$/.test(every.trim())) return;
  problems.push({ field: `${field}.every`, reason: 'must be longer than nothing' });
};

const ENTRY_CHECKS = new Map<string, Check>(Object.keys(FAULT_KINDS).map((kind) => [kind, entryCheck(kind)]));

const settingsOfNoKind = settings({ fault: required(oneOf('fault', ...Object.keys(FAULT_KINDS))) });

const entry: Check = (value, field, problems) => {
  const kind = isObject(value) ? value['fault'] : undefined;
  const check = typeof kind === 'string' ? ENTRY_CHECKS.get(kind) : undefined;
  if (check !== undefined) check(value, field, problems);
  else settingsOfNoKind(value, field, problems);
};

/**
 * Reads the faults to inject, and their times:
 *
 * ```yaml
 * apiVersion: berth.dev/v1alpha1
 * kind: Faults
 * faults:
 *   - fault: nodeCrash          # a node goes down, with everything on it
 *     every: exponential(1h)    # one of: at (a time, or a list), every (the time between two)
 *     from: 10m                 # with every: when it begins; absent: at once
 *     until: 24h                #   when it ends; absent: never
 *     count: 10                 #   how many; absent: no limit
 *     for: uniform(1m, 10m)     # how long it lasts; absent: for ever
 *     node: node-00003          # absent: any healthy node
 *     # nodes: {topology.kubernetes.io/zone: b}   # all healthy nodes with these labels
 *     # selector: pool in (web, batch), !gpu       # all healthy nodes that it selects
 * ```
 *
 * | fault | what goes wrong | fields beside times |
 * |---|---|---|
 * | nodeCrash | a node is down | for, node, nodes, selector |
 * | networkPartition | a node and the API do not reach each other | for, node, nodes, selector |
 * | slowRelist | listing the pods of a node's runtime takes long | for, node, nodes, selector, delay |
 * | failingRelist | listing them fails | for, node, nodes, selector |
 * | slowClaims | a node's drivers take long to prepare claims | for, node, nodes, selector, delay |
 * | runtimeErrors | a node's runtime or drivers fail | as nodeCrash; operation: status, sandbox, pull, prepare, start |
 * | lostWatch | open watches end, their version is too old | resource; absent: all |
 * | storeConflicts | changes are refused as if another client had been faster | for, share: above 0, up to 1 |
 * | storeTimeouts | requests get no answer, and may be carried out nevertheless | for, share |
 * | lateWatches | watch events come late | for, delay |
 * | slowControllers | each sync of a controller takes long | for, delay |
 * | clockJump | the machine sleeps: time passes, and nothing runs | by |
 * | workerDeath | a thread that helps the scheduler ends | |
 * | controllerRestart | the controllers are restarted, with empty caches | |
 *
 * @throws CodedError with file, field path and reason
 */
export async function readFaults(name: string, files: FileSource): Promise<readonly PlannedFault[]> {
  const document = await readSettings(name, 'Faults', { faults: required(nonEmpty(arrayOf(entry))) }, files);
  return (document['faults'] as readonly FaultEntry[]).map(plannedFault);
}

function plannedFault(entry: FaultEntry): PlannedFault {
  const { fault, at, every, from, until, count, for: length, ...settings } = entry;
  const times: FaultTimes =
    every === undefined
      ? { atMillis: manyOf(at).map(durationMillis) }
      : { gap: parseDistribution(every), ...boundsOf(entry) };
  return { kind: fault, settings, times, length: length === undefined ? undefined : parseDistribution(length) };
}

/** The earliest time at which the fault may begin. */
export function firstBeginMillis({ times }: PlannedFault): number {
  return 'atMillis' in times ? Math.min(...times.atMillis) : times.fromMillis;
}

/** When the last fault begins, as far as that is certain; Infinity if faults never end by themselves. */
export function lastBeginMillis({ times }: PlannedFault): number {
  if ('atMillis' in times) return Math.max(...times.atMillis);
  return times.count < Number.POSITIVE_INFINITY ? times.fromMillis : times.untilMillis;
}
