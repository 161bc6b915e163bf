import type { Container, Pod } from '../../api/pod.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import { type CycleState, stateKey } from '../../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint } from '../../framework/events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { FilterPlugin, PreFilterPlugin } from '../../framework/plugin.ts';
import { NODE_DECLARED_FEATURES } from '../../framework/plugin-names.ts';
import { isSameUid } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { errorStatus, type Status, skip, unresolvable } from '../../framework/status.ts';

/** The features that a pod can need, each with its test for a pod (upstream's nodedeclaredfeatures). */
const FEATURES: readonly { readonly name: string; readonly neededBy: (pod: Pod) => boolean }[] = [
  { name: 'RestartAllContainersOnContainerExits', neededBy: restartsAllContainers },
  { name: 'UserNamespacesHostNetworkSupport', neededBy: joinsHostNetworkAsOtherUsers },
];
const NEEDED = stateKey<readonly string[]>('NodeDeclaredFeatures');

/** Rejects nodes that do not declare a feature that the pod depends on. */
export class NodeDeclaredFeatures implements PreFilterPlugin, FilterPlugin {
  readonly name = NODE_DECLARED_FEATURES;
  readonly filterReads = 'node';

  dependsOn(pod: Pod): unknown {
    return neededFeatures(pod);
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [
      eventWithHint('Node', ActionType.Add | ActionType.UpdateNodeDeclaredFeature, (_pod, oldNode, newNode) => {
        if (oldNode === undefined) return true;
        return !semanticallyEqual(oldNode.status?.declaredFeatures, newNode.status?.declaredFeatures);
      }),
      eventWithHint('Pod', ActionType.Update, (pod, oldPod: Pod, newPod) => {
        return isSameUid(newPod, pod.uid) && !semanticallyEqual(neededFeatures(oldPod), neededFeatures(newPod));
      }),
    ];
  }

  preFilter(state: CycleState, pod: PodInfo): Status | null {
    const needed = neededFeatures(pod.pod);
    if (needed.length === 0) return skip(this.name);
    state.write(NEEDED, needed);
    return null;
  }

  filter(state: CycleState, _pod: PodInfo, node: NodeInfo): Status | null {
    const needed = state.read(NEEDED);
    if (needed === undefined) {
      return errorStatus(this.name, 'error reading "PreFilterNodeDeclaredFeatures" from cycle-state: not found');
    }
    const declared = needed.every((feature) => node.declaredFeatures.has(feature));
    return declared ? null : unresolvable(this.name, "node(s) didn't match Pod's required features");
  }
}

function neededFeatures(pod: Pod): string[] {
  return FEATURES.filter((feature) => feature.neededBy(pod)).map((feature) => feature.name);
}

function restartsAllContainers(pod: Pod): boolean {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const asks = (container: Container): boolean =>
    (container.restartPolicyRules ?? []).some((rule) => rule.action === 'RestartAllContainers');
  return containers.some(asks) || initContainers.some(asks);
}

/** Whether the pod is on the network of its host, although its users are not those of the host. */
function joinsHostNetworkAsOtherUsers({ spec }: Pod): boolean {
  return spec?.hostNetwork === true && spec.hostUsers === false;
}
