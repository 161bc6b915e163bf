import { namedNodeOf } from '../api/named-node.ts';
import type { IndexedEngine } from '../engine/cycle/engine.ts';
import type { PodSignature } from '../engine/index/pod-signature.ts';
import type { SignatureTotals } from '../engine/index/signature-totals.ts';
import { areNominationsVoid } from '../engine/index/void-nominations.ts';
import { acceptsSlot } from '../engine/topology/topology-rules.ts';
import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import { PodInfo } from '../framework/pod-info.ts';
import type { Trace } from '../framework/tracing/tracer.ts';
import { podImages } from '../plugins/image-locality/plugin.ts';
import type { PodTemplate } from './pod-templates.ts';

/** The slot of a node that is not there. */
export const UNKNOWN_SLOT = -2;

/** The slot of the only node on which the pod may run; UNKNOWN_SLOT if there is no such node. */
export function onlySlotOf({ pod }: PodInfo, cluster: ClusterState): number {
  return cluster.node(namedNodeOf(pod.spec) ?? '')?.slot ?? UNKNOWN_SLOT;
}

/** Whether pods are nominated for the node. */
export function isNominated(slot: number, cluster: ClusterState): boolean {
  return cluster.hasNominations && cluster.nominatedPodsForNode(cluster.nodeAt(slot)?.name ?? '').length > 0;
}

/** Whether the index can decide at present. */
export function isOpen({ index }: IndexedEngine, { nodeCount }: ClusterState): boolean {
  return nodeCount > 0 && index.isUsable;
}

/** Whether the index may decide about the pod; `trace` records PreEnqueue. */
export function isIndexed(pod: PodInfo, { profile, engine, asksGates }: PodTemplate, trace: Trace | null): boolean {
  if (pod.nominatedNodeName !== '' || profile === undefined || engine?.needsMethods(pod)) return false;
  return !(trace ? profile.asksGates : asksGates) || profile.framework.runPreEnqueue(pod, trace) === null;
}

/** Whether some filters are asked in every attempt of such pods. The template must have its signature. */
export function hasAttemptFilters({ signature }: PodTemplate): boolean {
  return signature !== null && signature.attemptFilters.size > 0;
}

/**
 * Whether the node of such a pod may be charged later than the next pod is placed, and earlier pods may be charged
 * later than this one is placed. The signature is known then, and nothing but columns and counters is read, unless
 * filters are asked in every attempt.
 */
export function mayWait(engine: IndexedEngine, { signature }: PodTemplate, cluster: ClusterState): boolean {
  if (!engine.index.isOn || !engine.countsAssigned || signature === null || signature.isReleased) return false;
  if (signature.preScore === null || signature.verdicts.readsPods) return false;
  return !cluster.hasStaleImages || cluster.areImagesUpToDate(podImages(signature.pod.pod));
}

/** Whether the engine has no signature of such pods, or has given it up. */
export function isFirst({ signature }: PodTemplate): boolean {
  return signature?.isReleased !== false;
}

/** The signature of the template, made from the pod if there is none. */
export function signatureOf(engine: IndexedEngine, pod: PodInfo, template: PodTemplate): PodSignature {
  if (template.signature === null || template.signature.isReleased) {
    template.signature = engine.signatureOf(besideNode(pod, template));
    template.signature.holder = template;
  }
  return template.signature;
}

/**
 * The totals of the template's signature; null if the index cannot decide, or if nominated pods may matter.
 * `ignoresNominations`: it is known that they do not.
 */
export function totalsOf(
  engine: IndexedEngine,
  pod: PodInfo,
  template: PodTemplate,
  cluster: ClusterState,
  ignoresNominations = false,
): SignatureTotals | null {
  const signature = signatureOf(engine, pod, template);
  const known = signature.totals?.lastRun === engine.index.run ? signature.totals : engine.totalsOf(signature);
  return known && (ignoresNominations || areNominationsVoid(pod, known, engine, cluster)) ? known : null;
}

/**
 * Whether the first pod of a signature can be queued behind other pods, none of which is placed yet. All earlier pods
 * must be on their nodes.
 */
export function mayJoinRun(engine: IndexedEngine, pod: PodInfo, template: PodTemplate): boolean {
  return engine.hasRoom && !signatureOf(engine, pod, template).verdicts.readsPods;
}

/** The pod without the node that it names, or one with equal metadata. */
function besideNode(pod: PodInfo, template: PodTemplate): PodInfo {
  const { specBesideNode, beside } = template;
  if (specBesideNode === null) return pod;
  const { nodeName, nominatedNodeName, metadataForm } = pod;
  if (metadataForm !== null && beside?.metadataForm === metadataForm && nominatedNodeName === '') return beside;
  const shared = { ...pod.pod, spec: specBesideNode };
  const info = new PodInfo(shared, pod.requirements, nodeName, nominatedNodeName);
  info.template = pod.template;
  info.metadataForm = metadataForm;
  if (nominatedNodeName === '') template.beside = info;
  return info;
}

/**
 * Whether the pod can be placed in the present run whatever else is placed in it. All pods of a run are queued before
 * one is placed, so that the answer for one pod of a template holds for the next one with the same metadata.
 */
export function isFreeInRun(engine: IndexedEngine, pod: PodInfo, template: PodTemplate): boolean {
  const { run } = engine.index;
  const { metadataForm } = pod;
  const { free } = template;
  if (free.run === run && free.form === metadataForm && metadataForm !== null) return true;
  if (!isFree(engine, pod, template)) return false;
  free.run = run;
  free.form = metadataForm;
  return true;
}

/** Whether other pods can neither reject nor score a node for the pod, or reject the only node that it names. */
function isFree(engine: IndexedEngine, pod: PodInfo, template: PodTemplate): boolean {
  const topology = engine.topologyOf(besideNode(pod, template));
  if (topology === 'none' || topology === 'unknown') return topology === 'none';
  return template.specBesideNode !== null && topology.rules.length === 0;
}

/** Whether spread constraints and affinity terms accept the only node of the pod; false if only a cycle can tell. */
export function isAcceptedByTopology(
  engine: IndexedEngine,
  pod: PodInfo,
  template: PodTemplate,
  slot: number,
): boolean {
  if (isFree(engine, pod, template)) return true;
  // Constraints count pods on the nodes to which the pod's own node affinity leads.
  const own = engine.topologyOf(new PodInfo(pod.pod, pod.requirements, pod.nodeName, pod.nominatedNodeName));
  return own === 'none' || (own !== 'unknown' && own.rules.every((rule) => acceptsSlot(rule, slot)));
}
