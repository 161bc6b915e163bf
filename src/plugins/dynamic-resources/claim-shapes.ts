import type { AllocationResult, ResourceClaim } from '../../api/resource-claims.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeFeed } from '../../framework/plugin.ts';
import { RejectedSlots } from '../../framework/rejected-slots.ts';
import type { ChangeLog } from '../../lib/change-log.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { LruMap } from '../../lib/lru-map.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import type { AllocatedDevices } from './allocator/allocated-devices.ts';
import { onNode } from './allocator/allocation-result.ts';
import type { Allocator, Refusal } from './allocator/allocator.ts';
import type { DeviceIndex } from './allocator/device-index.ts';
import type { NodeDevices } from './allocator/node-devices.ts';
import type { RequestPlan } from './allocator/request-plan.ts';
import type { TakenDevice } from './allocator/search.ts';
import type { AllocationError } from './allocator/selector-cache.ts';
import { pointsOf } from './alternative-points.ts';
import type { AskedClaims, NodeAsk } from './asked-claims.ts';
import type { ExtendedRefusal } from './extended/extended-claim.ts';
import { NO_POINTS, PointsBySlot } from './points-by-slot.ts';

/** Claims of so many shapes are followed; the shape that was used longest ago is given up first. */
const MOST_SHAPES = 32;
/** The answers of a shape are forgotten when there are more than this many. */
const MOST_ANSWERS = 100_000;

/** The devices that a claim gets, by their places among the devices of the node. */
type Places = readonly (Omit<TakenDevice, 'device'> & { readonly place: number })[];

/** What a node gives to the claims. */
interface Given {
  /** The places for each claim. */
  readonly places: readonly Places[];
  /** The points for the alternatives that are served, as `preferenceScore` sums them up. */
  readonly points: number;
}

/** What a node answers to the claims: what it gives, or why it refuses. */
type Answer = Given | Refusal;

/** What nodes of one kind have answered, which are asked for the same claims. */
interface KindAnswers {
  /** The answers by the look of a node's devices. */
  readonly answers: Map<number, Answer>;
  /** The plans in the answers, by claim and name in results: claims of one shape plan the same. */
  readonly plans: Map<string, RequestPlan>;
}

/** What claims of one shape have been answered. */
export interface ClaimShape {
  /** The nodes that refuse the claims, and why. */
  readonly refusing: RejectedSlots;
  readonly reasons: Map<number, Refusal | ExtendedRefusal>;
  /** The nodes that have to be asked in every attempt. */
  readonly unknown: Set<number>;
  /** The points for alternatives on all other nodes. */
  readonly points: PointsBySlot;
  /** The answers by what nodes are asked for, which differs only if the pod has extended resources. */
  readonly kinds: Map<string, KindAnswers>;
  nodeCursor: number;
  deviceCursor: number;
}

export interface ClaimShapesModules {
  /** The names of nodes on which devices have come, gone, or changed hands. */
  readonly log: ChangeLog<string>;
  readonly devices: DeviceIndex;
  /** The devices in use, which are up to date. */
  readonly allocated: AllocatedDevices;
}

/**
 * What nodes answer to claims, by the shape of the claims: what their requests say, apart from names. After a placement
 * only the nodes are asked again on which devices have changed hands, and nodes whose devices look the same give one
 * answer.
 */
export class ClaimShapes {
  readonly #modules: ClaimShapesModules;
  #shapes = new LruMap<string, ClaimShape>(MOST_SHAPES);
  /** The keys of claims by their specs, which claims of one template share. */
  readonly #keys = new RecentMap<object, string>();
  #classVersion = -1;

  constructor(modules: ClaimShapesModules) {
    this.#modules = modules;
  }

  /**
   * The shape of the claims, with the nodes that refuse them; all others that are known accept them. `classVersion`
   * changes with every device class. Both the devices and the claims must be up to date.
   */
  of(asked: AskedClaims, allocator: Allocator, nodes: NodeFeed, classVersion: number): ClaimShape {
    if (classVersion !== this.#classVersion) this.#shapes = new LruMap(MOST_SHAPES);
    this.#classVersion = classVersion;
    const key = this.#keyOf(asked);
    const known = this.#shapes.get(key);
    const shape = known ?? {
      refusing: new RejectedSlots(),
      reasons: new Map<number, Refusal | ExtendedRefusal>(),
      unknown: new Set<number>(),
      points: new PointsBySlot(),
      kinds: new Map<string, KindAnswers>(),
      nodeCursor: 0,
      deviceCursor: 0,
    };
    if (known === undefined) this.#shapes.set(key, shape);
    this.#askChanged(shape, known !== undefined, asked, allocator, nodes);
    shape.nodeCursor = nodes.end;
    shape.deviceCursor = this.#modules.log.end;
    return shape;
  }

  /** What the node gives to claims of the shape; undefined if they have to be searched for. */
  allocationsOn(
    { kinds }: ClaimShape,
    { node, slot }: NodeInfo,
    { kind, claims }: NodeAsk,
    allocator: Allocator,
  ): readonly AllocationResult[] | AllocationError | undefined {
    const { devices, allocated } = this.#modules;
    const ofNode = devices.devicesOf(node, slot);
    const answer = kinds.get(kind)?.answers.get(devices.lookOf(ofNode, allocated));
    if (answer === undefined || typeof answer === 'string') return undefined;
    const taken = answer.places.map((places) => places.map((each) => takenAt(ofNode, each)));
    // Nodes that no slice names share their devices.
    const selected = ofNode.node === node ? ofNode : { selector: onNode(node.metadata?.name ?? '') };
    return allocator.resultsOf(claims, taken, selected);
  }

  /** Asks the nodes that changed since the shape was used last, on which devices changed hands included. */
  #askChanged(shape: ClaimShape, isKnown: boolean, asked: AskedClaims, allocator: Allocator, nodes: NodeFeed): void {
    const slots = isKnown ? nodes.nodesChangedSince(shape.nodeCursor) : null;
    const names = isKnown ? this.#modules.log.since(shape.deviceCursor) : null;
    if (slots === null || names === null) {
      for (let slot = 0; slot < nodes.slotCount; slot++) this.#ask(shape, slot, asked, allocator, nodes);
      return;
    }
    for (const slot of slots) this.#ask(shape, slot, asked, allocator, nodes);
    // After most placements it is one node.
    let last = '';
    for (const name of names) {
      const slot = name === last ? undefined : nodes.node(name)?.slot;
      last = name;
      if (slot !== undefined) this.#ask(shape, slot, asked, allocator, nodes);
    }
  }

