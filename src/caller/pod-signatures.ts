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
  #hasNames = false;

  /**
   * `plugins`: the embedder's plugins, which may read any part of a pod. `leavesOutNode`: pods that name their nodes
   * are equal if only these names differ. `leavesOutPlace`: so are pods on nodes if only `spec.nodeName` differs.
   */
  constructor(plugins: readonly Plugin[] = [], leavesOutNode = false, leavesOutPlace = false) {
    this.#plugins = plugins;
    this.#leavesOutNode = leavesOutNode;
    this.#leavesOutPlace = leavesOutPlace;
  }

  /** Whether the last pod has volumes or a host name, whose names its signature leaves out. */
  get hasNames(): boolean {
    return this.#hasNames;
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

  #sign(pod: Pod): boolean {
    try {
      return pod.spec !== undefined && this.#signSpec(pod.spec) && this.#signPlugins(pod);
    } catch {
      // The pod is not checked yet, so it can be anything, even an object that contains itself.
      return false;
    }
  }

  /**
   * Signs the members in their own order, which templates keep, and the affinity behind them. They are enumerated: pods
   * of many templates have specs of hundreds of hidden classes, and each look for a name in one of them, mostly in
   * vain, would go through V8's cache of such looks, which then holds too few.
   */
  #signSpec(spec: PodSpec): boolean {
    const tree = this.#tree;
    let affinity: Affinity | undefined;
    let hasContainers = false;
    this.#hasNames = false;
    for (const name in spec) {
      const value = spec[name as keyof PodSpec];
      const signer = value === undefined ? undefined : SIGNERS.get(name);
      if (signer === undefined) continue;
      if (signer === 'walk') {
        if (!tree.step(name) || !tree.walk(value)) return false;
      } else if (signer === 'containers') {
        hasContainers = true;
        if (!tree.step(name) || !signContainers(tree, value as PodSpec['containers'])) return false;
      } else if (signer === 'volumes') {
        this.#hasNames = true;
        if (!signVolumes(tree, value as PodSpec['volumes'])) return false;
      } else if (signer === 'affinity') affinity = value as Affinity;
      else if (signer === 'name') this.#hasNames = true;
      else if (!this.#leavesOutPlace && !(tree.step(name) && tree.walk(value))) return false;
    }
    // Members that a class defines for its objects are not enumerated.
    if (!hasContainers && spec.containers !== undefined) return false;
    if (affinity === undefined || !this.#leavesOutNode || namedNodeOf(spec) === null) return tree.walk(affinity);
    return signBesideNode(tree, affinity);
  }

  #signPlugins(pod: Pod): boolean {
    for (const plugin of this.#plugins) {
      const parts = plugin.dependsOn?.(pod) ?? plugin.concerns?.(pod) ?? null;
      if (!this.#tree.step(JSON.stringify(parts))) return false;
    }
    return true;
  }
}

/** How a member of the spec is signed. */
type Signer = 'walk' | 'volumes' | 'containers' | 'affinity' | 'place' | 'name';

/** The members that are read for scheduling, and the host name, which is checked. */
const SIGNED: Readonly<Partial<Record<keyof PodSpec, Signer>>> = {
  schedulerName: 'walk',
  preemptionPolicy: 'walk',
  restartPolicy: 'walk',
  hostNetwork: 'walk',
  subdomain: 'walk',
  terminationGracePeriodSeconds: 'walk',
  activeDeadlineSeconds: 'walk',
  schedulingGates: 'walk',
  overhead: 'walk',
  resources: 'walk',
  priority: 'walk',
  priorityClassName: 'walk',
  tolerations: 'walk',
  nodeSelector: 'walk',
  resourceClaims: 'walk',
  schedulingGroup: 'walk',
  topologySpreadConstraints: 'walk',
  volumes: 'volumes',
  initContainers: 'containers',
  containers: 'containers',
  affinity: 'affinity',
  nodeName: 'place',
  hostname: 'name',
};
const SIGNERS: ReadonlyMap<string, Signer> = new Map(Object.entries(SIGNED));

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
  if (!Array.isArray(volumes)) return tree.step('volumes') && tree.walk(volumes);
  let sources = 0;
  const images: unknown[] = [];
  for (let i = 0; i < volumes.length; i++) {
    const volume = volumes[i] as Volume;
    sources |= sourcesOf(volume);
    if (volume.image) images.push(volume.image.reference);
  }
  // Other volumes do not matter to scheduling, so the pod is equal to one without volumes.
  if (sources === 0 && images.length === 0) return true;
  return tree.step('volumes') && tree.step(sources) && tree.walk(images);
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
