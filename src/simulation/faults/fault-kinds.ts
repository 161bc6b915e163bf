import { parseLabelSelector } from '../../api/label-selector-text.ts';
import type { Labels } from '../../api/meta.ts';
import { type Check, isObject } from '../../api/validation/check.ts';
import { mapOf, oneOf, required, string } from '../../api/validation/shapes.ts';
import type { RuntimeFaults } from '../../kubelet/simulated-runtime/simulated-runtime.ts';
import { assert } from '../../lib/assert.ts';
import type { Prng } from '../../lib/prng.ts';
import { RESOURCES, type Resource } from '../../store/objects/resources.ts';
import { duration, durationMillis } from '../input/settings-file.ts';
import type { FaultTargets } from './fault-targets.ts';
import { MILLION } from './faulty-client.ts';
import type { NodeFaults } from './node-faults.ts';

/** The fields of an entry except those for times. */
export interface FaultSettings {
  readonly node?: string;
  /** Labels: all healthy nodes that have them. */
  readonly nodes?: Labels;
  /** A selector such as `zone in (a,b),!gpu`: all healthy nodes that it selects. */
  readonly selector?: string;
  readonly share?: number;
  readonly delay?: string;
  readonly by?: string;
  readonly resource?: Resource;
  readonly operation?: keyof typeof OPERATIONS;
}

/** A fault that has begun. */
export interface ActiveFault {
  /** The target, for the log; may be empty. */
  readonly where: string;
  /** Ends the fault; absent if the fault was over at once. */
  readonly end?: () => void;
}

export interface FaultModules {
  readonly targets: FaultTargets;
  readonly nodes: NodeFaults;
  readonly prng: Prng;
}

export interface FaultKind {
  readonly fields: Readonly<Record<string, Check>>;
  /** Checks of the whole entry. */
  readonly checks?: readonly Check[];
  /** Whether the fault lasts, so that `for` may say how long. */
  readonly lasts: boolean;
  /** Starts the fault. Returns undefined if there is no target for it. */
  begin(settings: FaultSettings, modules: FaultModules): ActiveFault | undefined;
}

const share: Check = (value, field, problems) => {
  if (value === undefined || (typeof value === 'number' && value > 0 && value <= 1)) return;
  problems.push({ field, reason: `must be a number above 0 and up to 1, not ${JSON.stringify(value)}` });
};

/** The fields that say which nodes are struck. */
export const TARGET_FIELDS = ['node', 'nodes', 'selector'] as const;

/** Refuses a name beside labels or a selector: the nodes are said in one way. */
const oneTargetField: Check = (value, field, problems) => {
  if (!isObject(value)) return;
  const [first, second] = TARGET_FIELDS.filter((name) => value[name] !== undefined);
  if (second !== undefined) {
    problems.push({ field: `${field}.${second}`, reason: `cannot be set together with ${first}` });
  }
};

const selector: Check = (value, field, problems) => {
  if (value === undefined) return;
  const parsed = typeof value === 'string' ? parseLabelSelector(value) : { error: 'must be a string' };
  if ('error' in parsed) problems.push({ field, reason: parsed.error });
  else if (value === '') problems.push({ field, reason: 'must not be empty' });
};

/** The runtime faults of each operation. */
export const OPERATIONS = {
  status: { statusError: 'rpc error: code = Unavailable desc = status' },
  sandbox: { sandboxError: 'rpc error: code = Unknown desc = failed to create sandbox' },
  pull: { pullError: 'rpc error: code = Unavailable desc = failed to pull image' },
  prepare: { prepareError: 'rpc error: code = Unavailable desc = failed to prepare the claim' },
  start: { startError: 'rpc error: code = Unknown desc = failed to start container' },
} as const satisfies Readonly<Record<string, RuntimeFaults>>;

const LIST_ERROR = 'rpc error: code = DeadlineExceeded desc = list pods';

