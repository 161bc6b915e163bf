import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import { podGroupNameOf } from '../api/pod-group.ts';
import { explainPod } from '../core/decision/explain-pod.ts';
import { withoutExtenderCalls } from '../framework/extender-calls.ts';
import type { CycleModules, ForkOptions } from './attempt.ts';
import { explainInGroup, type InGroup, type PodChange } from './explain-group.ts';

/** What is changed before a group is tried. */
export interface GroupChanges {
  /** Nodes that are changed, or new. */
  readonly nodes: readonly Node[];
  /** How each of its pods that wait is changed. */
  readonly changed: PodChange;
}

/** A copy of the cluster in which groups are tried with changes, without preemption. */
export class ChangedGroup {
  readonly #modules: CycleModules;

  constructor(modules: CycleModules) {
    const profiles = modules.forkProfiles({ preemption: false });
    // A trial leaves the copy as it was, so that only parts of it are copied once more.
    const forkProfiles = (options: ForkOptions) =>
      options.part === undefined ? profiles : modules.forkProfiles({ of: profiles, ...options, preemption: false });
    this.#modules = { ...modules, profiles, cluster: profiles.cluster, forkProfiles };
  }

  /** How it would stand with the pod's group after the changes, which are undone again. */
  explain(asked: Pod, { nodes, changed }: GroupChanges): InGroup {
    const { cluster } = this.#modules;
    const undo = nodes.map((node) => this.#setNode(node));
    // The nodes of placements are those of the snapshot.
    cluster.updateSnapshot();
    try {
      if (podGroupNameOf(asked) !== '') return explainInGroup(this.#modules, asked, changed);
      return this.#explainAlone(changed(asked));
    } finally {
      for (const step of undo.reverse()) step();
      cluster.updateSnapshot();
    }
  }

  #explainAlone(pod: Pod): InGroup {
    const { profiles, cluster } = this.#modules;
    const profile = profiles.of(pod);
    const explanation =
      profile === undefined ? null : withoutExtenderCalls(explainPod(profile, cluster.pods.toSchedule(pod)));
    return { group: null, explanation };
  }

  /** Returns what puts back the node as it was. */
  #setNode(node: Node): () => void {
    const { cluster } = this.#modules;
    const name = node.metadata?.name ?? '';
    const known = cluster.node(name)?.node;
    if (known === undefined) {
      cluster.addNode(node);
      return () => cluster.removeNode(name);
    }
    cluster.updateNode(node);
    return () => cluster.updateNode(known);
  }
}
