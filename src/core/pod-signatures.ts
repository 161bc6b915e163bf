import type { Container, Pod, PodSpec } from '../api/pod.ts';
import type { Volume } from '../api/volumes.ts';
import type { Plugin } from '../framework/plugin.ts';
import { SignatureTree } from './signature-tree.ts';

/**
 * What is known of pods by their signature: pods with equal signatures are alike to scheduling (upstream's PodSignature
 * and `signPod`).
 *
 * A signature holds everything of the spec that the scheduler's own plugins, extenders and the checks of a pod look at,
 * apart from what only names a pod's own things. It leaves out what nobody reads (environment, command, probes,
 * mounts), and what is looked at for every pod: the host name, and what volumes are called and refer to. In a real
 * cluster that differs from pod to pod. What an embedder's plugins depend on is added in their own words.
 */
export class PodSignatures<T> {
  readonly #plugins: readonly Plugin[];
  readonly #tree = new SignatureTree<T>();

  /** `plugins`: those that may read other parts of a pod than the scheduler's own do. */
  constructor(plugins: readonly Plugin[] = []) {
    this.#plugins = plugins;
  }

  get(pod: Pod): T | undefined {
    this.#tree.find();
    return this.#sign(pod) ? this.#tree.value : undefined;
  }

  /** Keeps nothing for a pod that JSON cannot say. */
  set(pod: Pod, value: T): void {
    this.#tree.grow();
    if (this.#sign(pod)) this.#tree.value = value;
  }

  #sign(pod: Pod): boolean {
    const tree = this.#tree;
    try {
      if (pod.spec === undefined || !signSpec(tree, pod.spec)) return false;
      for (const plugin of this.#plugins) {
        const parts = plugin.dependsOn?.(pod) ?? plugin.concerns?.(pod) ?? null;
        if (!tree.step(JSON.stringify(parts))) return false;
      }
      return true;
    } catch {
      // Nobody has checked the pod yet: it can be anything, even an object that contains itself.
      return false;
    }
  }
}

/**
 * Members are named one by one: to read a known member is several times faster than to enumerate all. What differs most
 * from template to template comes last, so that the tree branches late.
 */
function signSpec(tree: SignatureTree<unknown>, spec: PodSpec): boolean {
  const { schedulerName, preemptionPolicy, restartPolicy, hostNetwork, subdomain, volumes } = spec;
  const { terminationGracePeriodSeconds, activeDeadlineSeconds, schedulingGates, overhead, resources } = spec;
  const { priority, priorityClassName, tolerations, nodeName, nodeSelector, affinity } = spec;
  return (
    tree.walk(schedulerName) &&
    tree.walk(preemptionPolicy) &&
    tree.walk(restartPolicy) &&
    tree.walk(hostNetwork) &&
    tree.walk(terminationGracePeriodSeconds) &&
    tree.walk(activeDeadlineSeconds) &&
    tree.walk(schedulingGates) &&
    tree.walk(overhead) &&
    tree.walk(resources) &&
    tree.walk(tolerations) &&
    tree.walk(priority) &&
    tree.walk(priorityClassName) &&
    signVolumes(tree, volumes) &&
    signContainers(tree, spec.initContainers) &&
    signContainers(tree, spec.containers) &&
    tree.walk(subdomain) &&
    tree.walk(nodeName) &&
    tree.walk(nodeSelector) &&
    tree.walk(spec.topologySpreadConstraints) &&
    tree.walk(affinity)
  );
}

function signContainers(tree: SignatureTree<unknown>, containers: readonly Container[] | undefined): boolean {
  if (!Array.isArray(containers)) return tree.walk(containers);
  if (!tree.beginList(containers.length)) return false;
  for (let i = 0; i < containers.length; i++) {
    const container = containers[i] as Container;
    if (!isMembers(container)) return false;
    const { name, image, ports, resources, restartPolicy, restartPolicyRules } = container;
    const isSigned =
      tree.walk(name) &&
      tree.walk(restartPolicy) &&
      tree.walk(restartPolicyRules) &&
      tree.walk(ports) &&
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
 * Which sources there are among the volumes, and the images. Claims and disks are looked up at every attempt of a pod
 * that has any, so what they are called does not matter here.
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
  // A pod whose volumes mean nothing is like one without.
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
