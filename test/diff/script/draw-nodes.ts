import type { Labels } from '../../../src/api/meta.ts';
import type { ContainerImage, Node, Taint } from '../../../src/api/node.ts';
import type { ResourceList } from '../../../src/api/quantity.ts';
import { HOSTNAME_LABEL, ZONE_LABEL } from '../../../src/api/topology-spread.ts';
import type { Dice } from '../../dst/script/dice.ts';
import { metaOf, plain, type Town } from './town.ts';

export const REGION_LABEL = 'topology.kubernetes.io/region';
const BETA_ZONE_LABEL = 'failure-domain.beta.kubernetes.io/zone';
/** Label values for Gt and Lt, of which some are no integers. */
export const GENERATIONS = ['1', '3', '7', '12', '1.5', 'x'];
export const DISKS = ['ssd', 'hdd'];
export const POOLS = ['pool-0', 'pool-1', 'pool-2'];
const MIB = 1024 * 1024;

const DEVICE = 'example.com/gpu';
const HUGE_PAGES = 'hugepages-2Mi';

type NodeSpec = Node['spec'];

export function drawNode(dice: Dice, town: Town, name: string): Node {
  return plain({
    metadata: metaOf(name, undefined, drawLabels(dice, town, name)),
    spec: drawSpec(dice, town),
    status: {
      allocatable: drawAllocatable(dice, town),
      images: dice.maybe(2, () => drawImages(dice, town)),
      declaredFeatures: dice.maybe(8, () => ['UserNamespacesHostNetworkSupport']),
    },
  });
}

/** The node with one part of it another. */
export function changeNode(dice: Dice, town: Town, node: Node): Node {
  const { metadata, spec, status } = node;
  const name = metadata?.name ?? '';
  switch (dice.between(0, 5)) {
    case 0:
      return plain({ ...node, metadata: { ...metadata, labels: drawLabels(dice, town, name) } });
    case 1:
      return plain({ ...node, metadata: { ...metadata, labels: { ...metadata?.labels, ...drawPlace(dice, town) } } });
    case 2:
      return plain({ ...node, spec: drawSpec(dice, town) });
    case 3:
      return plain({ ...node, spec: { ...spec, taints: drawTaints(dice) } });
    case 4:
      return plain({ ...node, status: { ...status, allocatable: drawAllocatable(dice, town) } });
    default:
      return plain({ ...node, status: { ...status, images: drawImages(dice, town) } });
  }
}

/** Zone and region, which may also be missing. */
function drawPlace(dice: Dice, { zones }: Town): Labels {
  const zone = dice.maybe(8, () => '') ?? dice.pick(zones);
  return { [dice.oneIn(12) ? BETA_ZONE_LABEL : ZONE_LABEL]: zone, [REGION_LABEL]: dice.pick(['r0', 'r1']) };
}

function drawLabels(dice: Dice, town: Town, name: string): Labels {
  const place = drawPlace(dice, town);
  const hostname = dice.oneIn(25) ? dice.pick(['shared', '']) : name;
  return plain({
    ...(dice.oneIn(6) ? {} : place),
    [HOSTNAME_LABEL]: dice.oneIn(25) ? undefined : hostname,
    disk: dice.maybe(2, () => dice.pick(DISKS)),
    gen: dice.maybe(2, () => dice.pick(GENERATIONS)),
    pool: dice.maybe(2, () => dice.pick(POOLS)),
    rack: dice.oneIn(5) ? undefined : dice.pick(town.racks),
    empty: dice.maybe(6, () => ''),
  }) as Labels;
}

function drawSpec(dice: Dice, { hasTaints }: Town): NodeSpec {
  if (!hasTaints && !dice.oneIn(20)) return {};
  const taints = dice.maybe(4, () => drawTaints(dice)) ?? [];
  if (!dice.oneIn(10)) return taints.length === 0 ? {} : { taints };
  const cordoned: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  return { unschedulable: true, taints: dice.oneIn(4) ? taints : [...taints, cordoned] };
}

export const TAINT_KEYS = ['dedicated', 'spot', 'node.kubernetes.io/not-ready'];
export const TAINT_VALUES = ['a', 'b'];

function drawTaints(dice: Dice): Taint[] {
  return dice.some(TAINT_KEYS, 0, 2).map((key) =>
    plain({
      key,
      value: dice.maybe(2, () => dice.pick(TAINT_VALUES)),
      effect: dice.pick(['PreferNoSchedule', 'PreferNoSchedule', 'NoSchedule', 'NoExecute']),
    }),
  );
}

function drawAllocatable(dice: Dice, { isRoomy }: Town): ResourceList {
  return plain({
    cpu: dice.pick(isRoomy ? ['4', '4', '8', '15910m'] : ['1', '2', '4', '8', '3500m', '15910m']),
    memory: dice.pick(isRoomy ? ['8Gi', '8Gi', '7500M', '40001234Ki'] : ['2Gi', '4Gi', '8Gi', '7500M', '4000123Ki']),
    pods: dice.oneIn(isRoomy ? 12 : 3) ? dice.pick(['8', '3']) : '110',
    'ephemeral-storage': dice.oneIn(3) ? undefined : dice.pick(['20Gi', '5G']),
    [DEVICE]: dice.maybe(4, () => dice.pick(['1', '4', '1k'])),
    [HUGE_PAGES]: dice.maybe(8, () => '128Mi'),
  }) as ResourceList;
}

function drawImages(dice: Dice, { images }: Town): ContainerImage[] {
  return dice.some(images, 0, 3).map((image, i) => {
    const digest = `${image.split(':')[0]}@sha256:${'0'.repeat(63)}${i}`;
    return { names: dice.oneIn(4) ? [image, digest] : [image], sizeBytes: dice.between(1, 1500) * MIB + i };
  });
}

/** What a pod may ask for, beside cpu and memory. */
export function drawDeviceRequest(dice: Dice): ResourceList {
  return dice.oneIn(4) ? { [HUGE_PAGES]: '64Mi' } : { [DEVICE]: dice.pick(['1', '2']) };
}
