import type { Node } from '../../api/node.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { isFullyBound, SELECTED_NODE_ANNOTATION } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { Handle, HandleApi } from '../../framework/handle.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { textOf } from '../../framework/runtime/plugin-answer.ts';
import { type Awaiting, awaited, runAwaiting } from '../../lib/maybe-promise.ts';
import { asOnNode } from './csi-migration.ts';
import { isReachable } from './volume-topology.ts';

/** The objects to write, so that the volume controller binds the pod's claims. */
export interface VolumeWrites {
  readonly volumes: readonly PersistentVolume[];
  readonly claims: readonly PersistentVolumeClaim[];
}

export interface BindVolumesModules {
  readonly handle: Handle;
  readonly objects: ClusterObjects;
  readonly bindTimeoutMillis: number;
}

/** The interval in which upstream checks the progress of the volume controller. */
const CHECK_MILLIS = 1000;

/**
 * Writes the reserved volumes and claims, and waits until the claims are bound (upstream's BindPodVolumes). The result
 * is an error text, or null when all are bound.
 */
export function bindVolumes(
  modules: BindVolumesModules,
  writes: VolumeWrites,
  pod: PodInfo,
  nodeName: string,
): (done: (problem: string | null) => void) => void {
  return (done) =>
    runAwaiting(writeAll(modules.handle.api, writes), {
      done: (written) => awaitBindings(modules, () => checkBindings(modules, written, pod, nodeName), done),
      failed: (error) => done(textOf(error)),
    });
}

/** Returns the objects as they were stored. */
function* writeAll(api: HandleApi, writes: VolumeWrites): Awaiting<VolumeWrites> {
  const volumes: PersistentVolume[] = [];
  const claims: PersistentVolumeClaim[] = [];
  for (const volume of writes.volumes) volumes.push(yield* awaited(api.updatePersistentVolume(volume)));
  for (const claim of writes.claims) claims.push(yield* awaited(api.updatePersistentVolumeClaim(claim)));
  return { volumes, claims };
}

function awaitBindings(
  { handle, bindTimeoutMillis }: BindVolumesModules,
  progress: () => BindingState,
  done: (problem: string | null) => void,
): void {
  const deadlineMillis = handle.nowMillis() + bindTimeoutMillis;
  const check = (): void => {
    const state = progress();
    if (state === 'bound') done(null);
    else if (state !== 'waiting') done(`binding volumes: ${state.error}`);
    else if (handle.nowMillis() >= deadlineMillis) done('binding volumes: context deadline exceeded');
    else handle.after(CHECK_MILLIS, check);
  };
  check();
}

type BindingState = 'bound' | 'waiting' | { readonly error: string };

/** The progress of the volume controller, as far as watches have shown it (upstream's checkBindings). */
function checkBindings(
  { handle, objects }: BindVolumesModules,
  { volumes, claims }: VolumeWrites,
  pod: PodInfo,
  nodeName: string,
): BindingState {
  const known = handle.podFromLister(pod.namespace, pod.name);
  if (known === undefined) return { error: `pod does not exist any more: pod "${pod.name}" not found` };
  const node = handle.node(nodeName);
  if (node === undefined) return { error: `failed to get node "${nodeName}": node not found` };
  for (const volume of volumes) {
    const state = checkVolume(objects, volume, node);
    if (state !== 'bound') return state;
  }
  for (const claim of claims) {
    const state = checkClaim(objects, claim, node, pod.namespace);
    if (state !== 'bound') return state;
  }
  return 'bound';
}

function checkVolume(objects: ClusterObjects, written: PersistentVolume, { node }: NodeInfo): BindingState {
  const name = written.metadata?.name ?? '';
  const known = objects.get('PersistentVolume', name);
  if (known === undefined) return { error: `failed to check binding: could not find v1.PersistentVolume "${name}"` };
  if (isOlder(known, written)) return 'waiting';
  const volume = asOnNode(known, node, objects);
  if ('error' in volume) return { error: `failed to translate pv to csi: ${volume.error}` };
  if (!isReachable(volume, node)) return unreachable(name, node);
  const reference = volume.spec?.claimRef;
  if (!reference?.uid) return { error: `ClaimRef got reset for pv "${name}"` };
  const claim = objects.get('PersistentVolumeClaim', reference.name ?? '', reference.namespace || 'default');
  if (claim === undefined) {
    const key = `${reference.namespace}/${reference.name}`;
    return { error: `failed to check binding: could not find v1.PersistentVolumeClaim "${key}"` };
  }
  return isFullyBound(claim) ? 'bound' : 'waiting';
}

function checkClaim(
  objects: ClusterObjects,
  written: PersistentVolumeClaim,
  { node, name: nodeName }: NodeInfo,
  namespace: string,
): BindingState {
  const name = written.metadata?.name ?? '';
  const claim = objects.get('PersistentVolumeClaim', name, namespace);
  if (claim === undefined) {
    return {
      error: `failed to check provisioning pvc: could not find v1.PersistentVolumeClaim "${namespace}/${name}"`,
    };
  }
  if (isOlder(claim, written)) return 'waiting';
  const selected = claim.metadata?.annotations?.[SELECTED_NODE_ANNOTATION];
  if (selected === undefined) return { error: `selectedNode annotation reset for PVC "${name}"` };
  if (selected !== nodeName) {
    return { error: `provisioning failed for PVC "${name}"` };
  }
  const volumeName = claim.spec?.volumeName;
  if (volumeName) {
    const known = objects.get('PersistentVolume', volumeName);
    // The watch may show the claim before its volume.
    if (known === undefined) return 'waiting';
    const volume = asOnNode(known, node, objects);
    if ('error' in volume) return volume;
    if (!isReachable(volume, node)) return unreachable(volumeName, node);
  }
  return isFullyBound(claim) ? 'bound' : 'waiting';
}

function unreachable(volumeName: string, { metadata }: Node): BindingState {
  const nodeName = metadata?.name;
  return { error: `pv "${volumeName}" node affinity doesn't match node "${nodeName}": no matching NodeSelectorTerms` };
}

/** Compares resource versions, which are growing numbers in this API. */
function isOlder(known: PersistentVolume | PersistentVolumeClaim, written: typeof known): boolean {
  return Number(known.metadata?.resourceVersion ?? 0) < Number(written.metadata?.resourceVersion ?? 0);
}
