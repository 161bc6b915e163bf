import { namedNodeOf } from '../api/named-node.ts';
import type { NodeSelectorTerm } from '../api/node-selector.ts';
import type { Affinity, Container, Pod, PodSpec } from '../api/pod.ts';
import type { Volume } from '../api/volumes.ts';
import { SignatureTree } from '../engine/signature/signature-tree.ts';
import type { Plugin } from '../framework/plugin.ts';

/**
 * A map by the signature of pods. Pods with equal signatures are equal for scheduling (upstream's PodSignature and
 * `signPod`).
 *
 * A signature holds the parts of the spec that the scheduler's own plugins, extenders and the checks of a pod read. It
 * leaves out the parts that nothing reads (environment, command, probes, mounts), and those that are read for every
 * pod, because they differ from pod to pod: the host name, the names and references of volumes, and the name of the
 * node to which node affinity ties the pod of a DaemonSet. The parts on which an embedder's plugins depend are added as
 * these plugins return them.
 */
export class PodSignatures<T> {
  readonly #plugins: readonly Plugin[];
  readonly #leavesOutNode: boolean;
  readonly #leavesOutPlace: boolean;
  readonly #tree = new SignatureTree<T>();

  /**
   * `plugins`: the embedder's plugins, which may read any part of a pod. `leavesOutNode`: pods that name their nodes
   * are equal if only these names differ. `leavesOutPlace`: so are pods on nodes if only `spec.nodeName` differs.
   */
  constructor(plugins: readonly Plugin[] = [], leavesOutNode = false, leavesOutPlace = false) {
    this.#plugins = plugins;
    this.#leavesOutNode = leavesOutNode;
    this.#leavesOutPlace = leavesOutPlace;
  }

  get(pod: Pod): T | undefined {
    this.#tree.find();
    return this.#sign(pod) ? this.#tree.value : undefined;
  }