  #ask(shape: ClaimShape, slot: number, asked: AskedClaims, allocator: Allocator, nodes: NodeFeed): void {
    const node = nodes.nodeAt(slot);
    const answer = node === undefined ? NOTHING : this.#answerOf(shape, node, asked.on(node), allocator);
    const { refusing, reasons, unknown, points } = shape;
    points.set(slot, node === undefined || answer === null || typeof answer === 'string' ? NO_POINTS : answer.points);
    if (answer === null) unknown.add(slot);
    else if (unknown.size > 0) unknown.delete(slot);
    if (typeof answer === 'string') {
      refusing.add(slot);
      reasons.set(slot, answer);
    } else if (reasons.delete(slot)) refusing.delete(slot);
  }

  /**
   * The node's answer; null if it has to be asked in every attempt. A failure ends the attempt, and names the claim, so
   * that the filter must report it anew. So must a search that took too long, which another time may not.
   */
  #answerOf(
    { kinds }: ClaimShape,
    { node, slot }: NodeInfo,
    ask: NodeAsk | ExtendedRefusal,
    allocator: Allocator,
  ): Answer | ExtendedRefusal | null {
    if (typeof ask === 'string') return ask;
    const { kind, claims } = ask;
    if (claims.length === 0) return NOTHING;
    const { devices, allocated } = this.#modules;
    const ofNode = devices.devicesOf(node, slot);
    const look = devices.lookOf(ofNode, allocated);
    const { answers, plans } = getOrMake(kinds, kind, newKind);
    const known = answers.get(look);
    if (known !== undefined) return known;
    const found = allocator.find(node, claims);
    const isLasting = Array.isArray(found) || (typeof found === 'string' && found !== TIMED_OUT);
    if (!isLasting) return null;
    const answer =
      typeof found === 'string'
        ? found
        : {
            places: (found as TakenDevice[][]).map((taken, claim) => placesOf(taken, claim, ofNode, plans)),
            points: pointsOfTaken(claims, found as TakenDevice[][]),
          };
    if (answers.size >= MOST_ANSWERS) answers.clear();
    answers.set(look, answer);
    return answer;
  }

  #keyOf({ unallocated, extendedKey }: AskedClaims): string {
    const [first] = unallocated;
    if (unallocated.length === 1 && extendedKey === '' && first !== undefined) return this.#keyOfClaim(first);
    return [...unallocated.map(this.#keyOfClaim), extendedKey].join();
  }

  readonly #keyOfClaim = ({ spec }: ResourceClaim): string => {
    if (spec === undefined) return '';
    let key = this.#keys.get(spec);
    if (key === undefined) {
      key = JSON.stringify(spec);
      this.#keys.set(spec, key);
    }
    return key;
  };
}

const NOTHING: Given = { places: [], points: 0 };

function pointsOfTaken(claims: readonly ResourceClaim[], found: readonly (readonly TakenDevice[])[]): number {
  return claims.reduce(
    (points, claim, i) => points + pointsOf(claim, found[i]?.map(({ plan }) => plan.resultName) ?? []),
    0,
  );
}

function newKind(): KindAnswers {
  return { answers: new Map(), plans: new Map() };
}

const TIMED_OUT: Refusal = 'timed out trying to allocate devices';

function placesOf(
  taken: readonly TakenDevice[],
  claim: number,
  { devices }: NodeDevices,
  plans: Map<string, RequestPlan>,
): Places {
  return taken.map(({ plan, device, consumption }) => ({
    plan: getOrMake(plans, `${claim} ${plan.resultName}`, () => plan),
    place: devices.findIndex((each) => each.device === device.device && each.slice === device.slice),
    consumption,
  }));
}

function takenAt(node: NodeDevices, { plan, place, consumption }: Places[number]): TakenDevice {
  return { plan, device: node.deviceAt(place), consumption };
}
