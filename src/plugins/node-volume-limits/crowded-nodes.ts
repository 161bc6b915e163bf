import type { CSINode } from '../../api/storage.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { type ObjectFeed, objectKey } from '../../framework/object-feed.ts';
import type { NodeFeed } from '../../framework/plugin.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import type { Attached, AttachedVolumes } from './attached-volumes.ts';
import { FEW, SpareVolumes } from './spare-volumes.ts';

export interface CrowdedNodesModules {
  readonly objects: ClusterObjects;
  readonly attached: AttachedVolumes;
  /** The number of volumes that each driver can attach to the node. */
  readonly limitsOf: (csiNode: CSINode) => ReadonlyMap<string, number>;
  /** The lowest of these numbers; Infinity if there is none. */
  readonly lowestLimitOf: (csiNode: CSINode) => number;
}

const NOTHING_ATTACHED: Pick<Attached, 'problem' | 'used'> = { problem: null, used: new Map() };

/**
 * The nodes on which a driver can attach few more volumes, so that the filter need not look at all the others. It
 * follows nodes, their pods and the objects on which their volumes depend.
 *
 *   by driver     ebs.csi.aws.com   slot 7: 0 more   slot 12: 3 more
 */
export class CrowdedNodes {
  readonly #modules: CrowdedNodesModules;
  readonly #csiNodes: ObjectFeed;
  /** By driver, the number of volumes that can still be attached. */
  readonly #spare = new Map<string, SpareVolumes>();
  /** The slots of nodes with volumes that cannot be determined. */
  readonly #troubled = new Set<number>();
  #cursor = -1;

  constructor(modules: CrowdedNodesModules) {
    this.#modules = modules;
    this.#csiNodes = modules.objects.follow(['CSINode']);
  }

  /** The slots of all nodes to which some driver may not be able to attach so many more volumes; null for any node. */
  slots(wanted: ReadonlyMap<string, number>, nodes: NodeFeed): ReadonlySet<number> | null {
    this.#sync(nodes);
    const crowded = new Set(this.#troubled);
    for (const [driver, count] of wanted) {
      if (count > FEW) return null;
      this.#spare.get(driver)?.addBelow(count, crowded);
    }
    return crowded;
  }

  /** How many pods can attach so many volumes, even if all of them are placed on the same node, whichever it is. */
  room(wanted: ReadonlyMap<string, number>, nodes: NodeFeed): number {
    this.#sync(nodes);
    if (this.#troubled.size > 0) return 0;
    let room = Number.POSITIVE_INFINITY;
    for (const [driver, count] of wanted) {
      const least = this.#spare.get(driver)?.least ?? FEW;
      room = Math.min(room, Math.floor(least / count));
    }
    return room;
  }

  #sync(nodes: NodeFeed): void {
    const changed = this.#changedSlots(nodes);
    this.#cursor = nodes.end;
    if (changed !== null) {
      for (const slot of changed) this.#look(slot, nodes);
      return;
    }
    this.#spare.clear();
    this.#troubled.clear();
    this.#lookAtAll(nodes);
  }

  /** Looks at the nodes on which a driver can attach few volumes, and at those with pods or attachments. */
  #lookAtAll(nodes: NodeFeed): void {
    const { objects, attached, lowestLimitOf } = this.#modules;
    for (let slot = 0; slot < nodes.slotCount; slot++) {
      const node = nodes.nodeAt(slot);
      if (node !== undefined && (node.pods.length > 0 || attached.hasAttachments(node))) this.#look(slot, nodes);
    }
    for (const csiNode of objects.list('CSINode')) {
      if (lowestLimitOf(csiNode) >= FEW) continue;
      const node = nodes.node(csiNode.metadata?.name ?? '');
      if (node !== undefined) this.#look(node.slot, nodes);
    }
  }

  /** Null for all slots. */
  #changedSlots(nodes: NodeFeed): Iterable<number> | null {
    const csiNodes = this.#csiNodes.take();
    const byObjects = this.#modules.attached.takeChanged();
    const changed = this.#cursor < 0 ? null : nodes.storageChangedSince(this.#cursor);
    if (csiNodes === null || byObjects === null || changed === null) return null;
    if (csiNodes.size === 0 && byObjects.size === 0) return changed;
    const slots = new Set(changed);
    const prefix = objectKey('CSINode', '');
    const names = [...byObjects, ...Array.from(csiNodes.keys(), (key) => key.slice(prefix.length))];
    for (const name of names) {
      const node = nodes.node(name);
      if (node !== undefined) slots.add(node.slot);
    }
    return slots;
  }

  #look(slot: number, nodes: NodeFeed): void {
    for (const spare of this.#spare.values()) spare.delete(slot);
    this.#troubled.delete(slot);
    const node = nodes.nodeAt(slot);
    const csiNode = node && this.#modules.objects.get('CSINode', node.name);
    if (node === undefined || csiNode === undefined) return;
    const { attached, limitsOf, lowestLimitOf } = this.#modules;
    const lowest = lowestLimitOf(csiNode);
    if (lowest === Number.POSITIVE_INFINITY) return;
    const most = attached.mostOn(node);
    if (most !== null && lowest - most >= FEW) return;
    // Most nodes have no volumes, and nothing need be kept to know that.
    const { problem, used } = most === 0 ? NOTHING_ATTACHED : attached.on(node, true);
    if (problem !== null) this.#troubled.add(slot);
    for (const [driver, limit] of limitsOf(csiNode)) {
      const spare = limit - (used.get(driver) ?? 0);
      if (spare < FEW) getOrMake(this.#spare, driver, () => new SpareVolumes()).set(slot, spare);
    }
  }
}
