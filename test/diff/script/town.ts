import type { Labels, ObjectMeta } from '../../../src/api/meta.ts';
import type { Dice } from '../../dst/script/dice.ts';

/** How large a script is, and which of the costly things happen in it. */
export interface Scale {
  readonly nodes: readonly [number, number];
  /** Values of the label `rack`: more than 64 make more topology domains than a kernel's small tables hold. */
  readonly racks: number;
  readonly rounds: readonly [number, number];
  /** How many pods are there from the beginning. */
  readonly pods: readonly [number, number];
  /** How many attempts are made one right after the other. */
  readonly run: readonly [number, number];
  /** How many pod templates there are at a time. */
  readonly templates: readonly [number, number];
}

/**
 * The names that everything in a script is drawn from, so few that things get in each other's way; and what there is at
 * all: where everything happens, nothing goes on for long.
 */
export class Town {
  readonly namespaces: readonly string[];
  readonly apps: readonly string[];
  readonly zones: readonly string[];
  readonly racks: readonly string[];
  readonly images: readonly string[];
  /** The names of nodes that may be there. */
  readonly nodeNames: readonly string[];
  readonly claims: readonly string[];
  readonly volumes: readonly string[];
  /** Whether pods ask for ports of their node. */
  readonly hasPorts: boolean;
  /** Whether pending pods are nominated for nodes. */
  readonly hasNominations: boolean;
  /** Whether pods choose nodes by their labels. */
  readonly hasSelectors: boolean;
  /** Whether pods ask for more than cpu and memory. */
  readonly hasDevices: boolean;
  /** Whether pods bring claims, or other volumes that somebody must look at. */
  readonly hasStorage: boolean;
  /** Whether nodes keep pods off: they have taints, or are cordoned. */
  readonly hasTaints: boolean;
  /** Whether pods ask for little, so that it is scores and not room that most decisions depend on. */
  readonly isRoomy: boolean;
  /** Whether pods are drawn to and kept away from other pods, and how many of them: one in so many. */
  readonly hasTopology: boolean;
  readonly affinityShare: number;
  /** How much may change before the next attempts. */
  readonly mostChanges: number;

  constructor(dice: Dice, { nodes, racks }: Scale) {
    this.namespaces = ['default', 'prod', 'test'].slice(0, dice.between(1, 3));
    this.apps = numbered('a', dice.between(1, 4));
    this.zones = numbered('zone-', dice.between(1, 4));
    this.racks = numbered('rack-', racks);
    this.images = numbered('registry.io/img', dice.between(1, 5)).map((image) => `${image}:v1`);
    this.nodeNames = numbered('n', dice.between(...nodes));
    this.hasPorts = dice.oneIn(3);
    this.hasNominations = dice.oneIn(3);
    this.hasSelectors = !dice.oneIn(3);
    this.hasDevices = dice.oneIn(2);
    this.hasStorage = dice.oneIn(4);
    this.hasTopology = !dice.oneIn(4);
    this.affinityShare = dice.pick([2, 4, 6]);
    this.mostChanges = dice.pick([1, 3, 5]);
    this.hasTaints = dice.oneIn(2);
    this.isRoomy = !dice.oneIn(3);
    this.claims = numbered('claim-', dice.between(2, 8));
    this.volumes = numbered('pv-', dice.between(2, 8));
  }
}

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}`);
}

/** Copies a value as it comes from an API server: undefined fields are not there at all. */
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

export function metaOf(name: string, namespace?: string, labels?: Labels): ObjectMeta {
  return plain({ name, namespace, uid: `u-${namespace ?? ''}-${name}`, labels });
}