export const FAULT_KINDS: Readonly<Record<string, FaultKind>> = {
  nodeCrash: ofNode({}, (name, _, { nodes }) => nodes.crash(name)),
  networkPartition: ofNode({}, (name, _, { nodes }) => nodes.partition(name)),
  slowRelist: ofNode({ delay: required(duration) }, (name, { delay = '0s' }, { nodes }) =>
    nodes.addRuntimeFaults(name, { listMillis: durationMillis(delay) }),
  ),
  failingRelist: ofNode({}, (name, _, { nodes }) => nodes.addRuntimeFaults(name, { listError: LIST_ERROR })),
  slowClaims: ofNode({ delay: required(duration) }, (name, { delay = '0s' }, { nodes }) =>
    nodes.addRuntimeFaults(name, { prepareMillis: durationMillis(delay) }),
  ),
  runtimeErrors: ofNode(
    { operation: required(oneOf('operation', ...Object.keys(OPERATIONS))) },
    (name, { operation = 'start' }, { nodes }) => nodes.addRuntimeFaults(name, { ...OPERATIONS[operation] }),
  ),
  lostWatch: momentary({ resource: oneOf('resource', ...Object.keys(RESOURCES)) }, ({ resource }, { targets }) => {
    const count = targets.client.loseWatches(resource);
    return count === 0 ? undefined : `${count} watches of ${resource ?? 'everything'}`;
  }),
  storeConflicts: ofShare('changes', ({ client }, millionths) => {
    client.conflictMillionths += millionths;
  }),
  storeTimeouts: ofShare('requests', ({ client }, millionths) => {
    client.timeoutMillionths += millionths;
  }),
  lateWatches: byDelay(({ client }, millis) => {
    client.delayMillis += millis;
  }),
  slowControllers: byDelay((targets, millis) => targets.slowControllers(millis)),
  clockJump: momentary({ by: required(duration) }, ({ by = '0s' }, { targets }) => {
    targets.sleep(durationMillis(by));
    return `by ${by}`;
  }),
  workerDeath: momentary({}, (_, { targets }) => {
    targets.endWorker();
    return '';
  }),
  controllerRestart: momentary({}, (_, { targets }) => {
    targets.restartControllers();
    return '';
  }),
};

/** Whether faults of this kind strike nodes. */
export function strikesNodes(kind: string): boolean {
  return FAULT_KINDS[kind]?.fields['node'] !== undefined;
}

type Fields = FaultKind['fields'];

function lasting(fields: Fields, begin: FaultKind['begin']): FaultKind {
  return { fields, lasts: true, begin };
}

/** A fault that is added to those of its kind while it lasts, and then subtracted again. */
type Add = (targets: FaultTargets, amount: number) => void;

/** A fault of a share of the changes or requests. */
function ofShare(of: string, add: Add): FaultKind {
  return lasting({ share: required(share) }, ({ share: part = 0 }, { targets }) => {
    return added(Math.round(part * MILLION), `${part} of all ${of}`, targets, add);
  });
}

function byDelay(add: Add): FaultKind {
  return lasting({ delay: required(duration) }, ({ delay = '0s' }, { targets }) => {
    return added(durationMillis(delay), `by ${delay}`, targets, add);
  });
}

function added(amount: number, where: string, targets: FaultTargets, add: Add): ActiveFault {
  add(targets, amount);
  return { where, end: () => add(targets, -amount) };
}

/** A fault that is over at once. `inject` returns the affected target, or undefined if there was none. */
function momentary(
  fields: Fields,
  inject: (settings: FaultSettings, modules: FaultModules) => string | undefined,
): FaultKind {
  const begin: FaultKind['begin'] = (settings, modules) => {
    const where = inject(settings, modules);
    return where === undefined ? undefined : { where };
  };
  return { fields, lasts: false, begin };
}

/** A fault of one node: the named one, or any healthy node; or of all healthy nodes that labels or a selector name. */
function ofNode(
  fields: Fields,
  inject: (nodeName: string, settings: FaultSettings, modules: FaultModules) => () => void,
): FaultKind {
  const begin: FaultKind['begin'] = (settings, modules) => {
    const targets = targetsOf(settings, modules);
    if (targets.length === 0) return undefined;
    const ends = targets.map((name) => inject(name, settings, modules));
    const end = () => {
      for (const each of ends) each();
    };
    const where =
      selectionOf(settings) === null ? `of ${targets[0]}` : `of ${targets.length} nodes, ${targets.join(' ')}`;
    return { where, end };
  };
  const node = { node: string, nodes: mapOf(string, string), selector };
  return { fields: { ...node, ...fields }, checks: [oneTargetField], lasts: true, begin };
}

function targetsOf(settings: FaultSettings, { nodes: faults, prng, targets }: FaultModules): readonly string[] {
  const { node } = settings;
  const healthy = faults.healthyNames;
  const selects = selectionOf(settings);
  if (selects !== null) return healthy.filter((name) => selects(targets.labelsOf(name)));
  const name = node ?? (healthy.length === 0 ? '' : healthy[prng.below(healthy.length)]);
  return name !== undefined && healthy.includes(name) ? [name] : [];
}

/** Whether labels are those of a node that the fault strikes; null for a fault of a single node. */
export function selectionOf({
  nodes,
  selector: text,
}: FaultSettings): ((labels: Labels | undefined) => boolean) | null {
  if (nodes !== undefined) {
    return (labels) => Object.entries(nodes).every(([key, value]) => labels?.[key] === value);
  }
  if (text === undefined) return null;
  const parsed = parseLabelSelector(text);
  assert(!('error' in parsed), 'selectors of faults were checked when they were read');
  return (labels) => parsed.matches(labels);
}
