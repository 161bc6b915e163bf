import type { PodResourceClaim } from '../../../src/api/pod.ts';
import type { Device, DeviceClass, ResourceClaim, ResourceSlice } from '../../../src/api/resource-claims.ts';
import type { Dice } from '../../dst/script/dice.ts';
import type { ScriptEvent } from '../../parity/script/script-case.ts';
import { metaOf, plain, type Town } from './town.ts';

type Drawn = Extract<ScriptEvent, { readonly t: 'set' | 'unset' }>;
type Request = NonNullable<NonNullable<NonNullable<ResourceClaim['spec']>['devices']>['requests']>[number];

const CARDS = 'cards.example.com';
const LINKS = 'links.example.com';
const MODELS = ['a', 'b'];
/** Claims that pods share. */
const SHARED = ['shared-0', 'shared-1'];
/** More devices than any node has, and not more than a claim may have. */
const TOO_MANY = 32;

/** What a town with devices has from the beginning: classes, slices of nodes, a pool that all nodes reach, claims. */
export function drawDevices(dice: Dice, town: Town): Drawn[] {
  return [
    ...['card', 'model-a', 'link'].map((name) => drawClass(dice, name)),
    ...town.nodeNames.flatMap((node) => (dice.oneIn(4) ? [] : drawCards(dice, node))),
    ...(dice.oneIn(2) ? [drawLinks(dice, town)] : []),
    ...town.namespaces.flatMap((namespace) => SHARED.map((name) => drawClaim(dice, name, namespace))),
  ];
}

/** Something about devices is another, or gone. */
export function drawDeviceChange(dice: Dice, town: Town, claims: readonly ResourceClaim[]): Drawn[] {
  const node = dice.pick(town.nodeNames);
  const claim = claims.length === 0 ? undefined : dice.pick(claims);
  const { name = '', namespace = '' } = claim?.metadata ?? {};
  switch (dice.between(0, 7)) {
    case 0:
      return [drawClass(dice, dice.pick(['card', 'model-a', 'link']))];
    case 1:
      return [drawLinks(dice, town)];
    case 2:
      return [{ t: 'unset', k: 'ResourceSlice', n: `${node}-cards` }];
    case 3:
      return [{ t: 'unset', k: 'DeviceClass', n: dice.pick(['model-a', 'link']) }];
    case 4:
    case 5:
      // The claim as it was made has no devices: they are given back.
      if (claim !== undefined) return [{ t: 'set', k: 'ResourceClaim', o: claim }];
      return drawCards(dice, node);
    case 6:
      if (claim !== undefined) return [{ t: 'unset', k: 'ResourceClaim', n: name, ns: namespace }];
      return drawCards(dice, node);
    default:
      return drawCards(dice, node);
  }
}

/** How a pod refers to its claim, with the claim if it is its own. */
export function drawReference(
  dice: Dice,
  podName: string,
  namespace: string,
): { readonly reference: PodResourceClaim; readonly own: ResourceClaim | null } {
  if (dice.oneIn(4)) return { reference: { name: 'devices', resourceClaimName: dice.pick(SHARED) }, own: null };
  const name = `of-${podName}`;
  const { o: own } = drawClaim(dice, name, namespace);
  return { reference: { name: 'devices', resourceClaimName: name }, own: own as ResourceClaim };
}

/** A claim that no node can serve, so that the explanation of its pod names every device. */
export function greedyClaim(namespace: string): ResourceClaim {
  const requests = ['card', 'link'].map((name) => ({ name, exactly: { deviceClassName: name, count: TOO_MANY / 2 } }));
  return plain({ metadata: metaOf('greedy', namespace), spec: { devices: { requests } } });
}

function drawClass(dice: Dice, name: string): Drawn {
  const ofCards = `device.driver == "${CARDS}"`;
  const conditions: Readonly<Record<string, string>> = {
    card: ofCards,
    'model-a': `${ofCards} && device.attributes["${CARDS}"].model == "a"`,
    link: `device.driver == "${LINKS}"`,
  };
  // Some devices lack the attribute that the second condition reads: to look at them is an error.
  const expression = dice.oneIn(20) ? `device.attributes["${CARDS}"].rare == 1` : (conditions[name] ?? 'true');
  const o: DeviceClass = { metadata: metaOf(name), spec: { selectors: [{ cel: { expression } }] } };
  return { t: 'set', k: 'DeviceClass', o: plain(o) };
}