  /** Sets the value; does nothing for a pod that is not JSON. */
  set(pod: Pod, value: T): void {
    this.#tree.grow();
    if (this.#sign(pod)) this.#tree.value = value;
  }

  #signAffinity(spec: PodSpec): boolean {
    const tree = this.#tree;
    const { affinity } = spec;
    if (affinity === undefined || !this.#leavesOutNode || namedNodeOf(spec) === null) return tree.walk(affinity);
    return signBesideNode(tree, affinity);
  }

  #sign(pod: Pod): boolean {
    const tree = this.#tree;
    try {
      if (pod.spec === undefined || !signSpec(tree, pod.spec, this.#leavesOutPlace) || !this.#signAffinity(pod.spec))
        return false;
      for (const plugin of this.#plugins) {
        const parts = plugin.dependsOn?.(pod) ?? plugin.concerns?.(pod) ?? null;
        if (!tree.step(JSON.stringify(parts))) return false;
      }
      return true;
    } catch {
      // The pod is not checked yet, so it can be anything, even an object that contains itself.
      return false;
    }
  }
}

/**
 * Members are read by name, which is several times faster than to enumerate them. Most are absent in most pods: one
 * number says which are there. Members that differ most between templates come last, so that the tree branches late.
 */
function signSpec(tree: SignatureTree<unknown>, spec: PodSpec, leavesOutPlace: boolean): boolean {
  const { schedulerName, preemptionPolicy, restartPolicy, hostNetwork, subdomain, volumes } = spec;
  const { terminationGracePeriodSeconds, activeDeadlineSeconds, schedulingGates, overhead, resources } = spec;
  const { priority, priorityClassName, tolerations, nodeName, nodeSelector } = spec;
  const { resourceClaims, schedulingGroup, topologySpreadConstraints } = spec;
  const present =
    (schedulerName === undefined ? 0 : 0x1) |
    (preemptionPolicy === undefined ? 0 : 0x2) |
    (restartPolicy === undefined ? 0 : 0x4) |
    (hostNetwork === undefined ? 0 : 0x8) |
    (terminationGracePeriodSeconds === undefined ? 0 : 0x10) |
    (activeDeadlineSeconds === undefined ? 0 : 0x20) |
    (schedulingGates === undefined ? 0 : 0x40) |
    (overhead === undefined ? 0 : 0x80) |
    (resourceClaims === undefined ? 0 : 0x100) |
    (schedulingGroup === undefined ? 0 : 0x200) |
    (resources === undefined ? 0 : 0x400) |
    (tolerations === undefined ? 0 : 0x800) |
    (priority === undefined ? 0 : 0x1000) |
    (priorityClassName === undefined ? 0 : 0x2000) |
    (subdomain === undefined ? 0 : 0x4000) |
    (nodeName === undefined ? 0 : 0x8000) |
    (nodeSelector === undefined ? 0 : 0x10000) |
    (topologySpreadConstraints === undefined ? 0 : 0x20000);
  return (
    tree.step(present) &&
    signPresent(tree, schedulerName) &&
    signPresent(tree, preemptionPolicy) &&
    signPresent(tree, restartPolicy) &&
    signPresent(tree, hostNetwork) &&
    signPresent(tree, terminationGracePeriodSeconds) &&
    signPresent(tree, activeDeadlineSeconds) &&
    signPresent(tree, schedulingGates) &&
    signPresent(tree, overhead) &&
    signPresent(tree, resourceClaims) &&
    signPresent(tree, schedulingGroup) &&
    signPresent(tree, resources) &&
    signPresent(tree, tolerations) &&
    signPresent(tree, priority) &&
    signPresent(tree, priorityClassName) &&
    signVolumes(tree, volumes) &&
    signContainers(tree, spec.initContainers) &&
    signContainers(tree, spec.containers) &&
    signPresent(tree, subdomain) &&
    (leavesOutPlace || signPresent(tree, nodeName)) &&
    signPresent(tree, nodeSelector) &&
    signPresent(tree, topologySpreadConstraints)
  );
}

/** Signs a value of which a number before it says whether it is there. */
function signPresent(tree: SignatureTree<unknown>, value: unknown): boolean {
  return value === undefined || tree.walk(value);
}

/** Stands for the node that the required terms of the node affinity name. */
const NAMED_NODE = Symbol('named node');

function signBesideNode(tree: SignatureTree<unknown>, affinity: Affinity): boolean {
  const { nodeAffinity, podAffinity, podAntiAffinity, ...others } = affinity;
  const { requiredDuringSchedulingIgnoredDuringExecution: required, ...preferred } = nodeAffinity ?? {};
  const { nodeSelectorTerms: terms = [], ...beside } = required ?? {};
  return (
    tree.step(NAMED_NODE) &&
    signTerms(tree, terms) &&
    tree.walk(podAffinity) &&
    tree.walk(podAntiAffinity) &&
    tree.walk(preferred) &&
    tree.walk(beside) &&
    tree.walk(others)
  );
}

/** Signs all but the field that names the node. */
function signTerms(tree: SignatureTree<unknown>, terms: readonly NodeSelectorTerm[]): boolean {
  if (!tree.beginList(terms.length)) return false;
  for (let i = 0; i < terms.length; i++) {
    const { matchFields: _, ...others } = terms[i] as NodeSelectorTerm;
    if (!tree.walk(others)) return false;
  }
  return true;
}

function signContainers(tree: SignatureTree<unknown>, containers: readonly Container[] | undefined): boolean {
  if (!Array.isArray(containers)) return tree.walk(containers);
  if (!tree.beginList(containers.length)) return false;
  for (let i = 0; i < containers.length; i++) {
    const container = containers[i] as Container;
    if (!isMembers(container)) return false;
    const { name, image, ports, resources, restartPolicy, restartPolicyRules } = container;
    const present =
      (restartPolicy === undefined ? 0 : 0x1) |
      (restartPolicyRules === undefined ? 0 : 0x2) |
      (ports === undefined ? 0 : 0x4);
    const isSigned =
      tree.step(present) &&
      tree.walk(name) &&
      signPresent(tree, restartPolicy) &&
      signPresent(tree, restartPolicyRules) &&
      signPresent(tree, ports) &&
      tree.walk(resources) &&
      tree.walk(image);
    if (!isSigned) return false;
  }
  return true;
}

function isMembers(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/**
 * Signs the kinds of sources among the volumes, and the images. Claims and disks are looked up in every attempt of a
 * pod that has any, so their names are left out.
 */
function signVolumes(tree: SignatureTree<unknown>, volumes: readonly Volume[] | undefined): boolean {
  if (!Array.isArray(volumes)) return tree.walk(volumes);
  let sources = 0;
  const images: unknown[] = [];
  for (let i = 0; i < volumes.length; i++) {
    const volume = volumes[i] as Volume;
    sources |= sourcesOf(volume);
    if (volume.image) images.push(volume.image.reference);
  }
  // Other volumes do not matter to scheduling, so the pod is equal to one without volumes.
  if (sources === 0 && images.length === 0) return tree.walk(undefined);
  return tree.step(sources) && tree.walk(images);
}

function sourcesOf(volume: Volume): number {
  return (
    (volume.persistentVolumeClaim ? 0x1 : 0) |
    (volume.ephemeral ? 0x2 : 0) |
    (volume.csi ? 0x4 : 0) |
    (volume.gcePersistentDisk ? 0x8 : 0) |
    (volume.awsElasticBlockStore ? 0x10 : 0) |
    (volume.azureDisk ? 0x20 : 0) |
    (volume.azureFile ? 0x40 : 0) |
    (volume.cinder ? 0x80 : 0) |
    (volume.portworxVolume ? 0x100 : 0) |
    (volume.vsphereVolume ? 0x200 : 0) |
    (volume.iscsi ? 0x400 : 0) |
    (volume.rbd ? 0x800 : 0)
  );
}
