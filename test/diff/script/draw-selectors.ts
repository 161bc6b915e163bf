import type { LabelSelector } from '../../../src/api/label-selector.ts';
import type { Labels } from '../../../src/api/meta.ts';
import type { NodeAffinity, NodeSelectorTerm } from '../../../src/api/node-selector.ts';
import type { PodAffinity, PodAffinityTerm } from '../../../src/api/pod-affinity.ts';
import { HOSTNAME_LABEL, type TopologySpreadConstraint, ZONE_LABEL } from '../../../src/api/topology-spread.ts';
import type { Dice } from '../../dst/script/dice.ts';
import { DISKS, GENERATIONS, POOLS, REGION_LABEL } from './draw-nodes.ts';
import { plain, type Town } from './town.ts';

const TIERS = ['front', 'back'];
const VERSIONS = ['v1', 'v2'];
const TOPOLOGY_KEYS = [
  ZONE_LABEL,
  ZONE_LABEL,
  HOSTNAME_LABEL,
  HOSTNAME_LABEL,
  'rack',
  'rack',
  REGION_LABEL,
  'disk',
  'pool',
];

export function drawPodLabels(dice: Dice, { apps }: Town): Labels {
  return plain({
    app: dice.oneIn(15) ? undefined : dice.pick(apps),
    tier: dice.maybe(2, () => dice.pick(TIERS)),
    ver: dice.maybe(3, () => dice.pick(VERSIONS)),
  }) as Labels;
}

export function drawSelector(dice: Dice, { apps }: Town): LabelSelector {
  if (dice.oneIn(12)) return {};
  return plain({
    matchLabels: dice.oneIn(6)
      ? undefined
      : { app: dice.pick(apps), ...(dice.oneIn(4) ? { tier: dice.pick(TIERS) } : {}) },
    matchExpressions: dice.maybe(4, () => dice.list(1, 2, () => drawRequirement(dice))),
  });
}

function drawRequirement(dice: Dice): NonNullable<LabelSelector['matchExpressions']>[number] {
  const [key, values] = dice.pick([
    ['tier', TIERS],
    ['ver', VERSIONS],
    ['missing', ['x']],
  ] as const);
  const operator = dice.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
  return operator.endsWith('In') ? { key, operator, values: dice.some(values, 1, 2) } : { key, operator };
}

/** Draws a term with any operator; some terms match no label. */
export function drawNodeTerm(dice: Dice, town: Town): NodeSelectorTerm {
  if (dice.oneIn(25)) return {};
  return plain({
    matchExpressions: dice.oneIn(8) ? undefined : dice.list(1, 2, () => drawNodeRequirement(dice, town)),
    matchFields: dice.maybe(8, () => [
      {
        key: 'metadata.name',
        operator: dice.pick(['In', 'NotIn']),
        values: [dice.oneIn(10) ? 'gone' : dice.pick(town.nodeNames)],
      },
    ]),
  });
}

function drawNodeRequirement(dice: Dice, { zones, racks }: Town) {
  const [key, values] = dice.pick([
    [ZONE_LABEL, zones],
    ['disk', DISKS],
    ['pool', POOLS],
    ['rack', racks],
    ['empty', ['', 'x']],
    ['missing', ['x']],
    ['gen', GENERATIONS],
    ['gen', GENERATIONS],
  ] as const);
  const operator =
    key === 'gen' && !dice.oneIn(4)
      ? dice.pick(['Gt', 'Lt'])
      : dice.pick(['In', 'In', 'In', 'NotIn', 'NotIn', 'Exists', 'DoesNotExist']);
  if (operator === 'Gt' || operator === 'Lt') return { key, operator, values: [drawBound(dice)] };
  return operator.endsWith('In') ? { key, operator, values: dice.some(values, 1, 3) } : { key, operator };
}

/** The API server takes any single value here; the scheduler does not. */
function drawBound(dice: Dice): string {
  return dice.oneIn(20) ? dice.pick(['1.5', 'many']) : dice.pick(['0', '1', '5', '9']);
}

export function drawNodeAffinity(dice: Dice, town: Town): NodeAffinity {
  const preference = () => ({ weight: dice.between(1, 100), preference: drawNodeTerm(dice, town) });
  return plain({
    requiredDuringSchedulingIgnoredDuringExecution: dice.maybe(2, () => ({
      nodeSelectorTerms: dice.list(1, 2, () => drawNodeTerm(dice, town)),
    })),
    preferredDuringSchedulingIgnoredDuringExecution: dice.maybe(2, () => dice.list(1, 3, preference)),
  });
}

export function drawPodAffinity(dice: Dice, town: Town): PodAffinity {
  const preferred = () => ({ weight: dice.between(1, 100), podAffinityTerm: drawTerm(dice, town) });
  return plain({
    requiredDuringSchedulingIgnoredDuringExecution: dice.maybe(4, () => dice.list(1, 2, () => drawTerm(dice, town))),
    preferredDuringSchedulingIgnoredDuringExecution: dice.maybe(2, () => dice.list(1, 2, preferred)),
  });
}

function drawTopologyKey(dice: Dice): string {
  return dice.oneIn(25) ? 'nokey' : dice.pick(TOPOLOGY_KEYS);
}

function drawTerm(dice: Dice, town: Town): PodAffinityTerm {
  const teams = () => ({ matchLabels: { team: dice.pick(['red', 'blue']) } });
  const labelSelector = dice.oneIn(25) ? undefined : drawSelector(dice, town);
  return plain({
    topologyKey: drawTopologyKey(dice),
    labelSelector,
    namespaces: dice.maybe(5, () => dice.some([...town.namespaces, 'nowhere'], 1, 2)),
    namespaceSelector: dice.maybe(5, () => (dice.oneIn(3) ? {} : teams())),
    matchLabelKeys: labelSelector && dice.maybe(10, () => ['ver']),
    mismatchLabelKeys: labelSelector && dice.maybe(12, () => ['pod-template-hash']),
  });
}

/** A key is asked for once at most in each way, as the API server wants it. */
export function drawSpread(dice: Dice, town: Town): TopologySpreadConstraint[] {
  const constraints = new Map<string, TopologySpreadConstraint>();
  for (let count = dice.between(1, 3); count > 0; count--) {
    const whenUnsatisfiable = dice.pick(['DoNotSchedule', 'ScheduleAnyway', 'ScheduleAnyway']);
    const topologyKey = drawTopologyKey(dice);
    const constraint = {
      maxSkew: dice.pick([1, 1, 2, 4]),
      topologyKey,
      whenUnsatisfiable,
      labelSelector: dice.oneIn(20) ? undefined : drawSelector(dice, town),
      minDomains: whenUnsatisfiable === 'DoNotSchedule' ? dice.maybe(4, () => dice.between(1, 5)) : undefined,
      nodeAffinityPolicy: dice.maybe(4, () => dice.pick(['Honor', 'Ignore'])),
      nodeTaintsPolicy: dice.maybe(4, () => dice.pick(['Honor', 'Ignore'])),
    };
    const keys = constraint.labelSelector && dice.maybe(8, () => ['ver']);
    constraints.set(`${topologyKey} ${whenUnsatisfiable}`, plain({ ...constraint, matchLabelKeys: keys }));
  }
  return [...constraints.values()];
}
