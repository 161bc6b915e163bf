import type { NodeInfo } from '../node-info.ts';
import { NODE_AND_STORAGE, type NodeChanges } from './node-changes.ts';

const NO_CLAIMS: readonly string[] = [];

export interface ClaimUsersModules {
  readonly changes: NodeChanges;
  nodeAt(slot: number): NodeInfo | undefined;
  slotCount(): number;
}

/** The claims that pods on nodes name. They are counted when somebody asks, which few clusters do. */
export class ClaimUsers {
  readonly #modules: ClaimUsersModules;
  /** The claims of the pods of each node, by slot, once for each pod. */
  readonly #claims: (readonly string[])[] = [];
  readonly #counts = new Map<string, number>();
  #cursor = -1;

  constructor(modules: ClaimUsersModules) {
    this.#modules = modules;
  }

  isUsed(namespace: string, claimName: string): boolean {
    this.#sync();
    return this.#counts.has(keyOf(namespace, claimName));
  }

  #sync(): void {
    const { changes, slotCount } = this.#modules;
    const changed = this.#cursor < 0 ? null : changes.since(this.#cursor, NODE_AND_STORAGE);
    this.#cursor = changes.end;
    if (changed !== null) for (const slot of changed) this.#renew(slot);
    else for (let slot = 0; slot < slotCount(); slot++) this.#renew(slot);
  }

  #renew(slot: number): void {
    for (const claim of this.#claims[slot] ?? NO_CLAIMS) {
      const count = this.#counts.get(claim) ?? 0;
      if (count > 1) this.#counts.set(claim, count - 1);
      else this.#counts.delete(claim);
    }
    const claims = claimsOn(this.#modules.nodeAt(slot));
    this.#claims[slot] = claims;
    for (const claim of claims) this.#counts.set(claim, (this.#counts.get(claim) ?? 0) + 1);
  }
}

function claimsOn(node: NodeInfo | undefined): readonly string[] {
  const pods = (node?.pods ?? []).filter(({ requirements }) => requirements.hasStorage);
  const claims = pods.flatMap(({ pod, namespace }) =>
    (pod.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
      persistentVolumeClaim ? [keyOf(namespace, persistentVolumeClaim.claimName ?? '')] : NO_CLAIMS,
    ),
  );
  return claims.length === 0 ? NO_CLAIMS : claims;
}

function keyOf(namespace: string, claimName: string): string {
  return `${namespace}/${claimName}`;
}