/** The cards of a node: whole ones, parts that share counters, or such that several claims share by capacity. */
function drawCards(dice: Dice, node: string): Drawn[] {
  const kind = dice.pick(['whole', 'whole', 'parts', 'shared'] as const);
  const devices = dice.list(1, 5, (i): Device => {
    const attributes = { model: { string: dice.pick(MODELS) }, numa: { int: i % 2 } };
    const taints = dice.oneIn(8) ? [{ key: 'broken', effect: dice.pick(['NoSchedule', 'NoExecute', 'None']) }] : [];
    const device = { name: `card-${i}`, attributes, ...(taints.length > 0 && { taints }) };
    if (kind === 'parts') {
      const counters = { memory: { value: `${dice.pick([1, 2, 4])}Gi` } };
      return { ...device, consumesCounters: [{ counterSet: 'board', counters }] };
    }
    if (kind === 'whole') return { ...device, ...(dice.oneIn(10) && { bindsToNode: true }) };
    const requestPolicy = dice.oneIn(2) ? { default: '1Gi', validRange: { min: '1Gi', step: '1Gi' } } : undefined;
    return {
      ...device,
      allowMultipleAllocations: true,
      capacity: { memory: { value: '4Gi', ...(requestPolicy && { requestPolicy }) } },
    };
  });
  const generation = dice.between(1, 2);
  const slices = kind === 'parts' ? 2 : 1;
  const pool = { name: node, generation, resourceSliceCount: dice.oneIn(12) ? 3 - slices : slices };
  const ofNode = (what: string, spec: object): Drawn => {
    const whole = { driver: CARDS, nodeName: node, pool, ...spec };
    return {
      t: 'set',
      k: 'ResourceSlice',
      o: plain({ metadata: metaOf(`${node}-${what}`), spec: whole } as ResourceSlice),
    };
  };
  // The counters of a pool stand in a slice of their own, as the API demands.
  const sharedCounters = [{ name: 'board', counters: { memory: { value: '6Gi' } } }];
  return [ofNode('cards', { devices }), ...(kind === 'parts' ? [ofNode('board', { sharedCounters })] : [])];
}

/** Links of all nodes, or of those in a zone. */
function drawLinks(dice: Dice, town: Town): Drawn {
  const devices = dice.list(1, 4, (i): Device => ({ name: `link-${i}`, attributes: { numa: { int: i % 2 } } }));
  const matchExpressions = [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [dice.pick(town.zones)] }];
  const reach = dice.oneIn(2) ? { allNodes: true } : { nodeSelector: { nodeSelectorTerms: [{ matchExpressions }] } };
  const pool = { name: 'fabric', generation: 1, resourceSliceCount: 1 };
  const o = { metadata: metaOf('fabric'), spec: { driver: LINKS, pool, devices, ...reach } } as ResourceSlice;
  return { t: 'set', k: 'ResourceSlice', o: plain(o) };
}

function drawClaim(dice: Dice, name: string, namespace: string): Drawn & { readonly t: 'set' } {
  const requests = dice.list(1, 2, (i) => drawRequest(dice, `r${i}`));
  const constraints = dice.maybe(4, () => [{ matchAttribute: `${CARDS}/${dice.pick(['numa', 'model'])}` }]);
  const spec = { devices: { requests, constraints } };
  return { t: 'set', k: 'ResourceClaim', o: plain({ metadata: metaOf(name, namespace), spec } as ResourceClaim) };
}

function drawRequest(dice: Dice, name: string): Request {
  const exact = () => {
    const deviceClassName = dice.pick(['card', 'card', 'model-a', 'link']);
    const condition = `device.attributes["${CARDS}"].model == "${dice.pick(MODELS)}"`;
    const isOfCards = deviceClassName !== 'link';
    return plain({
      deviceClassName,
      count: dice.oneIn(3) ? dice.between(1, 3) : undefined,
      allocationMode: dice.maybe(10, () => 'All' as const),
      adminAccess: dice.maybe(15, () => true),
      selectors: isOfCards ? dice.maybe(3, () => [{ cel: { expression: condition } }]) : undefined,
      tolerations: dice.maybe(6, () => [{ key: 'broken', operator: 'Exists' }]),
      capacity: isOfCards
        ? dice.maybe(4, () => ({ requests: { memory: dice.pick(['1Gi', '1500Mi', '3Gi']) } }))
        : undefined,
    });
  };
  if (!dice.oneIn(6)) return { name, exactly: exact() } as Request;
  return { name, firstAvailable: ['first', 'second'].map((option) => ({ name: option, ...exact() })) } as Request;
}
